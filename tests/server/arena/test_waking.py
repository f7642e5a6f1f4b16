"""The matchmaker looks at a queue when a ticket enters it; how late the loop was is counted meanwhile."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from tests.helpers.arena import Playground
from tests.helpers.serving import RunningServer

from fracas.server.arena import arena_loop
from fracas.server.arena.arena_loop import RunningArena
from fracas.server.arena.matches.matchmaker import claim
from fracas.server.arena.matches.resolution import resolve
from fracas.server.clock import DAY, MINUTE
from fracas.server.database.tables import ticket


@pytest.fixture
def looked(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the matchmaker looked at; `everything` is a look at all queues and at what is due."""
    monkeypatch.setattr(arena_loop, "PAUSE", 3_600.0)
    found: list[str] = []

    async def tick(self: RunningArena) -> int:
        found.append("everything")
        return 0

    async def match(self: RunningArena, arena: object, league: object, *, fresh_only: bool) -> int:
        assert fresh_only
        found.append(str(getattr(league, "id", "")))
        if len(found) == 2:
            raise ValueError("goes on")
        return 0

    monkeypatch.setattr(RunningArena, "tick", tick)
    monkeypatch.setattr(RunningArena, "_match", match)
    return found


def test_a_ticket_wakes_the_matchmaker_of_its_league(sqlite_server: RunningServer, looked: list[str]):
    arena: RunningArena = sqlite_server.context.parts["arena"]

    async def run() -> None:
        loop = asyncio.create_task(arena.loop())
        try:
            async with asyncio.timeout(20):
                while looked != ["everything"]:
                    await asyncio.sleep(0)
                arena.tickets_entered(())
                arena.tickets_entered({"squads"})
                arena.tickets_entered({"delve"})
                while len(looked) < 3:
                    await asyncio.sleep(0)
                # One that failed stops no other, and the next ticket is seen too.
                arena.tickets_entered({"squads"})
                while len(looked) < 4:
                    await asyncio.sleep(0)
        finally:
            loop.cancel()
            with suppress(asyncio.CancelledError):
                await loop

    sqlite_server.wait(run())
    assert looked == ["everything", "delve", "squads", "squads"]


def test_how_late_the_loop_was_is_counted(sqlite_server: RunningServer):
    metrics = sqlite_server.context.metrics

    async def run() -> None:
        beating = asyncio.create_task(metrics.watch_loop())
        async with asyncio.timeout(20):
            while b"fracas_loop_late_seconds_count 0.0" in metrics.as_text():
                await asyncio.sleep(0.01)
        beating.cancel()

    sqlite_server.wait(run())


def test_the_last_opponent_is_that_of_the_latest_match(small: Playground):
    ann, bob, cid, dan = small.players(4)
    for pair in ((ann, dan), (bob, cid), (ann, cid), (dan, bob)):
        assert len(small.fight(pair)) == 1
    for owner, entry in (ann, dan):
        small.queue(owner, entry)
    with small.write() as connection:
        planned = claim(connection, small.arena, small.arena.leagues["squads"], small.now, fresh_only=True)
    assert len(planned) == 1


def test_two_accounts_have_two_rated_matches_in_a_day(small: Playground):
    both = small.players(2)
    assert [len(small.fight(both)) for _ in range(2)] == [1, 1]
    assert small.fight(both) == []
    small.clock.step(DAY)
    with small.write() as connection:
        planned = claim(connection, small.arena, small.arena.leagues["squads"], small.now)
    assert len(planned) == 1


def test_nobody_meets_the_last_opponent_again_before_the_next_look(small: Playground):
    """A look at what just arrived pairs only who finds somebody new, however long they waited."""
    accounts = [small.account(name) for name in ("ann", "bob")]
    entries = [small.entry(account) for account in accounts]

    def claimed(*, fresh_only: bool) -> int:
        for account, entry in zip(accounts, entries, strict=True):
            small.queue(account, entry)
        small.clock.step(5 * MINUTE)
        with small.write() as connection:
            league = small.arena.leagues["squads"]
            planned = claim(connection, small.arena, league, small.now, fresh_only=fresh_only)
            assert None not in resolve(connection, small.arena, planned, small.now, player=small.player)
        if not planned:
            with small.write() as connection:
                connection.execute(ticket.delete())
        return len(planned)

    assert [claimed(fresh_only=each) for each in (True, True, False)] == [1, 0, 1]
