"""Guilds and wars for tests: founded, named, and fought step by step on a playground."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select
from tests.helpers.arena import TEAMS, Playground

from fracas.server.arena import dues
from fracas.server.arena.guilds import service
from fracas.server.arena.wars import fighting, war
from fracas.server.database.due import Due
from fracas.server.database.tables import guild
from fracas.server.database.tables import war as war_table


def plan(playground: Playground) -> None:
    with playground.write() as connection:
        for league in playground.arena.leagues.values():
            dues.plan(connection, league, playground.now)


def founded(playground: Playground, name: str, size: int = 1, league: str = "squads") -> tuple[str, list[str]]:
    """A guild whose members all named an entry, and its members, the owner first."""
    members: list[str] = []
    identifier, ranked = "", playground.arena.leagues[league].is_ranked
    for number in range(size):
        who = playground.account(f"{name.lower()}-{number}")
        team = {"units": TEAMS[(number + len(name)) % len(TEAMS)]}
        own = playground.entry(who, league, ranked=ranked, document=team)
        with playground.write() as connection:
            if number == 0:
                identifier = service.found_guild(connection, playground.arena, who, name, league, playground.now)
            else:
                service.join_guild(connection, who, code_of(connection, identifier), playground.now)
            service.name_entry(connection, who, identifier, own)
        members.append(who)
    return identifier, members


def code_of(connection: Connection, identifier: str) -> str:
    return str(connection.execute(select(guild.c.code).where(guild.c.id == identifier)).scalar_one())


def do_due(playground: Playground) -> list[Due]:
    """Do what is due, each work in a transaction of its own; returns it in its order."""
    found: list[Due] = []
    while True:
        with playground.write() as connection:
            work = dues.do_next(connection, playground.arena, playground.now)
        if work is None:
            return found
        found.append(work)


def fight_on(playground: Playground, most: int = 32) -> int:
    """Fight the next matches of a war; 0 if none is left."""
    with playground.read() as connection:
        front = fighting.next_front(connection, most)
    if front is None:
        return 0
    fought = fighting.fight(front, playground.player)
    with playground.write() as connection:
        reveals = not front.league.hides_entries
        return war.store(connection, front.war, fought, reveals=reveals, now=playground.now)


def fight_all(playground: Playground) -> int:
    return sum(iter(lambda: fight_on(playground), 0))


def wars_of(playground: Playground) -> list[Any]:
    with playground.read() as connection:
        return list(connection.execute(select(war_table).order_by(war_table.c.week, war_table.c.id)))
