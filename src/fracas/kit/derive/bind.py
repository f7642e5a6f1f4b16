"""Gives a game's emitters, look-ups, `ask`, `later` and `drain` their code, which depends on the game's records.

Rules hold emitters and look-ups by name, so the functions stay what they are and only their code changes. `ask`,
`later`, `drain` and the helpers of boards are shared by all games until then: each module of the game that imports them
gets its own.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import FunctionType
from typing import Any

from fracas.errors import Problem
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.generated_source import run_source
from fracas.kit.declare import boards, moves
from fracas.kit.declare.events import EventDeclaration
from fracas.kit.declare.records import Content, Side, Unit
from fracas.kit.derive.functions import Functions, modules_of
from fracas.kit.derive.minds import span_t
from fracas.kit.derive.record import GIVEN, SAID, Machine, is_drawn
from fracas.kit.derive.shape import Field, Plan, Shape

MOST_COLUMNS = 4
WHO = ("actor", "target")


@dataclass(frozen=True)
class Column:
    """One parameter of an event."""

    name: str
    kind: type
    """int, bool, an IntEnum, or a class of records."""
    tells: Plan | None = None
    """The record whose State field of this name it tells the new value of."""

    @property
    def value(self) -> str:
        """What the emitter logs, in Python."""
        if issubclass(self.kind, Unit | Side):
            return f"{self.name}.number"
        return f"{self.name}.entry" if issubclass(self.kind, Content) else self.name


@dataclass(frozen=True)
class BoundEvent:
    """An event with its number and its columns."""

    kind: int
    declared: EventDeclaration
    columns: tuple[Column, ...]
    calls: str = ""
    """The column that says what the unit is that the event is about: pages and stories call a newcomer by it."""

    @property
    def owner(self) -> str:
        """The column of whom the event is about."""
        return "target" if "target" in self.who else "actor"

    @property
    def who(self) -> Mapping[str, Column]:
        """The actor and the target, where it has them."""
        return {each.name: each for each in self.columns if each.name in WHO}

    @property
    def values(self) -> list[Column]:
        """The other columns, in order."""
        return [each for each in self.columns if each.name not in WHO]


def bound_events(shape: Shape, functions: Functions, where: str, problems: list[Problem]) -> list[BoundEvent]:
    """The events with what their columns are; problems are added to the list."""
    made = []
    for kind, (_, declared) in enumerate(functions.events, 1):
        hints = typing.get_type_hints(declared.function)
        path = f"{where}: {declared.name}"
        about = hints.get("target", hints.get("actor"))
        plan = shape.plans.get(about) if isinstance(about, type) else None
        columns = []
        for name in declared.columns:
            hint = hints.get(name)
            if not isinstance(hint, type) or not (
                hint in (int, bool) or issubclass(hint, IntEnum) or hint in shape.plans
            ):
                shown = getattr(hint, "__name__", hint)
                hint_words = "use int, bool, an IntEnum, or a class of the game"
                problems.append(Problem(path, f"{name} is of type {shown}, which rows cannot hold", hint_words))
                continue
            if name in WHO and not issubclass(hint, Unit | Side):
                problems.append(Problem(path, f"{name} is neither a unit nor a side"))
                continue
            field = plan.by_name.get(name) if plan is not None else None
            tells = plan if field is not None and field.is_state and not field.is_list else None
            columns.append(Column(name, hint, tells))
        if sum(each.name not in WHO for each in columns) > MOST_COLUMNS:
            problems.append(Problem(path, f"has more than {MOST_COLUMNS} columns besides actor and target"))
        content = shape.content_of_units
        is_of_unit = shape.units is not None and about is shape.unit.cls and content is not None
        calls = next((each.name for each in columns if content is not None and each.kind is content.part), "")
        made.append(BoundEvent(kind, declared, tuple(columns), calls if is_of_unit else ""))
    return made


def bind(
    shape: Shape, functions: Functions, events: list[BoundEvent], machine: Machine, scope: Mapping[str, Any]
) -> None:
    """Give all of them their code."""
    for (emitter, _), each in zip(functions.events, events, strict=True):
        _take_code(emitter, _emitter(each))
        emitter.__globals__.update(emit=emit, NOBODY=NOBODY)
    for look_up in functions.look_ups:
        _take_code(look_up, unit_source(shape, look_up.__name__))
    own = {each: scope[f"kit_{each.__name__}"] for each in _helpers(shape, machine)}
    for module in modules_of(shape.module):
        for name, value in list(vars(module).items()):
            if isinstance(value, FunctionType) and value in own:
                setattr(module, name, own[value])


def _helpers(shape: Shape, machine: Machine) -> list[FunctionType]:
    """The functions of the kit that each game has of its own."""
    queue = [moves.later, moves.drain] if machine.triggers is not None else []
    found = [
        *queue,
        *([moves.ask] if machine.asks else []),
        *([moves.holds] if machine.minds else []),
        *([moves.join] if shape.units is not None else []),
        *(boards.HELPERS if shape.board is not None else ()),
    ]
    return [each for each in found if isinstance(each, FunctionType)]


def _take_code(function: FunctionType, source: str) -> None:
    """Replace a function's code; what it reads is looked up where it was before."""
    made = run_source(source, {})[function.__name__]
    function.__code__ = made.__code__


def _emitter(event: BoundEvent) -> str:
    """The source of an emitter: note what the row tells of drawn State, and emit the row."""
    names = [each.name for each in event.columns]
    who = [f"{name}.number" if name in event.who else "NOBODY" for name in WHO]
    values = [each.value for each in event.values]
    values += ["0"] * (MOST_COLUMNS - len(values))
    owner = "target" if "target" in event.who else "actor"
    told = [
        f"        {owner}.{SAID}{each.name} = {each.name}"
        for each in event.values
        if each.tells is not None and is_drawn(each.tells, each.tells.by_name[each.name])
    ]
    lines = [
        f"def {event.declared.name}(battle, log, {', '.join(names)}):",
        "    if log is not None:",
        *told,
        f"        emit(log, battle.tick, {event.kind}, {', '.join(who)}, {', '.join(values)})",
    ]
    return "\n".join(lines) + "\n"


def unit_source(shape: Shape, name: str) -> str:
    """The source of a look-up of units by number."""
    units = shape.units.name if shape.units is not None else "units"
    places = max(shape.capacity, 1)
    return f"def {name}(battle, number):\n    return battle.sides[number // {places}].{units}[number % {places}]\n"


# -- Set-up ------------------------------------------------------------------------------------------------------------


def reset_lines(shape: Shape, machine: Machine) -> Iterator[str]:
    """The body of the derived set-up: every State field to 0 or to what it starts with, one assignment each."""
    yield "battle.tick = 0"
    yield "battle.winner = 0"
    yield "battle.reason = 0"
    if machine.turns:
        yield "battle.kit_turns = 0"
        yield "battle.kit_order[:] = 0"
    if machine.asks:
        yield from (f"battle.{name} = 0" for name in ("asked", "actor", "kit_asks"))
    if machine.triggers is not None:
        yield "battle.kit_waiting = 0"
        yield "battle.kit_queue[:] = 0"
        yield "battle.kit_ran[:] = 0"
    yield from _reset(shape, shape.battle, "battle", "")
    inner = list(_reset_side(shape))
    if inner:
        yield "for side in battle.sides:"
        yield from (f"    {line}" for line in inner)


def _reset_side(shape: Shape) -> Iterator[str]:
    yield from _reset(shape, shape.side, "side", "")
    units = shape.units
    if units is not None:
        yield f"side.{shape.side.counts[units.name]} = side.{GIVEN}{units.name}"
        inner = list(_reset(shape, shape.unit, "unit", f"unit.place < side.{GIVEN}{units.name}"))
        if inner:
            yield f"for unit in side.{units.name}:"
            yield from (f"    {line}" for line in inner)


def _reset(shape: Shape, plan: Plan, owner: str, present: str) -> Iterator[str]:
    for each in plan.states:
        name = f"{owner}.{each.name}"
        start = _start(each, owner, present)
        if each.is_list:
            yield f"for k in range({each.length}):"
            yield from (f"    {line}" for line in _one(shape, each, f"{name}[k]", f"{start}[k]" if start else ""))
        else:
            yield from _one(shape, each, name, start)
    for each in plan.states:
        if is_drawn(plan, each):
            yield f"{owner}.{SAID}{each.name} = {owner}.{each.name}"


def _one(shape: Shape, field: Field, name: str, start: str) -> Iterator[str]:
    if start or field.form.value != "record":
        yield f"{name} = {start or 0}"
        return
    yield from _zeroes(shape, shape.of(field.part), name, 0)


def _zeroes(shape: Shape, plan: Plan, name: str, depth: int) -> Iterator[str]:
    """Empty a record."""
    from fracas.kit.derive.record import is_kept

    for each in plan.fields:
        if not is_kept(each):
            continue
        if each.is_list:
            step = f"z{depth}"
            yield f"for {step} in range({each.length}):"
            inner = f"{name}.{each.name}[{step}]"
            if each.form.value == "record":
                yield from (f"    {line}" for line in _zeroes(shape, shape.of(each.part), inner, depth + 1))
            else:
                yield f"    {inner} = 0"
            if each.role.value == "list" and plan.counts[each.name] not in plan.by_name:
                yield f"{name}.{plan.counts[each.name]} = 0"
        elif each.form.value == "record":
            yield from _zeroes(shape, shape.of(each.part), f"{name}.{each.name}", depth)
        elif each.form.value == "program":
            yield from (f"{name}.{each.name}.{part} = 0" for part in span_t.names or ())
        else:
            yield f"{name}.{each.name} = 0"


def _start(field: Field, owner: str, present: str) -> str:
    """What a State field starts with, in Python; empty for 0."""
    path = field.spec.starts
    if not path:
        return ""
    if not path.startswith("options."):
        return f"{owner}.{path}"
    # Absent units are 0 in all fields, also in those that start with an option.
    return f"(battle.{path} if {present} else 0)" if present else f"battle.{path}"


def tell_lines(shape: Shape, fields: Mapping[tuple[type, str], int], kinds: Mapping[str, int]) -> Iterator[str]:
    """The body that writes a row for every drawn State field that has changed and that no column has told."""
    plans = [(shape.battle, "battle", "NOBODY", "battle"), (shape.side, "side", "side.number", "side")]
    for plan, owner, number, kind in plans:
        lines = list(_tell(plan, owner, number, fields, kinds[kind]))
        if plan is shape.side:
            if shape.units is not None:
                told = list(_tell(shape.unit, "unit", "unit.number", fields, kinds["unit"]))
                if told:
                    units, count = shape.units.name, shape.side.counts[shape.units.name]
                    lines += [f"for unit in side.{units}[: side.{count}]:", *(f"    {line}" for line in told)]
            lines = ["for side in battle.sides:", *(f"    {line}" for line in lines)] if lines else []
        yield from lines


def _tell(plan: Plan, owner: str, number: str, fields: Mapping[tuple[type, str], int], kind: int) -> Iterator[str]:
    for each in plan.states:
        if is_drawn(plan, each):
            said, code = f"{owner}.{SAID}{each.name}", fields[plan.cls, each.name]
            yield f"if {owner}.{each.name} != {said}:"
            yield f"    {said} = {owner}.{each.name}"
            yield f"    emit(log, battle.tick, {kind}, NOBODY, {number}, {code}, {owner}.{each.name}, 0, 0)"
