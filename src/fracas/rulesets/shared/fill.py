"""Fill a record by the names of its fields, from a model of the same thing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

from fracas.content.word_types import names_of


def fill(record: Any, model: BaseModel, other_names: Mapping[str, str] | None = None) -> None:
    """Write what a model says into the fields of a record that have its names; the other fields stay as they are.

    A word of a fixed list is written as its place in that list, so the order of a model's words is that of the rules'
    numbers. Texts, lists and tables are left out, and what is absent.

    Args:
        record: the record to fill.
        model: what it says.
        other_names: the record's name of a field that the model calls otherwise.
    """
    names = other_names or {}
    known = frozenset(record.dtype.names)
    for name, words in _fields_of(type(model)).items():
        field, value = names.get(name, name), getattr(model, name)
        if field not in known or value is None:
            continue
        if words:
            record[field] = words.index(value)
        elif isinstance(value, int | float):
            record[field] = value


@cache
def _fields_of(model: type[BaseModel]) -> dict[str, tuple[str, ...]]:
    """The fields of a model, each with its words if it is one of a fixed list."""
    return {name: names_of(model, name) for name in model.model_fields}
