"""Builds record types: a battle is one structured record with nested records and arrays."""

from __future__ import annotations

from numbers import Integral
from operator import itemgetter
from typing import Any

import numpy as np

Field = tuple[str, Any] | tuple[str, Any, tuple[int, ...]]

# Fields are read as attributes, so a name must not collide with an attribute of ndarray.
FORBIDDEN_NAMES = frozenset(name for name in dir(np.ndarray) if not name.startswith("_"))

# A padding field that widens a record.
ROOM = "room"


def record(*fields: Field, width: int = 0, forbidden: frozenset[str] = FORBIDDEN_NAMES) -> np.dtype[Any]:
    """A record type of the given (name, type[, shape]) fields, every field eight bytes wide or a multiple.

    width: the minimum size in bytes. A power of two saves kernels a multiplication for each array element.
    forbidden: names that fields may not have. Only records of games may have those of NumPy's arrays: nothing reads
    their fields from an array of records.

    uint32 is allowed only in arrays of even length, because NumPy drops the alignment of nested types.
    """
    for field in fields:
        name, kind = field[0], np.dtype(field[1])
        length = int(np.prod(field[2])) if len(field) == 3 else 1
        if name in forbidden:
            raise ValueError(f"field {name!r} hides behind an attribute of numpy.ndarray")
        if kind.itemsize * length % 8:
            raise ValueError(f"field {name!r} is {kind.itemsize * length} bytes wide, not a multiple of 8")
    whole = np.dtype(list(fields), align=True)
    if whole.itemsize < width:
        # A field, because NumPy does not copy the gaps between fields.
        room: Field = (ROOM, np.int64, ((width - whole.itemsize) // 8,))
        whole = np.dtype([*fields, room], align=True)
    return _with_attributes(whole)


def narrow_record(*fields: Field) -> np.dtype[Any]:
    """As `record`, for fields of any width: records in it begin, and it ends, at a multiple of eight bytes."""
    offsets: list[int] = []
    end = 0
    for field in fields:
        base = np.dtype(field[1])
        step = 8 if base.names is not None else base.alignment
        offsets.append(end + -end % step)
        end = offsets[-1] + base.itemsize * (int(np.prod(field[2])) if len(field) == 3 else 1)
    places: Any = {
        "names": [field[0] for field in fields],
        "formats": [np.dtype((field[1], field[2])) if len(field) == 3 else np.dtype(field[1]) for field in fields],
        "offsets": offsets,
        "itemsize": end + -end % 8,
    }
    return _with_attributes(np.dtype(places, align=True))


def result_record(sides: int, *own: Field, counts: tuple[str, ...] = ()) -> np.dtype[Any]:
    """The record type of a battle's result: the fields of every ruleset, then the ruleset's own.

    counts: own fields that are one number, placed before the sides' fields.

    The ruleset fills `rounds`, `hp_left` and `units_left`, like its own fields.
    """
    numbers = ("winner", "reason", "rounds", "fault", "blocks_drawn", *counts)
    of_sides = ("hp_left", "units_left")
    return record(*((name, np.int64) for name in numbers), *((name, np.int64, (sides,)) for name in of_sides), *own)


def _with_attributes(kind: np.dtype[Any], base: type[np.void] = np.void) -> np.dtype[Any]:
    """A record type whose records have their fields as attributes.

    np.record offers this too, but looks fields up in Python, which is eight times slower and dominated plain battles.
    """
    attributes = {name: _attribute(name) for name in kind.names or ()}
    return np.dtype((type("Record", (base,), {"__slots__": (), **attributes}), kind))


def _attribute(name: str) -> property:
    def write(row: Any, value: Any) -> None:
        row[name] = value

    return property(itemgetter(name), write)


def with_field(kind: np.dtype[Any], name: str, other: np.dtype[Any]) -> np.dtype[Any]:
    """The same record type with another type for one field."""
    fields = ((each, other if each == name else kind[each]) for each in kind.names or ())
    return record(*fields, forbidden=frozenset())


def as_kind(records: np.ndarray[Any, Any], kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Copy records to another type: fields of the same type in both are copied, the others are zero."""
    copies = np.zeros(len(records), kind)
    for name in kind.names or ():
        if kind[name] == records.dtype[name]:
            copies[name] = records[name]
    return copies


class CheckedRecord(np.void):  # type: ignore[misc]  # its stubs call it final, and it is not
    """A record that accepts only whole numbers in integer fields.

    NumPy and compiled code would drop the fraction; a user who tests a function should hear of it.
    """

    __slots__ = ()

    def __setitem__(self, name: Any, value: Any) -> None:
        is_whole = isinstance(value, Integral | np.bool_ | np.ndarray | np.void)
        if not is_whole and np.issubdtype(self.dtype[name], np.integer):
            raise TypeError(f"{name} takes a whole number, not {value!r}; divide with //")
        super().__setitem__(name, value)


def checked(kind: np.dtype[Any]) -> np.dtype[Any]:
    """The same record type, with `CheckedRecord` for its records and all nested ones."""
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        return np.dtype((checked(base), shape))
    if kind.names is None:
        return kind
    return _with_attributes(np.dtype([(name, checked(kind[name])) for name in kind.names], align=True), CheckedRecord)
