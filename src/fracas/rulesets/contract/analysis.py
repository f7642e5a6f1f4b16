"""What the lab asks of a ruleset: to seat others, to exchange parts, to vary a side, to stop a battle and go on.

A ruleset's `lab.py` has a class that answers; what it has no answer to is refused in a sentence, never guessed. The lab
knows nothing else about rulesets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from fracas.content.document_edits import merged, with_value
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import listed, nearest
from fracas.events.protocol import Event
from fracas.rulesets.contract.types import Compiled, Document, Rows

# A score in half points: side 1 won, nobody did, side 2 won.
WON, DRAWN, LOST = 2, 1, 0


@dataclass(frozen=True)
class SideRef:
    """One side of a resolved document: who sits there, and what they bring."""

    document: Document
    side: int
    """1 or 2."""


@dataclass(frozen=True)
class Stat:
    """A number of a unit that designers turn: its attack, its speed."""

    path: tuple[str, ...]
    """Where it stands in the resolved document."""
    name: str
    """What it is called: attack."""
    owner: str
    """Whose it is: Scout."""
    value: int | float
    least: int | float
    """The smallest value that the models accept."""
    most: int | float
    """The largest."""
    step: int | float = 1
    """What one more of it is."""


@dataclass(frozen=True)
class Dimension:
    """One decision of a side that could have been another: its place in the resolved document, what may stand there.

    Whatever stands in `path` is replaced as a whole by one of the values, which are plain; None stands for nothing
    there. Each value by itself gives a document that compiles, and so does every combination of different knobs.
    `AnalysisHooks.with_choices` puts values in place.
    """

    name: str
    """What people call it: formation; target priority, first place; Heal: when."""
    part: str
    """Which of the ruleset's parts it belongs to: strategy."""
    path: tuple[str, ...]
    values: Sequence[Any]
    """All values, the present one among them."""
    labels: Sequence[str]
    """What people call them."""
    current: int
    """Which of them stands there now."""
    requires: Sequence[Document] = ()
    """For each value what the document has to hold besides, such as a new unit's abilities; empty if it is nothing."""


def dimension_over(
    name: str, part: str, path: tuple[str, ...], present: Any, values: Sequence[Any], told: Callable[[Any], str]
) -> Dimension:
    """A knob over some values and the present one, which comes first if it is none of them."""
    known = list(values) if present in values else [present, *values]
    return Dimension(name, part, path, known, [told(value) for value in known], known.index(present))


@dataclass(frozen=True)
class Contribution:
    """What a unit brought about in some battles with one of its abilities."""

    side: int
    unit: str
    ability: str
    """What did it: an ability, a skill, a move, an item; empty if nothing is known."""
    amounts: Mapping[str, int]
    """By what it is, such as damage, healing, absorbed, falls: how much altogether."""


def amount_label(kind: str) -> str:
    """What people read in place of an amount's key: `falls` are the enemies that were felled, not who fell.

    >>> amount_label("falls"), amount_label("damage")
    ('felled', 'damage')
    """
    return "felled" if kind == "falls" else kind.replace("_", " ")


class StatusChange(NamedTuple):
    """From a row on a unit has so much of a status: 1 or 0, or stacks where they are counted."""

    unit: int
    """The number that rows have for it; `EVERYBODY`."""
    status: str
    """Its name; `ALL_STATUSES`."""
    amount: int


EVERYBODY, ALL_STATUSES = -1, ""


@dataclass(frozen=True)
class Statuses:
    """Where the statuses of all units of a battle can be read from its event rows."""

    names: Sequence[str]
    kinds: Sequence[type[Event]]
    """Events after which somebody has another status, or more or less of it."""
    changes: Callable[[Sequence[int]], Iterable[StatusChange]]
    """What such a row changes: tick, kind, actor, target and the columns a to d."""


@dataclass(frozen=True)
class Vitals:
    """Where the HP of all units of a battle can be read from its event rows."""

    sides: Mapping[int, int]
    """By the number that rows have for a unit: its side, 1 or 2."""
    kinds: Sequence[type[Event]]
    """Events that tell HP, in the field `hp` or `health`: of their target, or of their actor if they have none."""
    start: Mapping[int, int] = field(default_factory=dict)
    """HP before the first of these events, where none tells them as the battle begins."""
    statuses: Statuses | None = None
    """What units can have besides HP; None if there is nothing of that kind."""


@dataclass(frozen=True)
class Option:
    """Something that could be decided at a moment."""

    label: str
    resume_at: tuple[int, ...]
    """What `Kernels.resume_many` takes to go on from there with this."""


@dataclass(frozen=True)
class Decision:
    """A moment in which somebody of a side decides: all that was legal, and what was chosen of it."""

    side: int
    unit: str
    chosen: int
    choices: Sequence[Option]


@dataclass(frozen=True)
class DecisionPoint:
    """A battle stopped: at the start of a round (no decision), or when somebody decides."""

    tick: int
    snapshot: Rows
    """What changes of a battle, as it stands then (`kernel/snapshots.py`)."""
    resume_at: tuple[int, ...]
    """What `Kernels.resume_many` takes to go on from there, as it went."""
    decision: Decision | None = None


class AnalysisHooks:
    """The lab's questions to a ruleset. Without an answer of the ruleset's own all but the score are refused."""

    parts: Sequence[str] = ()
    """What sides of different files can exchange, the most usual first: strategy, line-up, build."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset

    def refuse(self, what: str) -> NoReturn:
        """Say that the ruleset has no answer.

        Raises:
            InputError: always.
        """
        raise InputError.of(what, f"is not available for this ruleset ({self.ruleset})")

    def check_seats(self, *seats: SideRef) -> None:
        """See that seats are sides of this ruleset's documents.

        Raises:
            InputError: they are not.
        """
        for seat in seats:
            if seat.document.get("ruleset") != self.ruleset:
                played = f"is a battle of {seat.document.get('ruleset')}"
                raise InputError.of(str(seat.document.get("id")), f"{played}, and {self.ruleset} is played here")
            if seat.side not in (1, 2):
                raise UsageError.of("--side", f"{seat.side} is neither 1 nor 2")

    def check_file(self, part: str) -> None:
        """See that there is such a part.

        Raises:
            InputError: there is none; names those that there are.
        """
        if part not in self.parts:
            message = f'sides of {self.ruleset} have no part "{part}"; theirs are {listed(list(self.parts))}'
            raise UsageError.of("--part", message, nearest(part, self.parts))

    def score(self, results: Rows) -> Rows:
        """Side 1's score of each result in half points, int8: WON, DRAWN or LOST."""
        table = np.array([DRAWN, WON, LOST], np.int8)
        return np.asarray(table[results["winner"]])

    def matchup(self, first: SideRef, second: SideRef) -> Document:
        """The first as side 1 against the second as side 2, under the first one's options, seed and profile.

        Raises:
            InputError: they cannot meet.
        """
        self.refuse("a match-up")

    def part(self, seat: SideRef, part: str) -> Any:
        """One of `parts` of a side, as plain values.

        Raises:
            InputError: no such part.
        """
        self.refuse(part)

    def with_part(self, seat: SideRef, part: str, value: Any) -> Document:
        """The seat's document with a part of that side exchanged for another side's.

        Raises:
            InputError: no such part, or it does not fit there.
        """
        self.refuse(part)

    def stats(self, seat: SideRef) -> Sequence[Stat]:
        """The numbers of all units of a side, in the order of the document."""
        self.refuse("a list of stats")

    def search_space(self, seat: SideRef, folders: Sequence[Path] = ()) -> Sequence[Dimension]:
        """What a side could do otherwise, over the content of these folders: the space that searches go through."""
        self.refuse("a search")

    def with_choices(
        self, document: Document, choices: Iterable[tuple[Dimension, int]], folders: Sequence[Path] = ()
    ) -> Document:
        """A copy of a resolved document with knobs turned, each to one of its values by number.

        It compiles. What nobody uses any more may still stand in it until it is resolved again.
        """
        for knob, number in choices:
            if knob.requires:
                document = merged(document, knob.requires[number])
            document = with_value(document, knob.path, knob.values[number])
        return document

    def contributions(self, rows: Rows, compiled: Compiled, document: Document) -> Sequence[Contribution]:
        """What each unit did with each ability, by the event rows of one or several battles of a document."""
        self.refuse("a table of contributions")

    def vitals(self, compiled: Compiled, document: Document) -> Vitals:
        """Where the HP of all units can be read."""
        self.refuse("a timeline")

    def decision_points(self, compiled: Compiled, document: Document, stream: int) -> Sequence[DecisionPoint]:
        """A battle's moments in order: each round's start, and each decision of units that have a choice."""
        self.refuse("going on from the middle of a battle")
