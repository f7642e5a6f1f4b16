"""Plays battles with an archived WebAssembly module, whose rules need not be the installed ones.

The module's description says where everything is, so the installed rules play no part. The module is treated
as untrusted: it gets a memory of fixed size, imports nothing else, and stops when its fuel is used up.
"""

from __future__ import annotations

import atexit
import gc
import hashlib
import importlib.util
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Annotated, Any

import msgspec
import numpy as np
from blake3 import blake3
from msgspec import Meta

from fracas.errors import FracasError
from fracas.portable.wasm_machine import ALIGNMENT, PAGE
from fracas.rulesets.contract.types import Rows

# Limits on modules, descriptions and records; the shipped ones use a tenth of them.
LARGEST_MODULE, LARGEST_DESCRIPTION = 2 * 1024 * 1024, 1024 * 1024
LARGEST_RECORD, LARGEST_RESULT, LARGEST_LOG = 16 * 1024 * 1024, 64 * 1024, 128 * 1024 * 1024
# Instructions for one battle: about half a second. Battles of the shipped leagues take less than a million.
FUEL = 1_000_000_000
# Of a table of functions; ours have none.
MOST_ELEMENTS = 1_000
KEY_BYTES = 32
# Modules that stay translated: one for each ruleset and a few rules versions.
MOST_TRANSLATED = 8
# Below its heap a module has its stack and a few constants.
_OWN_BYTES = 2 * PAGE
_LOG_HEAD = 16

Offset = Annotated[int, Meta(ge=0, le=LARGEST_LOG)]
Books = Mapping[str, Sequence[Any]]


class ArchiveFault(FracasError):
    """An archived module, record or description is damaged, or does not play."""


class Field(msgspec.Struct):
    """A field of a record."""

    name: str
    offset: Offset
    kind: str
    shape: list[Annotated[int, Meta(ge=0, le=LARGEST_RECORD)]]
    fields: list[Field] = []


class RecordLayout(msgspec.Struct):
    """A record's size in bytes and its fields."""

    size: Annotated[int, Meta(ge=8, le=LARGEST_RECORD, multiple_of=8)]
    fields: list[Field]


class LogLayout(msgspec.Struct):
    """A log: a count, a fault, then rows of eight numbers of 32 bits."""

    size: Annotated[int, Meta(ge=_LOG_HEAD, le=LARGEST_LOG)]
    capacity: Annotated[int, Meta(ge=0, le=LARGEST_LOG)]
    row_bytes: Annotated[int, Meta(ge=32, le=32)]


class EventField(msgspec.Struct):
    """How a field of an event is read from its row."""

    name: str
    column: Annotated[int, Meta(ge=0, le=7)]
    form: str
    book: str = ""
    none: bool = False


class EventLayout(msgspec.Struct):
    """A kind of event."""

    kind: int
    name: str
    detail: str
    fields: list[EventField]


class ModuleFacts(msgspec.Struct):
    """What a description says of its module."""

    bytes: Annotated[int, Meta(ge=8, le=LARGEST_MODULE)]
    sha256: str


class Description(msgspec.Struct):
    """The description of a module, as `portable/memory_layout.py` makes it; only what playing needs."""

    ruleset: str
    rules_version: int
    layout_key: str
    record: RecordLayout
    result: RecordLayout
    log: LogLayout
    events: list[EventLayout]
    books: dict[str, list[Any]]
    reasons: list[str]
    nobody: int
    module: ModuleFacts


@dataclass(frozen=True)
class PlayedRow:
    """What a battle came to: its result row, and its event rows if it was played with a log."""

    row: bytes
    winner: int
    reason: str
    rounds: int
    figures: dict[str, Any]
    """The other numbers of the result row by name."""
    events: Rows | None


def can_play() -> bool:
    """Whether wasmtime is installed."""
    return importlib.util.find_spec("wasmtime") is not None


class ArchivedModule:
    """A module and its description, checked against each other.

    Raises:
        ArchiveFault: they do not fit each other, or are no module of rules.
    """

    def __init__(self, module: bytes, description: bytes) -> None:
        if len(description) > LARGEST_DESCRIPTION or len(module) > LARGEST_MODULE:
            raise ArchiveFault("a module or its description is too large")
        self.module = module
        self.digest = blake3(description).digest()
        """Names the module: the description holds the digest of the module's bytes."""
        try:
            self.description = msgspec.json.decode(description, type=Description)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise ArchiveFault(f"the description of a module is damaged: {error}") from None
        if hashlib.sha256(module).hexdigest() != self.description.module.sha256:
            raise ArchiveFault("the module differs from the one that its description names")
        log, result = self.description.log, self.description.result
        if log.size < _LOG_HEAD + log.capacity * log.row_bytes or not _is_row(result):
            raise ArchiveFault("the description of a module does not fit itself")

    @cached_property
    def key_offset(self) -> int:
        """Where a record holds the key of its dice.

        Raises:
            ArchiveFault: it holds none.
        """
        dice = _named(self.description.record.fields, "dice")
        key = _named(dice.fields, "key")
        offset = dice.offset + key.offset
        if offset + KEY_BYTES > self.description.record.size:
            raise ArchiveFault("the key of the dice is outside of the record")
        return offset

    def play(self, record: Rows, key: bytes, *, logged: bool = False) -> PlayedRow:
        """Play the battle of a record with a key of dice.

        Args:
            record: the record's bytes, (size,) uint8.
            key: of the dice, 32 bytes.
            logged: whether to keep the events.

        Raises:
            ArchiveFault: the module does not play it within its memory and its fuel, or the battle hit a limit.
        """
        if len(record) != self.description.record.size or len(key) != KEY_BYTES:
            raise ArchiveFault("a record has another size than its module's")
        keyed = record.copy()
        keyed[self.key_offset : self.key_offset + KEY_BYTES] = np.frombuffer(key, np.uint8)
        row, log = _run(self, keyed, logged)
        numbers = dict(_numbers(self.description.result, row))
        try:
            winner, rounds = int(numbers.pop("winner")), int(numbers.pop("rounds"))
            reason = self.description.reasons[_place(numbers.pop("reason"))]
            fault = numbers.pop("fault")
        except (KeyError, TypeError, LookupError) as error:
            raise ArchiveFault(f"the result of an archived battle cannot be read: {error}") from None
        if fault:
            raise ArchiveFault(f"the archived battle hit a limit of its engine: {fault}")
        return PlayedRow(row, winner, reason, rounds, numbers, log)

    def decoded(self, rows: Rows, books: Books) -> list[tuple[str, dict[str, Any]]]:
        """Event rows as plain values, each with its detail (`story`, `decisions` or `all`).

        Args:
            rows: the events, (n, 8) int32.
            books: the battle's own code books, which come before those of the description.

        Raises:
            ArchiveFault: a number has no meaning.
        """
        known: dict[str, Sequence[Any]] = {**self.description.books, **books}
        layouts = {each.kind: each for each in self.description.events}
        found = []
        for row in rows.tolist():
            if row[1] not in layouts:
                raise ArchiveFault(f"there is no event of kind {row[1]}")
            layout = layouts[row[1]]
            values = {each.name: _value(each, row, known, self.description.nobody) for each in layout.fields}
            found.append((layout.detail, {"tick": row[0], "kind": layout.name, **values}))
        return found


def _run(archived: ArchivedModule, record: Rows, logged: bool) -> tuple[bytes, Rows | None]:
    """Play in an instance of its own: its result row, and its event rows."""
    import wasmtime

    description = archived.description
    results = _aligned(len(record))
    log_at = results + _aligned(description.result.size)
    pages = -(-(_OWN_BYTES + log_at + (description.log.size if logged else 0)) // PAGE)
    store = wasmtime.Store(_engine())
    store.set_fuel(FUEL)
    # Beside the memory that it is given, a module may not have any.
    store.set_limits(memory_size=pages * PAGE, table_elements=MOST_ELEMENTS, instances=1, tables=1, memories=1)
    memory = wasmtime.Memory(store, wasmtime.MemoryType(wasmtime.Limits(pages, pages)))
    try:
        exports: Any = wasmtime.Instance(store, _translated(archived.module), [memory]).exports(store)
        base = _aligned(int(exports["__heap_base"].value(store)))
        if not 0 <= base <= _OWN_BYTES:
            raise ArchiveFault(f"the module takes {base:,} bytes for itself")
        space: np.ndarray[Any, np.dtype[np.uint8]] = np.ctypeslib.as_array(
            memory.data_ptr(store), (memory.data_len(store),)
        )
        space[base : base + len(record)] = record
        result_at = base + results
        if logged:
            status = exports["play"](store, base, 0, 0, result_at, base + log_at)
        else:
            status = exports["simulate"](store, base, 0, 0, result_at, 1)
    except (
        wasmtime.Trap,
        wasmtime.WasmtimeError,
        KeyError,
        AttributeError,
        TypeError,
        ValueError,
        ArithmeticError,
    ) as bad:
        raise ArchiveFault(f"the archived module stopped: {_last_line(bad)}") from None
    if status:
        raise ArchiveFault(f"the archived module ended with status {status}")
    row = space[result_at : result_at + description.result.size].tobytes()
    if not logged:
        return row, None
    start = base + log_at
    count, fault = np.frombuffer(space[start : start + _LOG_HEAD].tobytes(), "<i8").tolist()
    if fault or not 0 <= count <= description.log.capacity:
        raise ArchiveFault("the log of an archived battle is full or damaged")
    start += _LOG_HEAD
    rows = np.frombuffer(space[start : start + count * description.log.row_bytes].tobytes(), "<i4")
    return row, rows.reshape(-1, 8)


@lru_cache(maxsize=MOST_TRANSLATED)
def _translated(module: bytes) -> Any:
    """A module as machine code, which takes about half a second.

    Raises:
        ArchiveFault: it is not a module of rules.
    """
    import wasmtime

    try:
        found = wasmtime.Module(_engine(), module)
    except wasmtime.WasmtimeError as error:
        raise ArchiveFault(f"an archived module is not WebAssembly: {_last_line(error)}") from None
    if [(each.module, each.name) for each in found.imports] != [("env", "memory")]:
        raise ArchiveFault("an archived module imports something else than its memory")
    return found


@cache
def _engine() -> Any:
    import wasmtime

    # wasmtime frees its objects by functions that are gone once Python tears down its modules.
    atexit.register(_forget)
    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    config.cranelift_nan_canonicalization = True
    config.consume_fuel = True
    # It would start threads, and a later fork would have them in an unknown state.
    config.parallel_compilation = False
    return wasmtime.Engine(config)


def _forget() -> None:
    _translated.cache_clear()
    _engine.cache_clear()
    gc.collect()


def _named(fields: Sequence[Field], name: str) -> Field:
    for each in fields:
        if each.name == name:
            return each
    raise ArchiveFault(f"the description of a module has no field {name}")


def _is_row(layout: RecordLayout) -> bool:
    """Whether a result is small enough, and has no more numbers than there is room for."""
    room = layout.size if layout.size <= LARGEST_RESULT else -1
    for each in layout.fields:
        length = 1
        for count in each.shape:
            length *= count
            if length > room:
                return False
        room -= length
    return room >= 0


def _numbers(layout: RecordLayout, row: bytes) -> Iterator[tuple[str, Any]]:
    """The whole numbers of a row by name; lists where there are several."""
    for each in layout.fields:
        count = 1
        for length in each.shape:
            count *= length
        if each.kind != "i8" or each.offset + 8 * count > len(row):
            continue
        values = list(struct.unpack_from(f"<{count}q", row, each.offset))
        yield each.name, values if each.shape else values[0]


def _value(field: EventField, row: Sequence[int], books: Books, nobody: int) -> Any:
    value = row[field.column]
    if field.form == "name":
        if value == nobody and field.none:
            return None
        names = books.get(field.book, ())
        if not 0 <= value < len(names) or not names[value]:
            raise ArchiveFault(f"{value} has no meaning as {field.name}")
        return names[value]
    if field.form in ("word", "double"):
        if field.column + 1 >= len(row):
            raise ArchiveFault(f"{field.name} has no second column")
        if field.form == "word":
            return row[field.column + 1] << 16 | value
        return struct.unpack("<d", struct.pack("<ii", value, row[field.column + 1]))[0]
    return bool(value) if field.form == "flag" else value


def _place(number: Any) -> int:
    place = int(number)
    if place < 0:
        raise LookupError(place)
    return place


def _aligned(place: int) -> int:
    return -(-place // ALIGNMENT) * ALIGNMENT


def _last_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[-1].strip()
