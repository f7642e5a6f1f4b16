"""Battles played on from where counting stopped: what is decided already is not played again.

The states that wait when a budget is spent have chances, as exact as all others. So many battles are played on from
them: the waiting chance is cut into equal parts, from each part one state is drawn, and its battle goes on with dice
that draw. Their shares estimate how the undecided part ends; drawing from each part can only make them more precise
than drawing from all of it, which is what their intervals assume.
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

# The dice that go on are those of the scenario's seed text with this behind it.
UNDECIDED = "/undecided"
# So many battles are played on at a time.
PAGE = 2048
_OFFSET_BYTES = 8
# A state's words, and its chance.
State = tuple[bytes, int]
Ending = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class UndecidedStates:
    """States that were waiting when an enumeration stopped, in groups: by their moments, and those of its last page."""

    reader: StateReader
    groups: Sequence[dict[bytes, int]]
    """The chances of states by their words."""

    def __len__(self) -> int:
        return sum(map(len, self.groups))

    @property
    def chance(self) -> int:
        """The chance of all of them together."""
        return sum(sum(group.values()) for group in self.groups)

    def play_on(self, n: int, seed: str) -> Counter[Ending]:
        """How often each winner, reason and number of rounds came of n battles that were played on, under a seed text.

        Can be called once: the states are let go.
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
        """The states that n battles go on from, each drawn from its part of the chance."""
        total = self.chance
        offsets = blake3((seed + UNDECIDED).encode()).digest(length=_OFFSET_BYTES * n)
        points = (
            ((number << 64) + int.from_bytes(offsets[_OFFSET_BYTES * number :][:_OFFSET_BYTES])) * total // (n << 64)
            for number in range(n)
        )
        return _at(points, self.groups)

    def _endings(self, drawn: Sequence[bytes]) -> Iterable[Ending]:
        """How battles from these states ended."""
        if not drawn:
            return ()
        rows: Rows = np.stack([self._widened(words) for words in drawn])
        notes = self.reader.play_to_ends(rows)
        return zip(*(notes[name].tolist() for name in ("winner", "reason", "rounds")), strict=True)

    def _widened(self, words: bytes) -> Rows:
        row = np.frombuffer(words, np.int64).reshape(1, -1)
        wide: Rows = self.reader.as_wide(row)[0]
        return wide


def _at(points: Iterable[int], groups: Iterable[dict[bytes, int]]) -> Iterator[bytes]:
    """The states at rising points of their chances, laid end to end."""
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
