"""Check guild wars: who fought whom, seeds, points as the sum of matches. Their battles are checked as all others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, func, select

from fracas.errors import FracasError
from fracas.server.arena.domain import WAR, Arena
from fracas.server.arena.seasons import days
from fracas.server.arena.seasons.days import start_of_day
from fracas.server.arena.wars.fighting import seats_of
from fracas.server.arena.wars.pairing import bouts
from fracas.server.arena.wars.war import OVER, bout_seed, points_of, war_seed
from fracas.server.clock import WEEK, day_of
from fracas.server.database.tables import account, guild, guild_member, match, match_side, war, war_match

# What a match takes from its war.
_TAKEN = ("league", "season", "rules_version", "fingerprint", "modifier", "revision")


def war_faults(connection: Connection, arena: Arena) -> Iterator[str]:
    """Everything that is wrong with guilds and wars, as sentences."""
    yield from _guild_faults(connection)
    of_week: dict[tuple[str, str], dict[str, str | None]] = {}
    for row in connection.execute(select(war).order_by(war.c.week, war.c.id)).all():
        name = f"war {row.id}"
        week = of_week.setdefault((row.league, row.week), {})
        for own, other in ((row.guild_a, row.guild_b), (row.guild_b, row.guild_a)):
            if own in week:
                yield f"{name}: guild {own} has another war in the week {row.week}"
            if own is not None:
                week[own] = other
        before = of_week.get((row.league, day_of(start_of_day(row.week) - WEEK)), {})
        if row.guild_b is not None and before.get(row.guild_a) == row.guild_b:
            yield f"{name} repeats that of the week before"
        if row.started_at is not None:
            yield from (f"{name}: {fault}" for fault in _faults_of(connection, arena, row))
    of_wars = select(func.count()).select_from(war_match).where(war_match.c.match.is_not(None))
    stored = select(func.count()).select_from(match).where(match.c.kind == WAR)
    if connection.execute(of_wars).scalar_one() != connection.execute(stored).scalar_one():
        yield "there are matches of wars that belong to none"


def _guild_faults(connection: Connection) -> Iterator[str]:
    query = (
        select(guild, func.count(guild_member.c.account).label("size"))
        .outerjoin(guild_member, guild_member.c.guild == guild.c.id)
        .group_by(*guild.c)
    )
    for row in connection.execute(query):
        if (row.size == 0) != (row.dissolved_at is not None):
            yield f"guild {row.id} has {row.size} members and is {'not ' if row.dissolved_at is None else ''}dissolved"
    owned = select(guild_member.c.guild).where(guild_member.c.role == "owner")
    without = select(guild_member.c.guild).where(guild_member.c.guild.not_in(owned)).distinct()
    yield from (f"guild {row.guild} has no owner" for row in connection.execute(without))
    gone = (
        select(guild_member.c.account)
        .join(account, account.c.id == guild_member.c.account)
        .where(account.c.state == "deleted")
    )
    yield from (f"account {row.account} is deleted and in a guild" for row in connection.execute(gone))


def _faults_of(connection: Connection, arena: Arena, row: Any) -> Iterator[str]:
    """What is wrong with a war that has started."""
    try:
        secret = days.secret_of(connection, arena, row.league, row.day)
    except (FracasError, LookupError):
        # An export leaves the secrets of running days out.
        secret = b""
    if secret and war_seed(connection, row, secret, row.day) != row.seed:
        yield "the seed differs"
    seats = seats_of(connection, row.id)
    first, second = seats[row.guild_a], seats[row.guild_b]
    wanted = set(bouts(len(first), len(second)))
    query = (
        select(war_match.c.a_pos, war_match.c.b_pos, match)
        .outerjoin(match, match.c.id == war_match.c.match)
        .where(war_match.c.war == row.id)
    )
    fought = connection.execute(query).all()
    there = {(each.a_pos, each.b_pos) for each in fought}
    if there - wanted or (row.state == OVER and there != wanted):
        yield f"it has {len(there)} matches, of which {len(there & wanted)} are its own, and not {len(wanted)}"
    sides = _sides(connection, row.id)
    for each in fought:
        if each.id is None:
            continue
        positions = each.a_pos, each.b_pos
        name = f"match {each.id}"
        if each.kind != WAR or any(getattr(each, key) != getattr(row, key) for key in _TAKEN):
            yield f"{name} was fought under other rules than the war"
        if each.seed != bout_seed(row.seed, positions):
            yield f"{name} has another seed"
        if positions in wanted:
            seats_there = (first[positions[0] - 1], second[positions[1] - 1])
            if sides[each.id] != [(seat.account, seat.entry, seat.version, 0) for seat in seats_there]:
                yield f"{name} was fought by others than those that were locked"
    if row.state == OVER and points_of(connection, row.id) != (row.points_a, row.points_b):
        yield "its points are not the sum of its matches"


def _sides(connection: Connection, war_id: str) -> dict[str, list[tuple[str, str, int, int]]]:
    """Who fought in the matches of a war, by place: account, entry, version, and whether it was rated."""
    query = (
        select(match_side)
        .join(war_match, war_match.c.match == match_side.c.match)
        .where(war_match.c.war == war_id)
        .order_by(match_side.c.match, match_side.c.place)
    )
    found: dict[str, list[tuple[str, str, int, int]]] = {}
    for row in connection.execute(query):
        found.setdefault(row.match, []).append((row.account, row.entry, row.version, row.rated))
    return found
