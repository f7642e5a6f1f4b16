"""Play the rounds of tournaments while a server runs: prepare games outside any transaction, store them in one."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from fracas.server.arena.domain import Arena, Planned
from fracas.server.arena.match_player import MatchPlayer, Rules
from fracas.server.arena.matches.failures import ids_of, is_operators_fault
from fracas.server.arena.matches.matchmaker import MOST_FAILURES
from fracas.server.arena.tournaments import rounds
from fracas.server.arena.tournaments.rounds import Game, Games
from fracas.server.clock import Clock
from fracas.server.database.readers import Readers
from fracas.server.database.writer import Writer

log = logging.getLogger("fracas.server.arena")

# Games that are resolved in one transaction; a request waits for it at most.
MOST_AT_ONCE = 32
# Seconds that tournaments play at a time while the queues wait.
LONGEST_TURN = 1.0

Keep = Callable[[Arena, Planned, Exception, int], Awaitable[str]]
"""Keeps a game that failed where an operator can see why; returns where."""


class TournamentPlayer:
    """Plays the open rounds of all tournaments."""

    def __init__(self, clock: Clock, writer: Writer, readers: Readers, keep_failure: Keep) -> None:
        self._clock, self._writer, self._readers = clock, writer, readers
        self._keep_failure = keep_failure
        self._players: dict[str, MatchPlayer] = {}
        self._failures: Counter[tuple[str, int, int]] = Counter()
        """How often the game of a pairing failed, by tournament, round and slot."""

    async def play(self, arena: Arena) -> dict[str, int]:
        """Play open rounds until none is left or the turn is over; returns how many matches each league had.

        Raises:
            Exception: what the operator has to mend, such as a full disk; the games wait.
        """
        made: dict[str, int] = {}
        ends = time.perf_counter() + LONGEST_TURN
        for identifier, league in await self._readers.run(rounds.open_rounds):
            while time.perf_counter() < ends:
                count = await self._step(arena, identifier)
                if count is None:
                    break
                made[league] = made.get(league, 0) + count
        return made

    async def _step(self, arena: Arena, identifier: str) -> int | None:
        """Play some games of a round, or make the next; returns how many were played, None if there is no more now.

        A turn that is over in the middle goes on with the next look.
        """
        now = self._clock.now_ms()
        asked = partial(rounds.next_games, arena=arena, identifier=identifier, now=now, most=MOST_AT_ONCE)
        found = await self._readers.run(asked)
        if found is None:
            return None
        if not found.games:
            work = partial(rounds.advance, arena=arena, identifier=identifier, now=now)
            return 0 if await self._writer.run(work, alone=True) else None
        player = self._players.setdefault(found.rules.league.id, MatchPlayer())
        failures = await asyncio.to_thread(_prepare, found.rules, found.games, player)
        for game, error in failures:
            await self._failed(arena, found, game, error)
        failed = {game.slot for game, _ in failures}
        ready = replace(found, games=[game for game in found.games if game.slot not in failed])
        # If nothing could be played: with the next look.
        return await self._play(arena, ready, player) or None

    async def _play(self, arena: Arena, found: Games, player: MatchPlayer) -> int:
        now = self._clock.now_ms()
        try:
            return await self._writer.run(
                partial(rounds.play, arena=arena, found=found, now=now, player=player), alone=True
            )
        except Exception as error:
            if is_operators_fault(error) or not found.games:
                raise
            if len(found.games) > 1:
                # One of them failed and took the others back: each alone, so that only that one fails.
                return sum([await self._play(arena, replace(found, games=[game]), player) for game in found.games])
            await self._failed(arena, found, found.games[0], error)
            return 0

    async def _failed(self, arena: Arena, found: Games, game: Game, error: Exception) -> None:
        """Note that a game failed; after the third time, decide its pairing without it."""
        if is_operators_fault(error):
            raise error
        key = found.tournament, found.round, game.slot
        self._failures[key] += 1
        if self._failures[key] < MOST_FAILURES:
            return
        del self._failures[key]
        now = self._clock.now_ms()
        kept = await self._keep_failure(arena, game.planned, error, now)
        said = {"tournament": found.tournament, "entries": ids_of(game.planned), "file": kept}
        name = type(error).__name__
        log.error("a game of a tournament failed %d times: %s; the file has why", MOST_FAILURES, name, extra=said)
        work = partial(rounds.give_up, identifier=found.tournament, number=found.round, slot=game.slot, now=now)
        await self._writer.run(work, alone=True)


def _prepare(rules: Rules, games: list[Game], player: MatchPlayer) -> list[tuple[Game, Exception]]:
    """Compile the battles of games; return those that cannot be fought."""
    failures = []
    for game in games:
        try:
            player.ready(rules, game.planned.first.combatant, game.planned.second.combatant)
        except Exception as error:
            failures.append((game, error))
    return failures
