"""What happens at a time: the kinds of due work, and the handler of each.

A handler gets the transaction, the subject of the work and when it was due. What recurs notes its next time itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from sqlalchemy import Connection

from fracas.server.arena import demo
from fracas.server.arena.domain import Arena
from fracas.server.arena.tournaments import rounds, service
from fracas.server.database import due

Handler = Callable[[Connection, str, int], None]
MOST_AT_ONCE = 64


def handlers(arena: Arena, now: int) -> Mapping[str, Handler]:
    """The handler of each kind of work."""
    kinds: dict[str, Callable[..., None]] = {
        service.START: service.start_due,
        rounds.ROUND: rounds.open_due,
        demo.CUP: demo.hold_cup,
    }
    return {kind: partial(work, arena=arena, now=now) for kind, work in kinds.items()}


def do_dues(connection: Connection, arena: Arena, now: int) -> None:
    """Do the work whose time has come, in this transaction."""
    for kind, handler in handlers(arena, now).items():
        for work in due.take(connection, kind, now, limit=MOST_AT_ONCE):
            handler(connection, work.subject, work.at)
