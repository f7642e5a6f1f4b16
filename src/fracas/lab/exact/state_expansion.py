"""States of one battle as words, and a page of them played one step on in all their ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from fracas.engine.scenario import Scenario
from fracas.kernel.enumerating_dice import branching_t
from fracas.kernel.records import as_kind, with_field
from fracas.kernel.state_pages import DONE, FULL, REFUSED, WIDER, child_t, page_t
from fracas.rulesets.contract.types import Rows

# How many children of a page there is room for, and how far that grows.
ROOM = 1 << 14
MOST_ROOM = 1 << 18


class ExpansionRefused(Exception):
    """Something cannot be counted out."""


class StateExpander:
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
                raise ExpansionRefused("a step has rolls that cannot be counted out")
            elif page.verdict == FULL and page.children == 0:
                self._make_room()
            page.parent -= page.verdict != DONE

    def begin_from(self, state: Rows) -> None:
        """Take the only state that there is for what the battle was before anything changed."""
        self.words[:, self.live] = state
        self.live = self.live[:0]

    def _make_room(self) -> None:
        if self.room >= MOST_ROOM:
            raise ExpansionRefused(f"a step has more than {MOST_ROOM:,} ways")
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
