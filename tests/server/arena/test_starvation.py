"""Nobody starves: a busy league keeps no other waiting, and tickets at rest hide none that look for an opponent."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import Column, Connection, Table, insert, select
from tests.helpers.arena import Playground
from tests.helpers.serving import RunningServer

from fracas.server.arena import arena_loop, dues
from fracas.server.arena.arena_loop import RunningArena
from fracas.server.arena.league import League
from fracas.server.arena.matches import matchmaker
from fracas.server.clock import HOUR
from fracas.server.database.tables import account, entry, entry_version, ticket


class Busy:
    """A matchmaker that always finds another pair in squads, and what it was asked."""

    # A league that does not stop by itself would go on for ever.
    MOST_LOOKS = 50

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[str] = []
        monkeypatch.setattr(arena_loop, "LONGEST_TURN", -1.0)
        monkeypatch.setattr(arena_loop, "PAUSE", 0.0)
        monkeypatch.setattr(dues, "do_next", self.do_next)
        monkeypatch.setattr(matchmaker, "claim", self.claim)
        monkeypatch.setattr(RunningArena, "_prepare_and_resolve", self.resolve)

    def do_next(self, connection: Connection, arena: object, now: int) -> None:
        self.seen.append("due")

    def claim(self, connection: Connection, *, arena: object, league: League, now: int, fresh_only: bool) -> list[str]:
        assert len(self.seen) < self.MOST_LOOKS, "a busy league does not stop"
        self.seen.append(league.id)
        return ["a pair"] if league.id == "squads" else []

    async def resolve(self, arena: object, league: object, batch: list[str], player: object) -> int:
        return len(batch)


def test_a_busy_league_keeps_nobody_waiting(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    """Other leagues and what is due have their turn, and the busy league goes on afterwards."""
    busy = Busy(monkeypatch)
    arena: RunningArena = sqlite_server.context.parts["arena"]
    names = list(sqlite_server.wait(arena.ready()).leagues)
    assert sqlite_server.wait(arena.tick()) == 1
    assert busy.seen == ["due", *names]
    # It asked to be looked at again, together with whoever entered meanwhile.
    assert arena._entered == {"squads"}
    busy.seen.clear()

    async def run() -> None:
        loop = asyncio.create_task(arena.loop())
        async with asyncio.timeout(20):
            while busy.seen.count("due") < 3:
                assert not loop.done()
                await asyncio.sleep(0)
        loop.cancel()
        with suppress(asyncio.CancelledError):
            await loop

    sqlite_server.wait(run())
    looks = " ".join(busy.seen).split("due")
    assert all(set(look.split()) == set(names) for look in looks[1:-1])


def stand(playground: Playground, example: str, count: int) -> None:
    """Standing tickets of new accounts, which are at rest for an hour, entered long ago."""
    with playground.write() as connection:

        def like(table: Table, key: Column[str]) -> dict[str, Any]:
            return dict(connection.execute(select(table).where(key == example)).mappings().one())

        entered, version = like(entry, entry.c.id), like(entry_version, entry_version.c.entry)
        names = [f"s{number:03}" for number in range(count)]
        accounts = [{"id": name, "handle": name, "handle_key": name, "created_at": 0} for name in names]
        connection.execute(insert(account), accounts)
        connection.execute(insert(entry), [{**entered, "id": name, "account": name, "code": name} for name in names])
        connection.execute(insert(entry_version), [{**version, "entry": name} for name in names])
        rest = {"league": "squads", "version": 1, "kind": "standing", "mode": "ranked", "salt": b"", "since": 0}
        rest |= {"due_at": playground.now + HOUR, "state": "standing"}
        connection.execute(insert(ticket), [{**rest, "id": name, "account": name, "entry": name} for name in names])


def test_tickets_at_rest_hide_nobody_who_looks(playground: Playground):
    """A look takes so many tickets; those who look for an opponent are always among them."""
    ann, bob = playground.players(2)
    stand(playground, ann[1], matchmaker.MOST_TICKETS)
    league = playground.arena.leagues["squads"]
    for owner, own in (ann, bob):
        playground.queue(owner, own)
    with playground.write() as connection:
        rows = matchmaker._tickets(connection, league, playground.now)
        assert len(rows) == matchmaker.MOST_TICKETS
        assert {row.account for row in rows[:2]} == {ann[0], bob[0]}
        (planned,) = matchmaker.claim(connection, playground.arena, league, playground.now)
    assert {ann[0], bob[0]} == {seat.account for seat in planned.seats}
