"""Files of published league-days on the disk: each is assembled once, when its day is published.

The database has everything that is in them, so the folder may be deleted at any time. A file is written anew when it
changes: a day of a league that reveals at the end of its season gains the entries then.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
from blake3 import blake3
from sqlalchemy import Connection, func, select

from fracas.errors import InputError
from fracas.files.atomic_write import write_atomic
from fracas.server.arena.chain import NEWEST_FORMAT
from fracas.server.arena.proofs.publication import league_day_file
from fracas.server.arena.records import Arena
from fracas.server.database.tables import entry_version, league_day, match, match_side
from fracas.version import RELEASE

FOLDER = "fracas.days"
PRIVATE_FOLDER = 0o700


@dataclass(frozen=True)
class StoredDay:
    """The file of a published day: on the disk, or in memory where it cannot be written."""

    tag: str
    """Changes when the file does."""
    file: Path | None
    content: bytes | None


def tag_of(connection: Connection, arena: Arena, league: str, day: str) -> str | None:
    """The tag of a day's file, without assembling it; None if the day is not published."""
    where = (league_day.c.league == league) & (league_day.c.day == day)
    row = connection.execute(select(league_day).where(where, league_day.c.published_at.is_not(None))).first()
    if row is None:
        return None
    hidden = (
        select(func.count())
        .select_from(match)
        .join(match_side, match_side.c.match == match.c.id)
        .join(
            entry_version,
            (entry_version.c.entry == match_side.c.entry) & (entry_version.c.no == match_side.c.version),
        )
        .where(match.c.league == league, match.c.day == day, match.c.no.is_not(None))
        .where(entry_version.c.revealed_at.is_(None))
    )
    revision, commitment, head = arena.league(league).revision, bytes(row.commitment), bytes(row.head)
    parts = [RELEASE, NEWEST_FORMAT, revision.hex(), commitment.hex(), head.hex()]
    parts += [len(row.secret_enc), connection.execute(hidden).scalar_one()]
    return blake3(" ".join(map(str, parts)).encode()).hexdigest(16)


def stored_day(connection: Connection, arena: Arena, folder: Path, league: str, day: str) -> StoredDay:
    """The file of a published day, which is assembled and written if it is not there yet.

    Raises:
        Missing: there was no such day, or its secret is not published yet.
        InputError: the server no longer has the day's secret.
    """
    tag = tag_of(connection, arena, league, day)
    file = None if tag is None else folder / f"{league}_{day}_{tag}.json"
    if tag is not None and file is not None and file.is_file():
        return StoredDay(tag, file, None)
    content = msgspec.json.encode(league_day_file(connection, arena, league, day))
    assert tag is not None
    assert file is not None
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        write_atomic(file, content, is_private=True)
    except (OSError, InputError):
        # A full disk, or one that may not be written: the answer is the same, and costs as much each time.
        return StoredDay(tag, None, content)
    for old in folder.glob(f"{league}_{day}_*.json"):
        if old != file:
            with suppress(OSError):
                old.unlink()
    return StoredDay(tag, file, None)
