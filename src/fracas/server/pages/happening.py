"""What happens on a server now: live tables, tournaments and guild wars, each as a row that leads there."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from fracas.server.http.context import context_of
from fracas.server.pages.rendering import day_in_words, moment_in_words
from fracas.server_models.guilds import War
from fracas.server_models.tables import GameTable, seats_of
from fracas.server_models.tournaments import Tournament

# Rows of each kind.
_MOST = 5
# Of wars the newest week comes first; those of this week are among so many.
_LOOKED_AT = 20


@dataclass(frozen=True)
class Happening:
    """A row: what it is, how far it is, and where to look."""

    state: str
    title: str
    about: str
    link: str
    is_live: bool = False
    """Whether it is being played at this moment."""


async def happening(request: Request) -> list[Happening]:
    """What happens now, and what comes next: what is being played first."""
    services = context_of(request).settings.services
    # Only services that are on are imported.
    found: list[Happening] = []
    if "tables" in services:
        from fracas.server.tables.routes import list_tables

        tables = (await list_tables(request, mine=False)).items
        found += [_table(each) for each in tables if each.state != "waiting"][:_MOST]
        found += [_table(each) for each in tables if each.state == "waiting"][:_MOST]
    if "arena" in services:
        from fracas.server.arena.routes import guilds, tournaments

        for state in ("running", "entering"):
            listed = await tournaments.list_tournaments(request, None, state, None, _MOST)
            found += [_tournament(each) for each in listed.items]
        wars = await guilds.list_wars(request, None, None, None, _LOOKED_AT)
        found += [_war(each) for each in wars.items if each.state in ("running", "locked")][:_MOST]
    return sorted(found, key=lambda each: not each.is_live)


def _table(table: GameTable) -> Happening:
    names = [name or "nobody yet" for name in seats_of(table)]
    game = f"{table.game} {table.scenario}".replace("_", " ").replace("-", " ")
    link = f"/d/{table.id}"
    if table.state == "waiting":
        who = next((name for name in seats_of(table) if name), "Somebody")
        return Happening("open", f"{who} waits for somebody", f"{game}, {table.seconds} seconds a choice", link)
    state = f"choice {table.step}" if table.state == "playing" else "about to begin"
    return Happening("live", " against ".join(names), f"{game}, {state}", link, is_live=True)


def _tournament(each: Tournament) -> Happening:
    link, entrants = f"/t/{each.id}", f"{each.league}, {each.entrants} in it"
    if each.state == "running":
        rounds = "" if each.rounds is None else f" of {each.rounds}"
        return Happening(f"round {each.round}{rounds}", each.title, f"tournament in {entrants}", link, each.playing)
    starts = "when its organiser says" if each.starts_at is None else moment_in_words(each.starts_at)
    return Happening("open", each.title, f"tournament in {entrants}, starts {starts}", link)


def _war(war: War) -> Happening:
    about = f"guild war in {war.league}, week of {day_in_words(war.week)}"
    title, link = " against ".join(side.name for side in war.sides), f"/wars/{war.id}"
    return Happening("war" if war.state == "running" else "war soon", title, about, link, war.state == "running")
