"""The type of a text that is one of the names of a code table, so that a model need not list them again; and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema


@dataclass(frozen=True)
class OneOf:
    """Marks a text that is one of some names: `Annotated[str, OneOf(codes.TIERS)]`, the same as a Literal of them."""

    names: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Validate the text as a Literal of the names."""
        return core_schema.literal_schema(list(self.names))


def names_of(model: type[BaseModel], field: str) -> tuple[str, ...]:
    """The names that a field of a model may have, in the order of their codes; none if it is no such text."""
    return next(_names_in(model.model_fields[field]), ())


def _names_in(annotation: Any) -> Iterator[tuple[str, ...]]:
    """The names of a literal, in the marks of a field, or of what it may be besides None."""
    if isinstance(annotation, FieldInfo):
        yield from (mark.names for mark in annotation.metadata if isinstance(mark, OneOf))
        annotation = annotation.annotation
    if get_origin(annotation) is Literal:
        yield get_args(annotation)
    for part in get_args(annotation) if get_origin(annotation) in (Annotated, Union, UnionType) else ():
        if isinstance(part, OneOf):
            yield part.names
        else:
            yield from _names_in(part)
