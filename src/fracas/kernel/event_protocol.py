"""Declares event kinds once: columns, names, the kernel that logs, JSON and documentation come from the declaration.

    @event(10, STORY)
    class Hit(Event):
        "Damage meets shield and HP."
        actor: Unit
        target: Unit
        damage: Annotated[int, "what came out of the chain"]

    emit_hit = emitter(Hit)

A field called `actor` or `target` is that column; the others take a, b, c, d in order. A field's type says how its
number is decoded: as a name of a code book (-1 is none where the type allows it), a truth value, a number, or, over two
columns with the low half first, a 32-bit word or a double. Rules write `emit_hit(log, battle.tick, unit.index,
target.index, damage)`: after the tick the fields in their order, a double or a word as one number.
"""

from __future__ import annotations

import re
import struct
import sys
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, TypeVar, dataclass_transform

import numpy as np

from fracas.kernel.event_log import COLUMNS, NOBODY, emit, high_half, low_half
from fracas.kernel.generated_source import run_source
from fracas.kernel.jit import kernel

STORY, DECISIONS, ALL = "story", "decisions", "all"
DETAILS = (STORY, DECISIONS, ALL)

Codebooks = Mapping[str, Sequence[Any]]
Rows = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Codebook:
    """Marks a field whose number is an index into a list of names; -1 is nobody."""

    name: str


@dataclass(frozen=True, slots=True)
class Word:
    """Marks a field that is a 32-bit word in two columns, the low half first."""


@dataclass(frozen=True, slots=True)
class Double:
    """Marks a field that is a double in two columns, the low half of its bits first."""


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Marks a field that tells why its actor decided so: part of a strategy that may be hidden from rivals."""


# Most rulesets call actors and targets the units of their battles.
Unit = Annotated[str, Codebook("unit")]
MaybeUnit = Annotated[str | None, Codebook("unit")]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. `tick` is its time: the round, 0 for set-up."""

    tick: int

    KIND: ClassVar[int]
    NAME: ClassVar[str]
    DETAIL: ClassVar[str]

    def as_json(self) -> dict[str, Any]:
        """The event as plain values: tick, kind, then the named fields."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {"tick": values.pop("tick"), "kind": self.NAME, **values}


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """How to read one field of an event from a row."""

    name: str
    column: int
    doc: str
    book: str | None = None
    is_word: bool = False
    is_flag: bool = False
    may_be_nobody: bool = False
    is_double: bool = False
    is_reasoning: bool = False

    @property
    def width(self) -> int:
        """How many columns the field has."""
        return 2 if self.is_word or self.is_double else 1

    @property
    def written(self) -> str:
        """What the event's kernel writes into the field's columns, in Python."""
        if self.is_double:
            return f"low_half({self.name}), high_half({self.name})"
        if self.is_word:
            return f"{self.name} & 0xFFFF, {self.name} >> 16 & 0xFFFF"
        return f"int({self.name})" if self.is_flag else self.name

    def read(self, row: Sequence[int], books: Codebooks) -> Any:
        """The field's value in a row.

        Raises:
            LookupError: the number has no meaning.
        """
        value = row[self.column]
        if self.book is not None:
            return None if value == NOBODY and self.may_be_nobody else _named(books[self.book], value)
        if self.is_word:
            return row[self.column + 1] << 16 | value
        if self.is_double:
            return struct.unpack("<d", struct.pack("<ii", value, row[self.column + 1]))[0]
        return bool(value) if self.is_flag else value


Declared = TypeVar("Declared", bound=Event)


@dataclass_transform(frozen_default=True)
def event(kind: int, detail: str) -> Callable[[type[Declared]], type[Declared]]:
    """Declare an event as a frozen dataclass with slots: its number in rows, and the lowest detail that shows it."""

    def declare(fields_of: type[Declared]) -> type[Declared]:
        declared = dataclass(frozen=True, slots=True)(fields_of)
        declared.KIND = kind
        declared.NAME = re.sub(r"(?<!^)(?=[A-Z])", "_", declared.__name__).lower()
        declared.DETAIL = detail
        return declared

    return declare


def emitter(declared: type[Event]) -> Callable[..., None]:
    """The kernel that logs an event if there is a log: `emit_hit(log, tick, ...)`, then the fields in their order.

    Its code is generated, because a kernel has a parameter for each field. As part of the rules it is compiled into
    their entry points like any other kernel.
    """
    plans = tuple(_plan(declared))
    named = {plan.name: plan.written for plan in plans}
    who = [named.pop(name, str(NOBODY)) for name in ("actor", "target")]
    unused = ["0"] * (len(COLUMNS) - COLUMNS.index("a") - sum(plan.width for plan in plans if plan.name in named))
    name = f"emit_{declared.NAME}"
    parameters = ", ".join(("log", "tick", *(plan.name for plan in plans)))
    columns = ", ".join(("tick", str(declared.KIND), *who, *named.values(), *unused))
    source = f"def {name}({parameters}):\n    if log is not None:\n        emit(log, {columns})\n"
    scope = {"__name__": declared.__module__, "emit": emit, "low_half": low_half, "high_half": high_half}
    function: Callable[..., None] = run_source(source, scope)[name]
    return kernel(function)


def declared_in(module: str) -> list[type[Event]]:
    """The events that a module declares, in their order."""
    values = vars(sys.modules[module]).values()
    return [each for each in values if isinstance(each, type) and issubclass(each, Event) and each.__module__ == module]


class Protocol:
    """All event kinds of a ruleset."""

    def __init__(self, declared: Sequence[type[Event]]) -> None:
        self.kinds: dict[int, type[Event]] = {entry.KIND: entry for entry in declared}
        if len(self.kinds) != len(declared):
            raise ValueError("two events share a kind")
        self._plans = {entry.KIND: tuple(_plan(entry)) for entry in declared}

    def plan(self, kind: int) -> tuple[FieldPlan, ...]:
        """The fields of a kind in its rows."""
        return self._plans[kind]

    def public_json(self, event: Event) -> dict[str, Any] | None:
        """An event as plain values without its actor's reasoning; None if it tells nothing else."""
        own = [plan for plan in self._plans[event.KIND] if plan.name not in ("actor", "target")]
        hidden = {plan.name for plan in own if plan.is_reasoning}
        if own and len(hidden) == len(own) and "target" not in event.__slots__:
            return None
        return {key: value for key, value in event.as_json().items() if key not in hidden}

    def decode(self, rows: Rows, books: Codebooks) -> list[Event]:
        """Decode int32 rows to typed events, with names from the code books.

        Raises:
            LookupError: a row matches no event kind; no battle writes such rows.
        """
        return [self._decode_row(row, books) for row in rows.tolist()]

    def _decode_row(self, row: list[int], books: Codebooks) -> Event:
        kind = self.kinds[row[1]]
        values = {plan.name: plan.read(row, books) for plan in self._plans[row[1]]}
        return kind(tick=row[0], **values)


def _named(names: Sequence[Any], code: int) -> Any:
    """The name of a number; reserved numbers have none."""
    if code < 0 or not names[code]:
        raise LookupError(f"{code} has no meaning")
    return names[code]


def _plan(declared: type[Event]) -> Iterator[FieldPlan]:
    free = COLUMNS.index("a")
    hints = typing.get_type_hints(declared, include_extras=True)
    for entry in fields(declared):
        if entry.name == "tick":
            continue
        marks = typing.get_args(hints[entry.name])[1:]
        book = next((mark.name for mark in marks if isinstance(mark, Codebook)), None)
        is_word = any(isinstance(mark, Word) for mark in marks)
        doc = next((mark for mark in marks if isinstance(mark, str)), "")
        kind = (typing.get_args(hints[entry.name]) or (hints[entry.name],))[0]
        is_flag = kind is bool
        is_double = any(isinstance(mark, Double) for mark in marks)
        may_be_nobody = type(None) in typing.get_args(kind)
        is_fixed = entry.name in ("actor", "target")
        column = COLUMNS.index(entry.name) if is_fixed else free
        is_reasoning = any(isinstance(mark, Reasoning) for mark in marks)
        plan = FieldPlan(entry.name, column, doc, book, is_word, is_flag, may_be_nobody, is_double, is_reasoning)
        yield plan
        free += 0 if is_fixed else plan.width
    if free > len(COLUMNS):
        raise ValueError(f"{declared.__name__} has more fields than a row has columns")
