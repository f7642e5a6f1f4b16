"""A chunk: a range of battles and its results, which can be sent and stored as bytes.

A chunk holds a row for each battle if rows are wanted, otherwise sums. If the simulation has a target precision, it
holds sums for each 1,024 battles, so that counting stops exactly where it would on one thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from fracas.engine.player import Player
from fracas.lab.execution.tally import LOOK_EVERY, Tally
from fracas.rulesets.contract.measures import Measure, Sums
from fracas.rulesets.contract.types import Rows

# At most this many rows are in memory while they are summed.
ROWS_AT_A_TIME = 16 * LOOK_EVERY
_WIDTHS = tuple(np.dtype(name) for name in ("<i1", "<i2", "<i4", "<i8"))


@dataclass(frozen=True, eq=False)
class Chunk:
    """A range of battles with their rows or sums."""

    battles: range
    rows: Rows | None = None
    sums: Sequence[Tally] = ()
    """Of consecutive parts of the range."""

    def add_to(self, tally: Tally, wanted: float | None) -> int:
        """Add the battles to the tally until it is precise enough; returns how many were added."""
        if self.rows is not None:
            return tally.add_until_precise(self.rows, wanted)
        before = tally.battles
        for part in self.sums:
            tally.merge(part)
            if tally.is_precise(wanted):
                break
        return tally.battles - before


@dataclass(frozen=True)
class ChunkOutput:
    """What to return for a range of battles."""

    measures: Sequence[Measure]
    rows: bool
    """A row for each battle; otherwise sums."""
    looks: bool
    """Sums for each 1,024 battles; otherwise for the whole range."""
    start: int
    """The number of the simulation's first battle, from which precision checks are counted."""


def play_chunk(player: Player, battles: range, wanted: ChunkOutput) -> Chunk:
    """Play a range of battles.

    Raises:
        InputError: a plug-in failed, or a battle has too many events.
        FaultError: a battle hit a limit of the engine.
    """
    if wanted.rows:
        return Chunk(battles, rows=player.play(battles.start, len(battles)))
    return Chunk(battles, sums=[_summed(player, part, wanted) for part in _parts(battles, wanted)])


def _parts(battles: range, wanted: ChunkOutput) -> Iterator[range]:
    """The range cut at the places where precision is checked."""
    first = battles.start
    while first < battles.stop:
        look = first + LOOK_EVERY - (first - wanted.start) % LOOK_EVERY
        following = min(battles.stop, look) if wanted.looks else battles.stop
        yield range(first, following)
        first = following


def _summed(player: Player, battles: range, wanted: ChunkOutput) -> Tally:
    tally = Tally(sums=Sums(wanted.measures))
    for first in range(battles.start, battles.stop, ROWS_AT_A_TIME):
        tally.add(player.play(first, min(ROWS_AT_A_TIME, battles.stop - first)))
    return tally


def encode_chunk(chunk: Chunk) -> bytes:
    """Encode a chunk as bytes, without its range. The bytes contain only numbers."""
    if chunk.rows is not None:
        return _packed_rows(chunk.rows)
    # The reader of the sums knows the ruleset's measures.
    return msgspec.json.encode([replace(part, sums=replace(part.sums, measures=())) for part in chunk.sums])


def decode_chunk(content: bytes, battles: range, wanted: ChunkOutput, row_type: np.dtype[np.void]) -> Chunk:
    """Decode a chunk.

    Raises:
        ValueError: the bytes do not encode a chunk of these battles.
    """
    if wanted.rows:
        chunk = Chunk(battles, rows=_unpacked_rows(content, len(battles), row_type))
    else:
        chunk = Chunk(battles, sums=msgspec.json.decode(content, type=list[Tally]))
        if sum(part.battles for part in chunk.sums) != len(battles):
            raise ValueError("the sums are of other battles")
    return chunk


def _packed_rows(rows: Rows) -> bytes:
    """Pack columns of eight bytes, each cut to the width that its values need, with a byte for each width in front."""
    columns = np.ascontiguousarray(rows).view(np.int64).reshape(len(rows), -1).T
    widths = [_width(int(column.min()), int(column.max())) for column in columns]
    return b"".join(
        [
            bytes(widths),
            *(column.astype(_WIDTHS[width]).tobytes() for column, width in zip(columns, widths, strict=True)),
        ]
    )


def _width(least: int, most: int) -> int:
    return next(
        index for index, kind in enumerate(_WIDTHS) if np.iinfo(kind).min <= least and most <= np.iinfo(kind).max
    )


def _unpacked_rows(content: bytes, count: int, row_type: np.dtype[np.void]) -> Rows:
    columns = np.zeros((count, row_type.itemsize // 8), np.int64)
    places = columns.shape[1]
    offset = places
    for index in range(places):
        kind = _WIDTHS[content[index]]
        columns[:, index] = np.frombuffer(content, kind, count, offset)
        offset += count * kind.itemsize
    if offset != len(content):
        raise ValueError("the rows are of other battles")
    return columns.reshape(-1).view(row_type)
