"""From plans to record types: one structured record a battle, every number an int64.

Lists have the length of their capacity and a count. Behind the author's fields stand the kit's own (`kit_...`): how
many units files gave, what a logged battle has told of drawn State, the order of turns, stored choices, the queue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from fracas.kernel.dice import dice_t
from fracas.kernel.records import Field as RecordField
from fracas.kernel.records import record, result_record
from fracas.kit.declare.fields import Role
from fracas.kit.derive.minds import MINDS, minds_t, span_t, strategy_t
from fracas.kit.derive.shape import Field, Form, Plan, Shape

SIDES = 2
_ANY = frozenset[str]()
# The word that keeps what a logged battle has told last of a drawn State field.
SAID = "kit_said_"
# The word that keeps how many units files gave.
GIVEN = "kit_given_"


@dataclass(frozen=True)
class Machine:
    """What the kit's loops keep in the battle's record."""

    turns: bool = False
    """The order of a round's turns."""
    asks: bool = False
    """Who is asked, and the stored choices."""
    parts: int = 0
    """How many numbers a stored choice has besides the choice."""
    triggers: type[IntEnum] | None = None
    """What waits in the queue of `later`."""
    times: int = 1
    """How often a unit runs one of these in a chain."""
    minds: bool = False
    """The programs of conditions and strategies."""

    def queue(self, shape: Shape) -> int:
        """How many triggers may wait: nothing overflows, because each runs at most `times` times in a chain."""
        return 0 if self.triggers is None else shape.most_units * len(self.triggers) * self.times

    @property
    def members(self) -> int:
        """One more than the greatest number of a trigger."""
        return 0 if self.triggers is None else 1 + max(int(each) for each in self.triggers)


@dataclass(frozen=True)
class Records:
    """The record types of a game."""

    battle: np.dtype[Any]
    result: np.dtype[Any]
    state: tuple[str, ...]
    """The dotted names of the words that tell states apart: all State, and what the loops keep between two steps."""


def is_drawn(plan: Plan, field: Field) -> bool:
    """Whether pages show a State field, also as the whole of a bar: logged battles tell its changes."""
    spec = field.spec
    is_whole = any(each.spec.of == field.name for each in plan.states)
    shown = bool(spec.of or spec.board or spec.turns) or spec.is_shown or is_whole
    return field.is_state and shown and not field.is_list and not spec.is_hidden and field.form is not Form.RECORD


def drawn(plan: Plan) -> list[Field]:
    """The State fields of a record that pages show."""
    return [each for each in plan.fields if is_drawn(plan, each)]


def records_of(shape: Shape, machine: Machine) -> Records:
    """The record types of a game's battles and results, and what is State in them."""
    made: dict[type, np.dtype[Any]] = {}
    battle = _record(shape, shape.battle, made, machine)
    return Records(battle, _result(shape), tuple(_state(shape, machine)))


def _record(shape: Shape, plan: Plan, made: dict[type, np.dtype[Any]], machine: Machine) -> np.dtype[Any]:
    if plan.cls not in made:
        fields = list(_fields(shape, plan, made, machine))
        made[plan.cls] = record(*fields, forbidden=_ANY)
    return made[plan.cls]


def _fields(shape: Shape, plan: Plan, made: dict[type, np.dtype[Any]], machine: Machine) -> Iterator[RecordField]:
    is_battle = plan is shape.battle
    declared = {each.name for each in plan.fields if each.role is Role.COUNT}
    for each in plan.fields:
        if each.name == "dice" or (is_battle and each.name in ("asked", "actor") and not machine.asks):
            continue
        if not is_kept(each):
            continue
        kind: Any = np.int64
        if each.form is Form.RECORD:
            kind = _record(shape, shape.of(each.part), made, machine)
        elif each.form is Form.PROGRAM:
            kind = span_t if each.role is Role.CONDITION else strategy_t
        yield (each.name, kind, (each.length,)) if each.is_list else (each.name, kind)
        if each.role is Role.LIST and plan.counts[each.name] not in declared:
            yield plan.counts[each.name], np.int64
        if each is shape.units:
            yield GIVEN + each.name, np.int64
    for each in drawn(plan):
        yield SAID + each.name, np.int64
    if is_battle:
        yield from _loops(shape, machine)
        yield "dice", dice_t


def is_kept(field: Field) -> bool:
    """Whether a field is in the record: texts are not, nor is a board without content."""
    if field.role is Role.TEXT:
        return False
    return field.role is not Role.BOARD or bool(field.spec.letters)


def _loops(shape: Shape, machine: Machine) -> Iterator[RecordField]:
    """What the kit's loops keep."""
    if machine.minds:
        yield MINDS, minds_t
    if machine.turns:
        yield "kit_order", np.int64, (shape.most_units,)
        yield "kit_turns", np.int64
    if machine.asks:
        yield "kit_cap", np.int64
        yield "kit_asks", np.int64
        yield "kit_choice", np.int64, (SIDES,)
        yield "kit_parts", np.int64, (SIDES, max(machine.parts, 1))
    if machine.triggers is not None:
        yield "kit_queue", np.int64, (machine.queue(shape), 3)
        yield "kit_ran", np.int64, (shape.most_units, machine.members)
        yield "kit_waiting", np.int64


def _state(shape: Shape, machine: Machine) -> Iterator[str]:
    """The words that tell states apart, in the order of the record."""
    for each in shape.battle.fields:
        if each.name == "sides":
            for number in range(SIDES):
                yield from _state_of(shape, shape.side, f"sides.{number}.")
        elif (
            each.name in ("tick", "winner", "reason")
            or each.is_state
            or (each.name in ("asked", "actor") and machine.asks)
        ):
            yield each.name
    if machine.turns:
        yield "kit_order"
        yield "kit_turns"
    if machine.asks:
        yield "kit_asks"
    if machine.triggers is not None:
        yield "kit_queue"
        yield "kit_ran"
        yield "kit_waiting"


def _state_of(shape: Shape, plan: Plan, path: str) -> Iterator[str]:
    declared = {each.spec.field: each.name for each in plan.fields if each.role is Role.COUNT}
    for each in plan.fields:
        if each.is_state:
            yield path + each.name
        elif each is shape.units:
            for index in range(each.length):
                yield from _state_of(shape, shape.unit, f"{path}{each.name}.{index}.")
            if each.name not in declared:
                yield path + plan.counts[each.name]
        elif each.role is Role.COUNT and shape.units is not None and each.spec.field == shape.units.name:
            yield path + each.name


def result_fields(shape: Shape) -> Mapping[str, Plan]:
    """The State fields that are kept in results, with the record that has them."""
    return {each.name: plan for plan in (shape.battle, shape.side) for each in plan.fields if each.spec.in_result}


def _result(shape: Shape) -> np.dtype[Any]:
    kept = result_fields(shape)
    of_battle = tuple(name for name, plan in kept.items() if plan is shape.battle)
    of_sides = ((name, np.int64, (SIDES,)) for name, plan in kept.items() if plan is not shape.battle)
    return result_record(SIDES, *of_sides, counts=of_battle)
