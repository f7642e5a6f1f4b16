"""The lab's interface to a ruleset: match-ups, parts, search spaces, contributions, decision points.

A ruleset implements `AnalysisHooks` in its `analysis/lab_hooks.py`; methods it does not implement raise an InputError.
The lab knows nothing else about rulesets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Unpack

import numpy as np

from fracas.content.document_edits import merged, with_value
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import listed, nearest
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.hits import Hit
from fracas.rulesets.contract.types import Asked, AskedHit, Compiled, Document, Explanation, Rows

# Scores in half points: side 1 won, a draw, side 2 won.
WON, DRAWN, LOST = 2, 1, 0


@dataclass(frozen=True)
class SideRef:
    """One side of a resolved document."""

    document: Document
    side: int
    """1 or 2."""


@dataclass(frozen=True)
class Stat:
    """A number of a unit that designers tune, such as its attack or speed."""

    path: tuple[str, ...]
    """Its path in the resolved document."""
    name: str
    """Its name: attack."""
    owner: str
    """Its owner: Scout."""
    value: int | float
    least: int | float
    """The smallest value that the models accept."""
    most: int | float
    """The largest."""
    step: int | float = 1
    """The smallest change."""


@dataclass(frozen=True)
class Dimension:
    """One thing that a search can vary: a path in the resolved document and its possible values.

    A value replaces everything at `path`; values are plain, and None means nothing is there. Every value, and every
    combination of dimensions, gives a document that compiles. Apply values with `AnalysisHooks.with_choices`.
    """

    name: str
    """Its display name: formation; target priority, first place; Heal: when."""
    part: str
    """The ruleset's part that it belongs to: strategy."""
    path: tuple[str, ...]
    values: Sequence[Any]
    """All values, including the current one."""
    labels: Sequence[str]
    """Display names of the values."""
    current: int
    """The index of the current value."""
    requires: Sequence[Document] = ()
    """For each value, what else the document needs, such as a new unit's abilities; empty if nothing."""


def dimension_over(
    name: str, part: str, path: tuple[str, ...], present: Any, values: Sequence[Any], label: Callable[[Any], str]
) -> Dimension:
    """A dimension over some values; the current value comes first if it is not among them."""
    known = list(values) if present in values else [present, *values]
    return Dimension(name, part, path, known, [label(value) for value in known], known.index(present))


@dataclass(frozen=True)
class Contribution:
    """What a unit achieved in some battles with one of its abilities."""

    side: int
    unit: str
    ability: str
    """The ability, skill, move or item; empty if unknown."""
    amounts: Mapping[str, int]
    """Totals by kind, such as damage, healing, absorbed, falls."""


def amount_label(kind: str) -> str:
    """The display name of an amount: `falls` counts the enemies felled, not who fell.

    >>> amount_label("falls"), amount_label("damage")
    ('felled', 'damage')
    """
    return "felled" if kind == "falls" else kind.replace("_", " ")


class StatusChange(NamedTuple):
    """A unit's new amount of a status after an event: 1 or 0, or its stacks."""

    unit: int
    """The unit's number in event rows, or `EVERYBODY`."""
    status: str
    """The status's name, or `ALL_STATUSES`."""
    amount: int


EVERYBODY, ALL_STATUSES = -1, ""


@dataclass(frozen=True)
class Statuses:
    """How to read the statuses of all units from a battle's event rows."""

    names: Sequence[str]
    kinds: Sequence[type[Event]]
    """The events that change a unit's statuses."""
    changes: Callable[[Sequence[int]], Iterable[StatusChange]]
    """The changes of an event row: tick, kind, actor, target and the columns a to d."""


@dataclass(frozen=True)
class Vitals:
    """How to read the HP of all units from a battle's event rows."""

    sides: Mapping[int, int]
    """The side of each unit, 1 or 2, by its number in event rows."""
    kinds: Sequence[type[Event]]
    """The events with HP in the field `hp` or `health`: their target's, or their actor's without a target."""
    start: Mapping[int, int] = field(default_factory=dict)
    """HP before the first of these events, if no event gives them at the start."""
    statuses: Statuses | None = None
    """How to read statuses; None if the ruleset has none."""
    column: str = ""
    """The field with HP, if it has another name."""
    changes: tuple[type[Event], int] | None = None
    """The event that tells the new `value` of any `field` of its target, and the number of the field with HP."""


@dataclass(frozen=True)
class Option:
    """A choice at a decision point."""

    label: str
    resume_at: tuple[int, ...]
    """The place for `Kernels.resume_many` to go on with this choice."""


@dataclass(frozen=True)
class Decision:
    """A unit's decision: all legal choices, and the one it made."""

    side: int
    unit: str
    chosen: int
    choices: Sequence[Option]


@dataclass(frozen=True)
class DecisionPoint:
    """A battle stopped at the start of a round (no decision) or at a decision."""

    tick: int
    snapshot: Rows
    """The changing words of the battle at this moment (`kernel/snapshots.py`)."""
    resume_at: tuple[int, ...]
    """The place for `Kernels.resume_many` to go on as the battle did."""
    decision: Decision | None = None


class AnalysisHooks:
    """The lab's questions to a ruleset. Methods that a ruleset does not override are refused, except `score`."""

    parts: Sequence[str] = ()
    """The parts that sides of different files can exchange, the most common first: strategy, line-up, build."""
    sides_are_alike: bool = True
    """Whether a side can meet itself: both are of one kind, not a party and what it meets."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset

    def refuse(self, what: str) -> NoReturn:
        """Refuse a question that the ruleset does not answer.

        Raises:
            InputError: always.
        """
        raise InputError.of(what, f"is not available for this ruleset ({self.ruleset})")

    def check_side_refs(self, *side_refs: SideRef) -> None:
        """Check that the references are to sides of this ruleset's documents.

        Raises:
            InputError: they are not.
        """
        for side_ref in side_refs:
            if side_ref.document.get("ruleset") != self.ruleset:
                found = f"is a battle of {side_ref.document.get('ruleset')}"
                raise InputError.of(str(side_ref.document.get("id")), f"{found}, not of {self.ruleset}")
            if side_ref.side not in (1, 2):
                raise UsageError.of("--side", f"{side_ref.side} is neither 1 nor 2")

    def check_part(self, part: str) -> None:
        """Check that a part exists.

        Raises:
            InputError: it does not; lists those that do.
        """
        if part not in self.parts:
            message = f'sides of {self.ruleset} have no part "{part}"; they have {listed(list(self.parts))}'
            raise UsageError.of("--part", message, nearest(part, self.parts))

    def score(self, results: Rows) -> Rows:
        """Side 1's score of each result in half points, int8: WON, DRAWN or LOST."""
        table = np.array([DRAWN, WON, LOST], np.int8)
        return np.asarray(table[results["winner"]])

    def matchup(self, first: SideRef, second: SideRef) -> Document:
        """The first as side 1 against the second as side 2, with the first one's options, seed and profile.

        Raises:
            InputError: they cannot meet.
        """
        self.refuse("a match-up")

    def part(self, side_ref: SideRef, part: str) -> Any:
        """One of `parts` of a side, as plain values.

        Raises:
            InputError: no such part.
        """
        self.refuse(part)

    def with_part(self, side_ref: SideRef, part: str, value: Any) -> Document:
        """The document of a side with a part of its side replaced.

        Raises:
            InputError: no such part, or it does not fit.
        """
        self.refuse(part)

    def stats(self, side_ref: SideRef) -> Sequence[Stat]:
        """The numbers of all units of a side, in the order of the document."""
        self.refuse("a list of stats")

    def search_space(self, side_ref: SideRef, folders: Sequence[Path] = ()) -> Sequence[Dimension]:
        """The search space of a side, with the content of these folders."""
        self.refuse("a search")

    def with_choices(
        self, document: Document, choices: Iterable[tuple[Dimension, int]], folders: Sequence[Path] = ()
    ) -> Document:
        """A copy of a resolved document with some dimensions set, each to one of its values by index.

        The copy compiles. Entries that are no longer used may remain until it is resolved again.
        """
        for dimension, number in choices:
            if dimension.requires:
                document = merged(document, dimension.requires[number])
            document = with_value(document, dimension.path, dimension.values[number])
        return document

    def contributions(self, rows: Rows, compiled: Compiled, document: Document) -> Sequence[Contribution]:
        """What each unit did with each ability, from the event rows of one or more battles of a document."""
        self.refuse("a table of contributions")

    def vitals(self, compiled: Compiled, document: Document) -> Vitals:
        """How to read the HP of all units."""
        self.refuse("a timeline")

    def decision_points(self, compiled: Compiled, document: Document, stream: int) -> Sequence[DecisionPoint]:
        """A battle's decision points in order: each round's start, and each decision of units with a choice."""
        self.refuse("going on from the middle of a battle")

    def explain(self, compiled: Compiled, **asked: Unpack[Asked]) -> Explanation:
        """A condition, or the choice itself, at a unit's decision in a round.

        Raises:
            InputError: no such unit, an invalid condition, an unknown state path, or no decision in that round.
        """
        self.refuse("explain")

    def explained_units(self, compiled: Compiled) -> list[str]:
        """The names that `explain` takes as its unit, in the order of the battle."""
        return [name for name in compiled.books["unit"] if name is not None]

    def hits(self, compiled: Compiled, **asked: Unpack[AskedHit]) -> list[Hit]:
        """The actor's damage to the target, at the battle's start or at its decision in a round.

        Raises:
            InputError: no such unit, no such decision, an unknown state path.
        """
        self.refuse("--hit")

    def random_scenario(self, seed: int) -> Document:
        """A random but valid scenario document, the same for the same seed."""
        self.refuse("a random scenario")
