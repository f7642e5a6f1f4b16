"""Read the numeric limits of a model's fields from its constraints, so that they are defined only once."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from functools import cache
from typing import Any

import annotated_types
from pydantic import BaseModel
from pydantic.fields import FieldInfo


@cache
def bounds(model: type[BaseModel], key: str) -> tuple[int | float, int | float]:
    """Get the least and the greatest number that a model accepts for a key, as spelled in files.

    Raises:
        KeyError: the model has no such key, or it has no bounds.
    """
    field = next((field for name, field in model.model_fields.items() if key in (name, field.alias)), None)
    least: int | float | None = None
    most: int | float | None = None
    for constraint in _constraints(field):
        if isinstance(constraint, annotated_types.Ge):
            least = typing.cast(Any, constraint.ge)
        if isinstance(constraint, annotated_types.Le):
            most = typing.cast(Any, constraint.le)
    if least is None or most is None:
        raise KeyError(f"{model.__name__} sets no bounds to {key}")
    return least, most


def _constraints(annotation: Any) -> Iterator[Any]:
    """All constraints of a field, including those of union members."""
    if isinstance(annotation, FieldInfo):
        yield from annotation.metadata
        yield from _constraints(annotation.annotation)
        return
    for part in typing.get_args(annotation):
        if isinstance(part, annotated_types.BaseMetadata):
            yield part
        elif isinstance(part, FieldInfo):
            yield from part.metadata
        else:
            yield from _constraints(part)
