"""An arena for tests: accounts, entries and matches, straight on a database."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, insert

from fracas.server.arena import service
from fracas.server.arena.day_secrets import SecretBox
from fracas.server.arena.domain import Arena
from fracas.server.arena.league import League, read_league
from fracas.server.arena.match_player import MatchPlayer
from fracas.server.arena.matches.matchmaker import claim
from fracas.server.arena.matches.resolution import resolve
from fracas.server.arena.matches.rows import ResolvedMatch
from fracas.server.arena.seasons.season import open_league
from fracas.server.clock import SteppingClock
from fracas.server.database.engine import Database
from fracas.server.database.tables import account
from fracas.server.ids import new_id

SQUADS: dict[str, Any] = {
    "id": "squads",
    "title": "Squads",
    "ruleset": "squads",
    "size": {"least": 1, "most": 5},
    "points": 1000,
    "max_copies": 5,
    "window": 10_000,
}
TEAMS = [
    ["scout", "bronze_knight"],
    ["bronze_knight", "bronze_knight"],
    ["apprentice_wizard", "shield_bearer"],
    ["scout", "novice_cleric"],
]


def league(**changes: Any) -> League:
    """A small squads league with changes."""
    return read_league({**SQUADS, **changes}, "test")


def arena_of(*leagues: League) -> Arena:
    """An arena with these leagues, or with the small one."""
    found = leagues or (league(),)
    return Arena({each.id: each for each in found}, SecretBox(bytes(32)))


class Playground:
    """An arena on a database, with a clock and a player of its own."""

    def __init__(self, database: Database, clock: SteppingClock, arena: Arena | None = None) -> None:
        self.database, self.clock = database, clock
        self.arena = arena or arena_of()
        self.player = MatchPlayer()
        with self.write() as connection:
            for each in self.arena.leagues.values():
                open_league(connection, self.arena, each, self.now)

    @property
    def now(self) -> int:
        return self.clock.now_ms()

    def write(self):
        return self.database.writing.begin()

    def read(self):
        return self.database.reading.connect()

    def account(self, handle: str, role: str = "player") -> str:
        with self.write() as connection:
            return add_account(connection, handle, self.now, role)

    def entry(self, owner: str, league: str = "squads", *, ranked: bool = True, document: Any = None) -> str:
        document = document or {"units": TEAMS[0]}
        with self.write() as connection:
            return service.submit_entry(
                connection, self.arena, owner, league, "A team", document, self.now, ranked=ranked
            ).entry

    def queue(self, owner: str, entry: str, **options: Any) -> str:
        with self.write() as connection:
            return service.enter_queue(connection, self.arena, owner, entry, self.now, **options).id

    def match_up(self, league: str = "squads") -> list[ResolvedMatch]:
        """Pair and resolve what waits in a league."""
        with self.write() as connection:
            planned = claim(connection, self.arena, self.arena.leagues[league], self.now)
        found = []
        for each in planned:
            with self.write() as connection:
                (resolved,) = resolve(connection, self.arena, [each], self.now, player=self.player)
            assert resolved is not None
            found.append(resolved)
        return found

    def players(self, count: int, league: str = "squads") -> list[tuple[str, str]]:
        """Accounts with an entry each."""
        found = []
        is_ranked = self.arena.leagues[league].is_ranked
        for number in range(count):
            owner = self.account(f"player-{number}")
            team = TEAMS[number % len(TEAMS)]
            found.append((owner, self.entry(owner, league, ranked=is_ranked, document={"units": team})))
        return found

    def fight(self, players: Iterable[tuple[str, str]], league: str = "squads") -> list[ResolvedMatch]:
        """Let players queue once and fight; they wait long enough to meet their last opponents again."""
        for owner, entry in players:
            self.queue(owner, entry)
        self.clock.step(61_000)
        return self.match_up(league)


def add_account(connection: Connection, handle: str, now: int, role: str = "player") -> str:
    identifier = new_id(now)
    values = {"id": identifier, "handle": handle, "handle_key": handle, "role": role, "created_at": now}
    connection.execute(insert(account).values(values))
    return identifier
