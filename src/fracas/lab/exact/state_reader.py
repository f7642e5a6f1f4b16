"""One scenario's battle as words, with a ruleset's entry point that plays states on.

A ruleset cuts its battles into steps and plays a page of states one step on in all their ways, by its entry point

    enumerate_step(battles, words, live, ranges, parents, children, notes, pages)

    battles    (2,) of the battle's record with dice that take every way: the one to play in, and a copy of it as it
               was before anything changed
    words      (2, n) of int64: the same memory, as words
    live       (m,) of int64: the places of the words that differ between states; states are kept as these words
    ranges     (r, 2) of int64: from where to where words may change at all
    parents    (p, m) of int64: the states of the page
    children   (q, m) of int64, notes (q,) of child_t: what became of them
    pages      (1,) of page_t: how far it came
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

# How many children of a page there is room for; the first grows as far as the second.
ROOM = 1 << 14
MOST_ROOM = 1 << 18


class Refused(Exception):
    """Something cannot be counted out."""


class StateReader:
    """One scenario's battle as words, and its ruleset's entry point."""

    def __init__(self, scenario: Scenario, enumerate_step: Callable[..., None]) -> None:
        kernels = scenario.ruleset.kernels
        record = scenario.compiled.record
        kind = with_field(record.dtype, "dice", branching_t)
        self.enumerate_step = enumerate_step
        self.battles = np.zeros(2, kind)
        self.battles[:] = as_kind(record, kind)
        self.words = self.battles.view(np.int64).reshape(2, -1)
        self.ranges = _ranges(kind, kernels.state_fields(record[0]) if kernels.state_fields is not None else ())
        self.live = np.zeros(0, np.int64)
        self.room = ROOM
        self.page = np.zeros(1, page_t)

    @property
    def played(self) -> int:
        """How many states of the last page were played in all their ways."""
        return int(self.page[0].parent)

    @property
    def words_of_a_way(self) -> int:
        """How many words are looked at in one way of a step: those that may change, and those of a state, twice."""
        return int((self.ranges[:, 1] - self.ranges[:, 0]).sum()) + 2 * len(self.live)

    def play(self, parents: Rows, begins: bool = False) -> Iterator[tuple[Rows, Rows]]:
        """A page's children and what is noted of them, in one or several parts."""
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
                raise Refused("a step has rolls that cannot be counted out")
            elif page.verdict == FULL and page.children == 0:
                self._make_room()
            page.parent -= page.verdict != DONE

    def play_to_ends(self, states: Rows) -> Rows:
        """How one battle from each of these states ended, as notes; begin with `draw_from`."""
        page = self.page[0]
        page.begins = False
        page.parent = -1
        page.children = 0
        notes = np.empty(len(states), child_t)
        nothing = np.empty((len(states), 0), np.int64)
        self.enumerate_step(self.battles, self.words, self.live, self.ranges, states, nothing, notes, self.page)
        return notes

    def draw_from(self, key: Rows) -> None:
        """From now on the dice draw one way of each roll, with the words of a key."""
        dice = self.battles[0].dice
        dice.draws = 1
        dice.taken = 0
        dice.key[:] = key

    def begin_from(self, state: Rows) -> None:
        """Take the only state that there is for what the battle was before anything changed."""
        self.words[:, self.live] = state
        self.live = self.live[:0]

    def _make_room(self) -> None:
        if self.room >= MOST_ROOM:
            raise Refused(f"a step has more than {MOST_ROOM:,} ways")
        self.room *= 4

    def _widened(self, parents: Rows) -> Rows:
        """Take in words that had not changed before; states so far have them as they were in the beginning."""
        places = np.concatenate([np.arange(first, last) for first, last in self.ranges])
        fresh = places[self.words[0, places] != self.words[1, places]]
        self.words[0, fresh] = self.words[1, fresh]
        self.live = np.concatenate((self.live, fresh))
        return self.as_wide(parents)

    def as_wide(self, states: Rows) -> Rows:
        """States with all words that are live by now."""
        missing = self.live[states.shape[1] :]
        filled = np.broadcast_to(self.words[1, missing], (len(states), len(missing)))
        return np.ascontiguousarray(np.concatenate((states, filled), axis=1))


def _ranges(kind: np.dtype[Any], names: Sequence[str]) -> Rows:
    """The parts of a record that states differ in, such as `sides`, `units.3` and `dice.place`, as ranges of words."""
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
    return np.array(ranges, np.int64).reshape(-1, 2)
