"""Matches that failed: whose fault it is, and what is kept so that an operator can see why.

Logs name a match by ids alone. Its entries may still be hidden, so they are kept apart, in a folder that only the
server's user reads.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from fracas.errors import InputError
from fracas.files.atomic_write import write_atomic
from fracas.server.arena.day_secrets import SecretError
from fracas.server.arena.domain import Arena, Planned
from fracas.server.arena.match_player import Rules, leg_document

FOLDER = "fracas.failed"
PRIVATE_FOLDER = 0o700
# The oldest are removed.
MOST_KEPT = 100
# What the operator has to mend. None of it says anything about a match, and waiting costs its tickets nothing.
_OPERATORS = (SecretError, OperationalError, InterfaceError, PoolTimeoutError, OSError, MemoryError)


def is_operators_fault(error: BaseException) -> bool:
    """Whether a match failed for a reason that no entry can be to blame for: secret file, database, disk, memory."""
    return isinstance(error, _OPERATORS)


def ids_of(planned: Planned) -> list[str]:
    """What a log may say about a match on its way: its entries' ids and versions."""
    return [f"{seat.entry} v{seat.version}" for seat in planned.seats]


def keep_failure(folder: Path, arena: Arena, planned: Planned, error: BaseException, now: int) -> Path:
    """Write a match that failed into a folder: `.json`, which `fracas run` plays, and `.txt`, which says why it failed.

    Returns:
        The document's file.

    Raises:
        InputError: it cannot be written.
    """
    names = "_".join(f"{seat.entry}-v{seat.version}" for seat in planned.seats)
    file = folder / f"{planned.league}_{names}.json"
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    except OSError as problem:
        raise InputError.of(str(folder), f"cannot be made: {problem.strerror}") from None
    write_atomic(file.with_suffix(".txt"), "".join(traceback.format_exception(error)).encode(), is_private=True)
    write_atomic(file, replayable(arena, planned, now), is_private=True)
    _forget(sorted(folder.glob("*.json"), key=lambda each: (each.stat().st_mtime_ns, each.name))[:-MOST_KEPT])
    return file


def replayable(arena: Arena, planned: Planned, now: int) -> bytes:
    """The first leg of a pair as a document that `fracas run` plays, as JSON; the entries if it cannot be made."""
    league = arena.league(planned.league)
    combatants = [seat.combatant for seat in planned.seats]
    try:
        document: Any = leg_document(Rules.at(league, now), combatants[0], combatants[1], 0)
    except Exception:
        document = {each.code: each.document for each in combatants}
    return msgspec.json.encode(document)


def _forget(files: Iterable[Path]) -> None:
    for each in files:
        each.unlink(missing_ok=True)
        each.with_suffix(".txt").unlink(missing_ok=True)
