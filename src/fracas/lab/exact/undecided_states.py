"""Estimates the undecided part of an enumeration by playing its waiting states on with dice.

The states that wait when a budget is spent have exact probabilities, like all others. The waiting probability is cut
into equal parts; one state is drawn from each part, and its battle is played on with dice. The resulting shares
estimate how the undecided part ends. Drawing one state per part can only be more precise than drawing from all of it,
which is what their intervals assume.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from blake3 import blake3

from fracas.lab.exact.state_reader import StateReader
from fracas.rulesets.contract.types import Rows
from fracas.rulesets.shared.seeds import key_words

# These battles use dice of the scenario's seed text with this appended.
UNDECIDED = "/undecided"
# Battles are played on this many at a time.
PAGE = 2048
_OFFSET_BYTES = 8
# A state's words and its probability.
State = tuple[bytes, int]
Ending = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class UndecidedStates:
    """The states that wait when an enumeration stops, grouped by time, and the rest of its last page."""

    reader: StateReader
    groups: Sequence[dict[bytes, int]]
    """The probabilities of states by their words."""

    def __len__(self) -> int:
        return sum(map(len, self.groups))

    @property
    def chance(self) -> int:
        """Their total probability."""
        return sum(sum(group.values()) for group in self.groups)

    def play_on(self, n: int, seed: str) -> Counter[Ending]:
        """Play n battles on from these states under a seed text, and count winner, reason and number of rounds.

        Call it once: it releases the states.
        """
        reader = self.reader
        reader.draw_from(key_words(seed + UNDECIDED))
        found: Counter[Ending] = Counter()
        drawn: list[bytes] = []
        for words in self._drawn(n, seed):
            drawn.append(words)
            if len(drawn) == PAGE:
                found.update(self._endings(drawn))
                drawn = []
        found.update(self._endings(drawn))
        return found

    def _drawn(self, n: int, seed: str) -> Iterator[bytes]:
        """The starting states of n battles, one drawn from each part of the total probability."""
        total = self.chance
        offsets = blake3((seed + UNDECIDED).encode()).digest(length=_OFFSET_BYTES * n)
        points = (
            ((number << 64) + int.from_bytes(offsets[_OFFSET_BYTES * number :][:_OFFSET_BYTES])) * total // (n << 64)
            for number in range(n)
        )
        return _at(points, self.groups)

    def _endings(self, drawn: Sequence[bytes]) -> Iterable[Ending]:
        """How the battles from these states ended."""
        if not drawn:
            return ()
        rows: Rows = np.stack([self._widened(words) for words in drawn])
        notes = self.reader.play_to_ends(rows)
        endings: list[Ending] = notes[["winner", "reason", "rounds"]].tolist()
        return endings

    def _widened(self, words: bytes) -> Rows:
        row = np.frombuffer(words, np.int64).reshape(1, -1)
        wide: Rows = self.reader.as_wide(row)[0]
        return wide


def _at(points: Iterable[int], groups: Iterable[dict[bytes, int]]) -> Iterator[bytes]:
    """The states at increasing points of their cumulative probability."""
    ahead = iter(points)
    point = next(ahead, None)
    before = 0
    for group in groups:
        ends = list(accumulate(group.values(), initial=before))
        keys = list(group)
        while point is not None and point < ends[-1]:
            yield keys[bisect_right(ends, point) - 1]
            point = next(ahead, None)
        before = ends[-1]
