"""One scenario's battle as an array of words, advanced by the ruleset's entry point for enumeration.

A ruleset cuts its battles into steps. Its entry point plays a page of states one step on, through every transition:

    enumerate_step(battles, words, live, ranges, parents, children, notes, pages)

    battles    (2,) of the battle's record with enumerating dice: the one to play in, and its initial state
    words      (2, n) of int64: the same memory, as words
    live       (m,) of int64: the indexes of the words that differ between states; a state is stored as these words
    ranges     (r, 2) of int64: the start and end of each range of words that may change
    parents    (p, m) of int64: the states of the page
    children   (q, m) of int64, notes (q,) of child_t: the results
    pages      (1,) of page_t: the progress
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from fracas.engine.scenario import Scenario
from fracas.kernel.enumerating_dice import branching_t
from fracas.kernel.records import as_kind, with_field
from fracas.kernel.state_pages import DONE, FULL, REFUSED, WIDER, child_t, page_t
from fracas.rulesets.contract.types import Rows

# How many children of a page there is room for at first, and at most.
ROOM = 1 << 14
MOST_ROOM = 1 << 18


class Refused(Exception):
    """Something cannot be enumerated."""


class StateReader:
    """One scenario's battle as words, and its ruleset's entry point."""

    def __init__(self, scenario: Scenario, enumerate_step: Callable[..., None], most: int = MOST_ROOM) -> None:
        """most: how many transitions a step may have."""
        kernels = scenario.ruleset.kernels
        record = scenario.compiled.record
        kind = with_field(record.dtype, "dice", branching_t)
        self.enumerate_step = enumerate_step
        self.battles = np.zeros(2, kind)
        self.battles[:] = as_kind(record, kind)
        self.words = self.battles.view(np.int64).reshape(2, -1)
        self.ranges = ranges_of(kind, kernels.state_fields(record[0]) if kernels.state_fields is not None else ())
        self.live = np.zeros(0, np.int64)
        self.most = min(most, MOST_ROOM)
        self.room = min(ROOM, self.most)
        self.page = np.zeros(1, page_t)

    @property
    def played(self) -> int:
        """How many states of the last page were played through every transition."""
        return int(self.page[0].parent)

    @property
    def words_of_a_way(self) -> int:
        """How many words one transition reads: those that may change, and twice those of a state."""
        return int((self.ranges[:, 1] - self.ranges[:, 0]).sum()) + 2 * len(self.live)

    def play(self, parents: Rows, begins: bool = False) -> Iterator[tuple[Rows, Rows]]:
        """A page's children and their notes, in one or several parts."""
        page = self.page[0]
        page.begins = begins
        page.parent = -1
        page.verdict = FULL
        while page.verdict != DONE:
            page.children = 0
            children = np.empty((self.room, len(self.live)), np.int64)
            notes = np.empty(self.room, child_t)
            self.enumerate_step(self.battles, self.words, self.live, self.ranges, parents, children, notes, self.page)
            if page.children:
                yield children[: page.children], notes[: page.children]
            if page.verdict == WIDER:
                parents = self._widened(parents)
            elif page.verdict == REFUSED:
                raise Refused("a step has rolls that cannot be enumerated")
            elif page.verdict == FULL and page.children == 0:
                self._make_room()
            page.parent -= page.verdict != DONE

    def play_to_ends(self, states: Rows) -> Rows:
        """How one battle from each of these states ended, as notes; call `draw_from` first."""
        page = self.page[0]
        page.begins = False
        page.parent = -1
        page.children = 0
        notes = np.empty(len(states), child_t)
        nothing = np.empty((len(states), 0), np.int64)
        self.enumerate_step(self.battles, self.words, self.live, self.ranges, states, nothing, notes, self.page)
        return notes

    def draw_from(self, key: Rows) -> None:
        """From now on roll each die once, with the words of a key, instead of enumerating it."""
        dice = self.battles[0].dice
        dice.draws = 1
        dice.taken = 0
        dice.key[:] = key

    def begin_from(self, state: Rows) -> None:
        """Make the only state there is the initial state of the battle."""
        self.words[:, self.live] = state
        self.live = self.live[:0]

    def _make_room(self) -> None:
        if self.room >= self.most:
            raise Refused(f"a step has more than {self.most:,} transitions")
        self.room = min(4 * self.room, self.most)

    def _widened(self, parents: Rows) -> Rows:
        """Add words that had not changed before; earlier states get their initial values."""
        places = np.concatenate([np.arange(first, last) for first, last in self.ranges])
        fresh = places[self.words[0, places] != self.words[1, places]]
        self.words[0, fresh] = self.words[1, fresh]
        self.live = np.concatenate((self.live, fresh))
        return self.as_wide(parents)

    def as_wide(self, states: Rows) -> Rows:
        """States extended to all words that are live now."""
        missing = self.live[states.shape[1] :]
        filled = np.broadcast_to(self.words[1, missing], (len(states), len(missing)))
        return np.ascontiguousarray(np.concatenate((states, filled), axis=1))


def ranges_of(kind: np.dtype[Any], names: Sequence[str]) -> Rows:
    """The parts of a record that differ between states, such as `sides`, `units.3` and `dice.place`, as word ranges."""
    ranges: list[tuple[int, int]] = []
    for name in names:
        within: np.dtype[Any] = kind
        first = 0
        for part in name.split("."):
            if part.isdigit():
                within = within.subdtype[0] if within.subdtype is not None else within
                first += int(part) * within.itemsize
            else:
                assert within.fields is not None, "a name belongs to a record"
                within, offset = within.fields[part][:2]
                first += offset
        ranges.append((first // 8, (first + within.itemsize) // 8))
    return np.array(_joined(ranges), np.int64).reshape(-1, 2)


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges with neighbours made one: each takes time in every transition."""
    joined: list[tuple[int, int]] = []
    for first, end in ranges:
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((first, end))
    return joined
