"""From a resolved document to a record: fields are filled by name, names become numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fracas.conditions.compiler import Pool
from fracas.kit.declare.fields import Role
from fracas.kit.derive.minds import MINDS
from fracas.kit.derive.record import GIVEN
from fracas.kit.derive.shape import Field, Form, Plan, Shape, file_name
from fracas.kit.derive.strategies import Strategies
from fracas.rulesets.contract.types import Document, Rows
from fracas.rulesets.shared.seeds import key_words

# What an empty place of content is called.
NOTHING = "nothing"


class Filler:
    """Fills the record of one battle, and numbers the names of its content."""

    def __init__(self, shape: Shape, document: Document, strategies: Strategies) -> None:
        self.shape = shape
        self.document = document
        self.strategies = strategies
        self.pool = Pool()
        self.lines = 0
        self.entries: dict[str, int] = {NOTHING: 0}
        self.letters = {}
        if shape.board is not None:
            members = [int(member) for member in shape.board.enum] if shape.board.form is Form.ENUM else []
            self.letters = dict(zip(shape.board.spec.letters, members, strict=False))

    def fill(self, battle: Any, cap_reason: int) -> None:
        """Fill a record of zeros.

        Raises:
            InputError: the conditions are too many for one battle.
        """
        self.battle = battle
        self._table(self.shape.options, battle["options"], self.document["options"])
        units = self.shape.units
        for number, side in enumerate(self.document["sides"]):
            row = battle["sides"][number]
            row["number"] = number
            self._table(self.shape.side, row, side)
            if units is not None:
                row[GIVEN + units.name] = len(side.get(units.name, ()))
                for index in range(self.shape.capacity):
                    unit = row[units.name][index]
                    unit["number"] = number * self.shape.capacity + index
                    unit["side"] = number
                    unit["place"] = index
        if "kit_cap" in battle.dtype.names:
            battle["kit_cap"] = cap_reason
        if MINDS in battle.dtype.names:
            self.pool.write(battle[MINDS])
        battle["dice"]["key"][:] = key_words(self.document["seed"])

    def _table(self, plan: Plan, row: Any, table: Mapping[str, Any]) -> None:
        if "entry" in plan.by_name and "name" in table:
            row["entry"] = self.entries.setdefault(str(table["name"]), len(self.entries))
        for each in plan.given:
            value = table.get(each.name)
            if value is None or each.role is Role.TEXT:
                continue
            if each.role is Role.CONDITION:
                row[each.name] = self.strategies.span(self.pool, value, each.name)
            elif each.role is Role.STRATEGY:
                self._strategy(row[each.name], value, each.name)
            elif each.role is Role.BOARD:
                row[each.name][:] = [self.letters[letter] for line in value for letter in line]
            elif each.is_list:
                for index, one in enumerate(value):
                    self._one(each, row[each.name], index, one)
                row[plan.counts[each.name]] = len(value)
            else:
                self._one(each, row, each.name, value)

    def _strategy(self, row: Any, lines: Sequence[Mapping[str, Any]], where: str) -> None:
        """The lines of both sides stand behind each other."""
        row["first"], row["lines"] = self.lines, len(lines)
        self.strategies.write_lines(self.pool, self.battle[MINDS]["lines"][self.lines :], lines, where)
        self.lines += len(lines)

    def _one(self, field: Field, row: Any, key: Any, value: Any) -> None:
        if field.form is Form.RECORD:
            self._table(self.shape.of(field.part), row[key], value)
        elif field.form is Form.ENUM:
            row[key] = next(int(member) for member in field.enum if file_name(member) == value)
        elif field.role is Role.REFERENCE:
            row[key] = self._index(field, value)
        elif field.spec.board:
            assert self.shape.board is not None
            row[key] = value[1] * self.shape.board.spec.width + value[0]
        else:
            row[key] = int(value)

    def _index(self, field: Field, identifier: str) -> int:
        """The place of an entry in its list, from 1; 0 for none."""
        if not identifier:
            return 0
        value: Any = self.document
        for part in field.spec.field.split("."):
            value = value[part]
        return 1 + [entry.get("id") for entry in value].index(identifier)


def unit_names(shape: Shape, document: Document) -> tuple[str, ...]:
    """What rows call units, by number: `1.ant`, `1.ant-2`; places that nobody took are `1.place-6`."""
    found: list[str] = []
    for number, names in enumerate(unit_titles(shape, document)):
        own: list[str] = []
        for index in range(shape.capacity):
            name = slug(names[index]) if index < len(names) else f"place-{index + 1}"
            other, behind = name, 2
            while other in own:
                other, behind = f"{name}-{behind}", behind + 1
            own.append(other)
        found += [f"{number + 1}.{name}" for name in own]
    return tuple(found)


def unit_titles(shape: Shape, document: Document) -> list[list[str]]:
    """What people call the units of both sides: their names, else what stands in the place."""
    if shape.units is None:
        return [[], []]
    first = shape.content_of_units
    titles = []
    for side in document["sides"]:
        names = []
        for index, unit in enumerate(side.get(shape.units.name, ())):
            inner = unit.get(first.name, {}) if first is not None else {}
            names.append(str(unit.get("name") or inner.get("name") or f"{shape.unit.name} {index + 1}"))
        titles.append(names)
    return titles


def shown_titles(names: Sequence[str], capacity: int) -> list[str]:
    """Names for people, with numbers behind those that occur twice; for each place of a side."""
    shown: list[str] = []
    for index in range(capacity):
        name = names[index] if index < len(names) else f"newcomer {index + 1}"
        before = list(names[:index]).count(name) if index < len(names) else 0
        shown.append(f"{name} {before + 1}" if before else name)
    return shown


def slug(name: str) -> str:
    """A name as an identifier.

    >>> slug("War Dog!")
    'war_dog_'
    """
    return "".join(letter if letter.isalnum() else "_" for letter in name.lower())


def filled(
    shape: Shape, kind: np.dtype[Any], document: Document, cap_reason: int, strategies: Strategies
) -> tuple[Rows, tuple[str, ...]]:
    """The record of a resolved document, and the names of its content by number."""
    records = np.zeros(1, kind)
    filler = Filler(shape, document, strategies)
    filler.fill(records[0], cap_reason)
    return records, tuple(filler.entries)
