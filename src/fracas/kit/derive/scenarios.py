"""Random scenarios from the declared bounds, for checks and measurements; the same number gives the same scenario.

By turns: entries of the content as they are; such entries with one field moved to a bound; everything between bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fracas.content.packs import Library
from fracas.errors import InputError
from fracas.kit.declare.fields import Role
from fracas.kit.derive.models import HEAD
from fracas.kit.derive.reading import Reading, title
from fracas.kit.derive.shape import Field, Form, Plan, Shape, file_name
from fracas.rulesets.contract.types import Document, Source
from fracas.rulesets.shared.random_choices import Choices

SHIPPED, MOVED, BOUNDS = range(3)
# Scenarios that the rules refuse are drawn again at most this many times.
MOST_TRIES = 100
# Bounds that files hardly ever use are cut to this, so that battles of random numbers end.
WIDEST = 1000


@dataclass(frozen=True)
class Generator:
    """Draws the scenarios of a game."""

    name: str
    shape: Shape
    reading: Reading
    is_valid: Callable[[Document], None]
    """Raises InputError if the rules refuse a resolved document."""

    def scenario(self, seed: int) -> Document:
        """A random scenario that loads."""
        problem: InputError | None = None
        for attempt in range(MOST_TRIES):
            drawn = _Draw(self, seed, attempt).scenario()
            try:
                resolved = self.reading.resolve(drawn, Source("random"), ()).document
                self.is_valid(resolved)
            except InputError as error:
                problem = error
                continue
            return resolved | {"id": f"random-{seed}"}
        assert problem is not None
        raise problem


class _Draw:
    """One attempt."""

    def __init__(self, generator: Generator, seed: int, attempt: int) -> None:
        self.shape = generator.shape
        self.name = generator.name
        self.seed = seed
        self.attempt = attempt
        self.reading = generator.reading
        self.dice = Choices(f"{generator.name} scenario {seed}" + (f" {attempt}" if attempt else ""))
        self.library: Library = generator.reading.catalogue.library_for(None, ())
        self.way = seed % 3 if any(self.library.of(kind) for kind in self.shape.kinds) else BOUNDS

    def scenario(self) -> Document:
        """The scenario as files would say it."""
        options = self.table(self.shape.options, "")
        sides = [{"name": name, **self.table(self.shape.side, name)} for name in ("Ada", "Bo")]
        for number, side in enumerate(sides):
            for each in self.shape.side.given:
                if each.spec.only is not None and each.spec.only != number:
                    side.pop(each.name, None)
        if self.way == MOVED:
            self.move(sides)
        return {"ruleset": self.name, "id": f"random-{self.seed}", "options": options, "sides": sides}

    def table(self, plan: Plan, side: str) -> dict[str, Any]:
        """The fields of a record."""
        return {each.name: self.field(plan, each, side) for each in plan.given if self.is_said(plan, each)}

    def is_said(self, plan: Plan, field: Field) -> bool:
        """Whether a scenario sets a field: texts and ids keep their defaults, and options too unless bounds count."""
        if field.role in (Role.TEXT, Role.REFERENCE, Role.CONDITION):
            return False
        if plan is not self.shape.options:
            return True
        # The profile says which content the options have; entries name others of these lists by id.
        kind = self.shape.of(field.part).kind if field.form is Form.RECORD else ""
        is_left_out = field.spec.default is not None if self.way != BOUNDS else False
        return not (is_left_out or (kind and self.library.of(kind) and not field.spec.least))

    def field(self, plan: Plan, field: Field, side: str) -> Any:
        """A value of a field."""
        spec = field.spec
        if field.role is Role.STRATEGY:
            return self.strategy()
        if field.role is Role.BOARD:
            letters = spec.letters
            # Most cells are of the first kind, as on boards that people draw.
            return [
                "".join(letters[0] if self.dice.below(4) else self.dice.choose(letters) for _ in range(spec.width))
                for _ in range(spec.height)
            ]
        if not field.is_list:
            return self.one(field)
        most = spec.capacity if spec.of_sides is None else spec.of_sides[0 if side == "Ada" else 1]
        # Rules that refuse crowded boards accept shorter lists.
        most = max(most - most * self.attempt // (MOST_TRIES // 2), spec.least, 1)
        length = self.dice.between(min(spec.least, most), most)
        if plan is self.shape.side and field is self.shape.units:
            length = max(length, 1)
        made = [self.one(field) for _ in range(length)]
        return self.distinct(field, made) if spec.distinct else made

    def strategy(self) -> list[dict[str, Any]]:
        """Up to four lines: any choice, under any fact compared as its example says, with any selector."""
        strategies = self.reading.strategies
        known = strategies.facts.vocabulary
        asked = [fact.example for fact in known.facts]
        asked += [
            f"{group.name}.any({each.example})" for group in known.groups for each in known.inner_by_name.values()
        ]
        lines = []
        for _ in range(self.dice.below(5)):
            line: dict[str, Any] = {"do": self.dice.choose(list(strategies.choices))}
            if self.dice.below(3):
                line["when"] = ("not " if self.dice.below(2) else "") + self.dice.choose(asked)
            if (
                self.dice.below(2)
                and strategies.selectors
                and strategies.choices[line["do"]] not in strategies.untargeted
            ):
                line["target"] = self.dice.choose(list(strategies.selectors))
            lines.append(line)
        return lines

    def distinct(self, field: Field, entries: list[Any]) -> list[Any]:
        """The entries, with values in the distinct field that differ."""
        inner = self.shape.of(field.part).by_name[field.spec.distinct]
        seen: list[Any] = []
        kept = []
        for entry in entries:
            if isinstance(entry, dict):
                for _ in range(MOST_TRIES):
                    if entry[inner.name] not in seen:
                        break
                    entry[inner.name] = self.one(inner)
                if entry[inner.name] in seen:
                    continue
                seen.append(entry[inner.name])
            kept.append(entry)
        return kept

    def one(self, field: Field) -> Any:
        """One value."""
        spec = field.spec
        match field.form:
            case Form.ENUM:
                return self.dice.choose([file_name(member) for member in field.enum])
            case Form.FLAG:
                return bool(self.dice.below(2))
            case Form.RECORD:
                plan = self.shape.of(field.part)
                known = list(self.library.of(plan.kind)) if plan.kind else []
                if known and self.way != BOUNDS:
                    return self.dice.choose(known)
                head = {"name": f"{plan.name} {self.dice.between(1, 999)}"} if plan.kind else {}
                return {**head, **self.table(plan, "")}
        if spec.board and self.shape.board is not None:
            board = self.shape.board.spec
            return [self.dice.below(board.width), self.dice.below(board.height)]
        return self.dice.between(spec.low, min(spec.high, spec.low + WIDEST))

    def move(self, sides: list[dict[str, Any]]) -> None:
        """Move one number of one entry to one of its bounds."""
        places = [
            (side, field.name, number)
            for side in sides
            for field in self.shape.side.given
            if field.form is Form.RECORD and self.shape.of(field.part).kind and field.name in side
            for number in range(len(side[field.name]) if field.is_list else 1)
        ]
        if not places:
            return
        side, name, number = self.dice.choose(places)
        field = self.shape.side.by_name[name]
        plan = self.shape.of(field.part)
        value = side[name][number] if field.is_list else side[name]
        entry: Mapping[str, Any] = self.reading.entry(plan, value, self.library) if isinstance(value, str) else value
        numbers = [
            each for each in plan.given if each.form is Form.NUMBER and each.role is Role.GIVEN and not each.is_list
        ]
        if not numbers:
            return
        moved = self.dice.choose(numbers)
        bound = self.dice.choose([moved.spec.low, min(moved.spec.high, moved.spec.low + WIDEST)])
        head = {key: entry[key] for key in HEAD if key in entry}
        made = {**entry, **head, "name": f"{entry.get('name') or title(name)} moved"[:80], moved.name: bound}
        made.pop("id", None)
        if field.is_list:
            side[name][number] = made
        else:
            side[name] = made
