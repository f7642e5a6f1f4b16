"""The sides that players may send to leagues, from the declaration of a game's Side.

Ids of content and decisions: choices, cells, conditions, strategies, and numbers of the side itself. What a State
begins with is no decision, nor are the numbers of a unit: an entry takes their defaults. It has no texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.content.packs import Library
from fracas.content.references import list_of, table_of, to_plain
from fracas.errors import Problem
from fracas.kit.declare.fields import Role
from fracas.kit.derive.models import GameModels, entry_model
from fracas.kit.derive.shape import Field, Form, Plan, Shape
from fracas.kit.derive.strategies import Strategies
from fracas.rulesets.contract.player_entries import WHERE, EntryKind, Piece
from fracas.rulesets.contract.types import Document


def entries_of(shape: Shape, models: GameModels, strategies: Strategies) -> DeclaredEntries | None:
    """The kind of entries of a game; None if sides differ in their fields, or need what no player may set."""
    plans = [shape.side, *(shape.of(each.part) for each in _records(shape, shape.side))]
    for plan in plans:
        for each in plan.given:
            if each.spec.only is not None or (_is_needed(each) and not _is_decision(shape, plan, each)):
                return None
    return DeclaredEntries(shape, models, strategies)


def _records(shape: Shape, plan: Plan) -> Iterator[Field]:
    """The fields of a record, and of those in it, that are tables of their own: not named by an id."""
    for each in plan.given:
        if each.form is Form.RECORD and not shape.of(each.part).kind:
            yield each
            yield from _records(shape, shape.of(each.part))


def _is_needed(field: Field) -> bool:
    """Whether a table must have a field."""
    if field.is_list:
        return bool(field.spec.least)
    return field.role is not Role.STRATEGY and field.spec.default is None


def _is_decision(shape: Shape, plan: Plan, field: Field) -> bool:
    if field.role in (Role.TEXT, Role.BOARD):
        return False
    if field.form is not Form.NUMBER or field.spec.board:
        return True
    begins = {name for each in plan.states for name in (each.spec.starts, each.spec.of)}
    return plan is shape.side and field.name not in begins


class DeclaredEntries(EntryKind):
    """The entries of a game."""

    def __init__(self, shape: Shape, models: GameModels, strategies: Strategies) -> None:
        self.shape, self.strategies = shape, strategies
        self._named = models.named
        self.model = entry_model(shape, strategies, self.decisions)
        kinds = list(dict.fromkeys(self._kinds(shape.side)))
        self.content = kinds[0] if kinds else ""
        self.kinds = tuple(kinds)
        self.what = shape.kinds[kinds[0]].name.lower() if len(kinds) == 1 else "entry of the content"
        self.side = "sides.0"

    def decisions(self, plan: Plan) -> list[Field]:
        """The fields of a record that an entry may set."""
        return [each for each in plan.given if _is_decision(self.shape, plan, each)]

    def _kinds(self, plan: Plan) -> Iterator[str]:
        for each in self.decisions(plan):
            if each.form is Form.RECORD:
                inner = self.shape.of(each.part)
                yield from [inner.kind] if inner.kind else self._kinds(inner)

    def known(self, library: Library) -> Mapping[str, Any]:
        """The content of all kinds that a side names; two kinds with an id in common share its price."""
        return {name: each for kind in reversed(self.kinds) for name, each in library.of(kind).items()}

    def pieces(self, entry: Any) -> Iterator[Piece]:
        """Every id of content."""
        yield from self._pieces(self.shape.side, to_plain(entry), "")

    def _pieces(self, plan: Plan, table: Mapping[str, Any], path: str) -> Iterator[Piece]:
        for field, inner, at, value in self._parts(plan, table, path):
            if inner.kind:
                yield Piece(at, str(value))
            elif field.form is Form.RECORD:
                yield from self._pieces(inner, table_of(value), f"{at}.")

    def _parts(self, plan: Plan, table: Mapping[str, Any], path: str) -> Iterator[tuple[Field, Plan, str, Any]]:
        """The records in a table: their fields, plans, paths and values."""
        for each in self.decisions(plan):
            value = table.get(each.name)
            if each.form is not Form.RECORD or value is None:
                continue
            inner = self.shape.of(each.part)
            for index, one in enumerate(list_of(value) if each.is_list else [value]):
                yield each, inner, f"{path}{each.name}" + (f".{index}" if each.is_list else ""), one

    def scenario(self, entry: Any, code: str, library: Library) -> Document:
        """The entry against itself under another name."""
        plain = to_plain(entry)
        return {"sides": [{"name": code, **plain}, {"name": "opposite", **plain}]}

    def free_places(self, entry: Any) -> Iterator[str]:
        """The places behind each list that is not full."""
        yield from self._free(self.shape.side, to_plain(entry), "")

    def _free(self, plan: Plan, table: Mapping[str, Any], path: str) -> Iterator[str]:
        for each in self.decisions(plan):
            if each.form is not Form.RECORD or not each.is_list:
                continue
            inner, there = self.shape.of(each.part), list_of(table.get(each.name))
            most = min(each.spec.of_sides or (each.spec.capacity,))
            at = f"{path}{each.name}.{len(there)}"
            if len(there) < most and inner.kind:
                yield at
            elif len(there) < most:
                # A table whose only need is what stands in it.
                needed = [one for one in self.decisions(inner) if _is_needed(one)]
                if len(needed) == 1 and needed[0].form is Form.RECORD and self.shape.of(needed[0].part).kind:
                    yield f"{at}.{needed[0].name}"
        for _, inner, at, value in self._parts(plan, table, path):
            if not inner.kind:
                yield from self._free(inner, table_of(value), f"{at}.")

    def fits(self, path: str, piece: Any) -> bool:
        """Whether an entry of the content is of the kind that stands at a path."""
        plan, names = self.shape.side, [part for part in path.split(".") if not part.isdecimal()]
        for name in names:
            plan = self.shape.of(plan.by_name[name].part)
        return isinstance(piece, self._named[plan.kind])

    def decided(self, document: Document) -> Document:
        """Side 1 of a scenario by ids and decisions."""
        return self._decided(self.shape.side, document["sides"][0])

    def _decided(self, plan: Plan, table: Mapping[str, Any]) -> dict[str, Any]:
        found = {}
        for each in self.decisions(plan):
            value = table.get(each.name)
            if value is None:
                continue
            if each.form is Form.RECORD:
                inner = self.shape.of(each.part)
                made = [self._one(inner, one) for one in (list_of(value) if each.is_list else [value])]
                value = made if each.is_list else made[0]
            found[each.name] = value
        return found

    def _one(self, plan: Plan, value: Any) -> Any:
        if not plan.kind:
            return self._decided(plan, table_of(value))
        return value.get("id") if isinstance(value, Mapping) else value

    def problems(self, entry: Any, library: Library) -> Iterator[Problem]:
        """Names in conditions that nobody knows: an entry holds no text of its own."""
        yield from self._conditions(self.shape.side, to_plain(entry), f"{WHERE}: ")

    def _conditions(self, plan: Plan, table: Mapping[str, Any], path: str) -> Iterable[Problem]:
        for each in self.decisions(plan):
            value, at = table.get(each.name), f"{path}{each.name}"
            if value is not None and each.role is Role.CONDITION:
                yield from self.strategies.condition_problems(value, at, strict=True)
            elif value is not None and each.role is Role.STRATEGY:
                lines: Sequence[Mapping[str, Any]] = value
                yield from self.strategies.problems(lines, at, strict=True)
        for _, inner, at, value in self._parts(plan, table, path):
            if not inner.kind:
                yield from self._conditions(inner, table_of(value), f"{at}.")
