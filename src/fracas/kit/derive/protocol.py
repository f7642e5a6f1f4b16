"""From events to the protocol: typed events, code books, and which column tells the new value of which State field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Annotated, Any

from fracas.kernel.event_protocol import STORY, Codebook, Event, Protocol, Reasoning, event
from fracas.kit.declare.records import Content, Side, Unit
from fracas.kit.derive.bind import BoundEvent, Column
from fracas.kit.derive.loops import BATTLE_SETS, OUTCOME, SIDE_SETS, START, UNIT_SETS
from fracas.kit.derive.record import drawn
from fracas.kit.derive.shape import Shape, file_name

UNDECIDED, ROUND_CAP = "undecided", "round_cap"


def snake(name: str) -> str:
    """The name of a class in files.

    >>> snake("WarDog")
    'war_dog'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def reasons_of(reasons: type[IntEnum]) -> tuple[str, ...]:
    """The names of a battle's endings by number: undecided, the author's, the round cap."""
    names = [""] * (2 + max(int(member) for member in reasons))
    for member in reasons:
        names[int(member)] = file_name(member)
    names[0], names[-1] = UNDECIDED, ROUND_CAP
    return tuple(names)


def drawn_fields(shape: Shape) -> dict[tuple[type, str], int]:
    """The numbers of drawn State fields in rows."""
    plans = [shape.battle, shape.side, *([shape.unit] if shape.units is not None else [])]
    pairs = [(plan.cls, each.name) for plan in plans for each in drawn(plan)]
    return {pair: number for number, pair in enumerate(pairs)}


def code_books(
    shape: Shape, events: Sequence[BoundEvent], reasons: Sequence[str], fields: Mapping[tuple[type, str], int]
) -> dict[str, tuple[str, ...]]:
    """The code books that are the same for all battles of a game."""
    books = {"side": ("1", "2"), "reason": tuple(reasons), "field": tuple(name for _, name in fields)}
    for each in events:
        for column in each.values:
            if issubclass(column.kind, IntEnum):
                books[snake(column.kind.__name__)] = enum_book(column.kind)
    return books


def enum_book(enum: type[IntEnum]) -> tuple[str, ...]:
    """The names of an enumeration's members by number; empty where there is none."""
    names = [""] * (1 + max(int(member) for member in enum))
    for member in enum:
        names[int(member)] = file_name(member)
    return tuple(names)


def protocol_of(shape: Shape, events: Sequence[BoundEvent], fields: Mapping[tuple[type, str], int]) -> Protocol:
    """The typed events of a game: the author's, then the kit's."""
    return Protocol([*(_event(shape, each) for each in events), *_own(shape, fields)])


def _event(shape: Shape, bound: BoundEvent) -> type[Event]:
    hints = {column.name: _hint(column, bool(bound.declared.seen_by)) for column in bound.columns}
    doc = bound.declared.function.__doc__ or "An event."
    name = "".join(part.capitalize() for part in bound.declared.name.split("_"))
    return _declared(shape, name, doc, hints, bound.kind, bound.declared.detail)


def _declared(shape: Shape, name: str, doc: str, hints: Mapping[str, Any], kind: int, detail: str) -> type[Event]:
    body = {"__annotations__": dict(hints), "__doc__": doc, "__module__": shape.module.__name__}
    made: type[Event] = event(kind, detail)(type(name, (Event,), body))
    return made


def _hint(column: Column, is_secret: bool) -> Any:
    kind = column.kind
    marks: list[Any] = []
    if is_secret and column.name not in ("actor", "target"):
        marks.append(Reasoning())
    if column.tells is not None:
        marks.append(f"its new {column.name}")
    if issubclass(kind, Unit):
        return Annotated[str, Codebook("unit"), *marks]
    if issubclass(kind, Side):
        return Annotated[str, Codebook("side"), *marks]
    if issubclass(kind, Content):
        return Annotated[str, Codebook("entry"), *marks]
    if issubclass(kind, IntEnum):
        return Annotated[str, Codebook(snake(kind.__name__)), *marks]
    return Annotated[kind, *(marks or [column.name.replace("_", " ")])]


def _own(shape: Shape, fields: Mapping[tuple[type, str], int]) -> list[type[Event]]:
    """The events of the kit."""
    made = [
        _declared(shape, "Start", "The battle begins.", {"round_cap": Annotated[int, "rounds"]}, START, STORY),
        _declared(
            shape,
            "Outcome",
            "The battle is over.",
            {"winner": Annotated[int, "1 or 2; 0 for a draw"], "reason": Annotated[str, Codebook("reason"), "why"]},
            OUTCOME,
            STORY,
        ),
    ]
    changed = {"field": Annotated[str, Codebook("field"), "the field"], "value": Annotated[int, "its new value"]}
    owners = {owner for owner, _ in fields}
    sets: tuple[tuple[type, str, str, int, dict[str, Any]], ...] = (
        (shape.battle.cls, "BattleSets", "Something of the battle has changed.", BATTLE_SETS, {}),
        (shape.side.cls, "SideSets", "Something of a side has changed.", SIDE_SETS, {"target": _of("side")}),
    )
    if shape.units is not None:
        unit = (shape.unit.cls, "Sets", "Something of a unit has changed.", UNIT_SETS, {"target": _of("unit")})
        sets = (*sets, unit)
    for owner, name, doc, kind, target in sets:
        if owner in owners:
            made.append(_declared(shape, name, doc, {**target, **changed}, kind, "all"))
    return made


def _of(book: str) -> Any:
    return Annotated[str, Codebook(book)]
