"""What the lab asks of a ruleset, answered from declarations: parts, search spaces, stats, bars, decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fracas.content.document_edits import with_value
from fracas.content.packs import Library
from fracas.errors import InputError
from fracas.kit.declare.fields import Role
from fracas.kit.derive.bind import BoundEvent
from fracas.kit.derive.compile import shown_titles, unit_titles
from fracas.kit.derive.decisions import Decider
from fracas.kit.derive.loops import SIDE_SETS, UNIT_SETS
from fracas.kit.derive.reading import Reading
from fracas.kit.derive.shape import Field, Form, Plan, Shape
from fracas.kit.derive.strategies import Strategies
from fracas.kit.derive.strategy_search import dimensions
from fracas.rulesets.contract.analysis import (
    AnalysisHooks,
    Contribution,
    DecisionPoint,
    Dimension,
    SideRef,
    Stat,
    Vitals,
    dimension_over,
)
from fracas.rulesets.contract.types import Compiled, Document, Rows, Source
from fracas.rulesets.shared.event_totals import ACTOR, KIND, A, EventTotals

if TYPE_CHECKING:
    from fracas.kernel.event_protocol import Protocol

# Columns of these names are summed by actor for the table of contributions.
AMOUNTS = ("damage", "amount", "healed", "healing", "lost", "restored", "absorbed", "blocked")
SearchHook = Callable[[SideRef, Sequence[Path]], Sequence[Dimension]]


@dataclass(frozen=True)
class LabParts:
    """What the hooks of a game read."""

    name: str
    shape: Shape
    reading: Reading
    events: Sequence[BoundEvent]
    protocol: Protocol
    decider: Decider
    fields: dict[tuple[type, str], int]
    strategies: Strategies
    search_space: SearchHook | None = None


class GameHooks(AnalysisHooks):
    """The lab's questions, answered for a game."""

    def __init__(self, parts: LabParts) -> None:
        super().__init__(parts.name)
        self.of = parts
        self.shape = parts.shape
        self.parts = tuple(each.name for each in self.exchangeable())
        self.sides_are_alike = all(each.spec.only is None for each in self.shape.side.given)

    def exchangeable(self) -> list[Field]:
        """The fields of a side that sides of other files can have instead; who fights comes last."""
        wanted = [each for each in self.shape.side.given if each.is_given or each.role is Role.STRATEGY]
        found = [each for each in wanted if each.spec.only is None]
        return sorted(found, key=lambda each: each.form is Form.RECORD)

    def matchup(self, first: SideRef, second: SideRef) -> Document:
        """Any side can meet any other; options, seed and profile are the first's.

        Raises:
            InputError: a side has fields of its own and stands on the other's.
        """
        self.check_side_refs(first, second)
        mine = first.document["sides"][first.side - 1]
        theirs = dict(second.document["sides"][second.side - 1])
        for each in self.shape.side.given:
            for index, side in enumerate((mine, theirs)):
                if each.spec.only is not None and each.spec.only != index and side.get(each.name) is not None:
                    raise InputError.of(f"sides.{index}.{each.name}", f"belongs to side {each.spec.only + 1} only")
        if theirs["name"] == mine["name"]:
            theirs["name"] = f"{theirs['name'][:76]} (2)"
        document = {**first.document, "sides": [mine, theirs]}
        return self._sound(document)

    def _sound(self, document: Document) -> Document:
        resolved = self.of.reading.resolve(document, Source("match-up"), ())
        return {**resolved.document, "id": document["id"]}

    def part(self, side_ref: SideRef, part: str) -> Any:
        """One field of a side, as in resolved documents."""
        self.check_side_refs(side_ref)
        self.check_part(part)
        return side_ref.document["sides"][side_ref.side - 1].get(part)

    def with_part(self, side_ref: SideRef, part: str, value: Any) -> Document:
        """The document with another field of a side, checked."""
        self.check_side_refs(side_ref)
        self.check_part(part)
        return self._sound(with_value(side_ref.document, ("sides", str(side_ref.side - 1), part), value))

    # -- numbers and searches ----------------------------------------------------------------------------------------

    def stats(self, side_ref: SideRef) -> Sequence[Stat]:
        """Every number of a side, of its units, and of the content in them."""
        self.check_side_refs(side_ref)
        place = str(side_ref.side - 1)
        side = side_ref.document["sides"][side_ref.side - 1]
        titles = unit_titles(self.shape, side_ref.document)[side_ref.side - 1]
        return list(self._stats(self.shape.side, side, ("sides", place), str(side["name"]), titles))

    def _stats(
        self, plan: Plan, table: Document, path: tuple[str, ...], owner: str, titles: Sequence[str]
    ) -> Iterator[Stat]:
        for each in plan.given:
            value = table.get(each.name)
            if value is None:
                continue
            at = (*path, each.name)
            if each.form is Form.RECORD:
                inner = self.shape.of(each.part)
                for number, one in enumerate(value if each.is_list else [value]):
                    below = (*at, str(number)) if each.is_list else at
                    # A unit is called by what stands in its place; what it contains is its own.
                    is_unit = each is self.shape.units
                    name = shown_titles(titles, len(titles))[number] if is_unit else str(one.get("name", owner))
                    yield from self._stats(inner, one, below, name if is_unit or not titles_within(plan) else owner, ())
            elif each.form is Form.NUMBER and each.role is Role.GIVEN and not each.spec.board:
                yield Stat(at, each.name, owner, value, each.spec.low, each.spec.high)

    def search_space(self, side_ref: SideRef, folders: Sequence[Path] = ()) -> Sequence[Dimension]:
        """Whom a side brings, and every enumeration and small number of its own."""
        self.check_side_refs(side_ref)
        if self.of.search_space is not None:
            return self.of.search_space(side_ref, folders)
        library = self.of.reading.catalogue.library_for(side_ref.document["profile"], folders)
        side = side_ref.document["sides"][side_ref.side - 1]
        known = {kind: self._known(library, plan, side_ref.document) for kind, plan in self.shape.kinds.items()}
        path = ("sides", str(side_ref.side - 1))
        strategies = self.of.strategies
        return [
            *(dimensions(strategies, side_ref.document, path) if strategies.field is not None else ()),
            *self._space(known, self.shape.side, side, path, "", ""),
        ]

    def _known(self, library: Library, plan: Plan, document: Document) -> list[Document]:
        """The entries of a kind: those of the content, then others that the battle has, which it may have brought."""
        entries = [self.of.reading.entry(plan, identifier, library) for identifier in library.of(plan.kind)]
        names = {entry["name"] for entry in entries}
        for other, table, _ in self.of.reading.tables(document):
            if other is plan and table["name"] not in names:
                names.add(table["name"])
                entries.append(dict(table))
        return entries

    def _space(
        self,
        known: Mapping[str, list[Document]],
        plan: Plan,
        table: Document,
        path: tuple[str, ...],
        part: str,
        lead: str,
    ) -> Iterator[Dimension]:
        for each in plan.given:
            value = table.get(each.name)
            if value is None or not each.is_given:
                continue
            own, at = part or each.name, (*path, each.name)
            if each.form is Form.RECORD:
                inner = self.shape.of(each.part)
                for number, one in enumerate(value if each.is_list else [value]):
                    below = (*at, str(number)) if each.is_list else at
                    name = f"{lead}{each.name.replace('_', ' ')}" + (f" {number + 1}" if each.is_list else "")
                    if inner.kind:
                        if len(known[inner.kind]) > 1:
                            yield dimension_over(
                                name, own, below, one, known[inner.kind], lambda entry: str(entry["name"])
                            )
                    else:
                        yield from self._space(known, inner, one, below, own, f"{name}: ")
            elif each.form is Form.ENUM and not each.is_list and each.role is Role.GIVEN:
                names = [member.name.lower() for member in each.enum]
                shown = f"{lead}{each.name.replace('_', ' ')}"
                yield dimension_over(shown, own, at, value, names, lambda name: str(name).replace("_", " "))

    # -- battles -----------------------------------------------------------------------------------------------------

    def contributions(self, rows: Rows, compiled: Compiled, document: Document) -> Sequence[Contribution]:
        """What each unit, or each side, did with each kind of event: how often, and the sums of its amounts."""
        units = self._actors(document)
        cast = self.shape.unit if self.shape.units is not None else self.shape.side
        kinds = [each for each in self.of.events if "actor" in each.who and each.who["actor"].kind is cast.cls]
        tally = EventTotals(max((number for number, _, _ in units), default=0) + 1, len(kinds))
        for index, each in enumerate(kinds):
            where = rows[:, KIND] == each.kind
            what = np.full(len(rows), index)
            tally.add("uses", where, rows[:, ACTOR], what)
            for column, value in enumerate(each.values):
                if value.name in AMOUNTS and value.kind is int:
                    tally.add(value.name, where, rows[:, ACTOR], what, rows[:, A + column])
        names = [each.declared.name.replace("_", " ") for each in kinds]
        return [each for each in tally.contributions(units, names) if each.ability]

    def _actors(self, document: Document) -> list[tuple[int, int, str]]:
        if self.shape.units is None:
            return [(number, number + 1, str(side["name"])) for number, side in enumerate(document["sides"])]
        titles = unit_titles(self.shape, document)
        return [
            (number * self.shape.capacity + index, number + 1, name)
            for number, names in enumerate(titles)
            for index, name in enumerate(shown_titles(names, len(names)))
        ]

    def vitals(self, compiled: Compiled, document: Document) -> Vitals:
        """The bars of the units, or of the sides.

        Raises:
            InputError: the game declares no bars.
        """
        plan = self.shape.unit if self.shape.units is not None else self.shape.side
        vital = self.shape.vital(plan)
        if vital is None:
            message = "has no bars to draw: no State field says what it is a part of"
            raise InputError.of("timeline", f"{self.of.name} {message}", 'write hp: int = state(of="health")')
        kinds = [
            self.of.protocol.kinds[each.kind]
            for each in self.of.events
            for column in each.values
            if column.tells is plan and column.name == vital.name
        ]
        protocol = self.of.protocol
        changes = protocol.kinds[SIDE_SETS if self.shape.units is None else UNIT_SETS]
        told = (changes, self.of.fields[plan.cls, vital.name])
        battle = self.of.decider.after_set_up(compiled, 0)
        if self.shape.units is None:
            sides = {0: 1, 1: 2}
            start = {number: int(battle.sides[number][vital.name]) for number in range(2)}
        else:
            sides, start = {}, {}
            for side in battle.sides:
                for unit in side[self.shape.units.name]:
                    sides[int(unit.number)] = int(unit.side) + 1
                    if unit.place < side[self.shape.side.counts[self.shape.units.name]]:
                        start[int(unit.number)] = int(unit[vital.name])
        return Vitals(sides, tuple(dict.fromkeys(kinds)), start, column=vital.name, changes=told)

    def decision_points(self, compiled: Compiled, document: Document, stream: int) -> Sequence[DecisionPoint]:
        """Where a battle can be stopped (`decisions.py`)."""
        return list(self.of.decider.decision_points(compiled, document, stream))


def titles_within(plan: Plan) -> bool:
    """Whether the parts of such records are called like the record: units are."""
    return plan.is_unit
