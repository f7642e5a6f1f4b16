"""What happens at a time: the kinds of due work, and the handler of each.

A handler gets the transaction, the subject of the work and when it was due. What recurs notes its next time itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from sqlalchemy import Connection

from fracas.server.arena import bots, demo
from fracas.server.arena.domain import Arena
from fracas.server.arena.league import League
from fracas.server.arena.seasons import days, rotations
from fracas.server.arena.seasons import season as seasons
from fracas.server.arena.tournaments import rounds
from fracas.server.arena.tournaments import service as tournaments
from fracas.server.arena.wars import war
from fracas.server.database import due

Handler = Callable[[Connection, str, int], None]


def handlers(arena: Arena, now: int) -> Mapping[str, Handler]:
    """The handler of each kind of work."""
    kinds: dict[str, Callable[..., None]] = {
        days.PUBLISH: days.publish_when_due,
        days.HEAD: days.note_head_when_due,
        seasons.SEASON_END: _end_season,
        rotations.ROTATION: rotations.turn,
        tournaments.START: tournaments.start_due,
        rounds.ROUND: rounds.open_due,
        war.LOCK: war.lock,
        war.START: war.start,
        demo.CUP: demo.hold_cup,
    }
    return {kind: partial(work, arena=arena, now=now) for kind, work in kinds.items()}


def do_next(connection: Connection, arena: Arena, now: int) -> due.Due | None:
    """Do the oldest work that is due, in this transaction; return it, or None if there is none."""
    table = handlers(arena, now)
    work = due.take(connection, table, now)
    if work is not None:
        table[work.kind](connection, work.subject, work.at)
    return work


def plan(connection: Connection, league: League, now: int) -> None:
    """Note the first time of what recurs in a league."""
    rotations.plan(connection, league, now)
    war.plan(connection, league, now)


def _end_season(connection: Connection, league: str, at: int, *, arena: Arena, now: int) -> None:
    if seasons.end_when_due(connection, arena, league, at, now):
        bots.install_bots(connection, arena, arena.leagues[league], now)
