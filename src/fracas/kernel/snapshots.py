"""Snapshots: save and restore the changing words of a battle, to resume it from the middle.

A place is an array of int64. Its first number is one of the four below; those between give the position in a round and
the choice made there, as the ruleset's `decision_points.py` describes. The last number is 0, or 1 more than the tick of
a round: before that round the battle stops, undecided, and its record is as a snapshot there would be.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.kernel.jit import kernel

# A whole battle; from a round's start; from a decision, made as usual; or from a decision with a given choice.
FROM_SET_UP, FROM_ROUND, FROM_DECISION, WITH_CHOICE = range(4)

# Whole words are restored; dice restart with their stream.
_WORD_BYTES = 8
_DICE = "dice"


def mutable_spans(battle_type: np.dtype[Any], given: frozenset[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The words of a battle that change during play, as rows of first word and end, without the `given` fields."""
    assert battle_type.fields is not None
    spans: list[list[int]] = []
    for name, (kind, offset, *_) in sorted(battle_type.fields.items(), key=lambda field: field[1][1]):
        if name == _DICE or name in given:
            continue
        first, end = offset // _WORD_BYTES, (offset + kind.itemsize) // _WORD_BYTES
        if spans and spans[-1][1] == first:
            spans[-1][1] = end
        else:
            spans.append([first, end])
    return np.array(spans, np.int64)


def as_words(records: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The words of an array of one battle: the same memory, not a copy."""
    return records.view(np.int64)


def save_snapshot(records: np.ndarray[Any, Any], spans: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """A copy of a battle's changing words, as they are now."""
    words = as_words(records)
    return np.concatenate([words[first:end] for first, end in spans.tolist()])


@kernel
def stops_before(place, tick: int) -> bool:
    """Whether a battle resumed at this place stops before the round of this tick."""
    until: int = place[len(place) - 1]
    return until == tick + 1


@kernel
def restore(memory, saved, spans) -> None:
    """Restore a battle to a snapshot (docs/adr/0023)."""
    place = 0
    for number in range(len(spans)):
        for word in range(spans[number, 0], spans[number, 1]):
            memory[word] = saved[place]
            place += 1
