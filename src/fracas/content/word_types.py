"""The type of a text that is one of the names of a code table, so that a model need not list them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


@dataclass(frozen=True)
class OneOf:
    """Marks a text that is one of some names: `Annotated[str, OneOf(codes.TIERS)]`, the same as a Literal of them."""

    names: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Validate the text as a Literal of the names."""
        return core_schema.literal_schema(list(self.names))


def names_of(model: type[BaseModel], field: str) -> Sequence[str]:
    """The names that a field of a model may have, in the order of their codes; none if it is no such text."""
    return next((mark.names for mark in model.model_fields[field].metadata if isinstance(mark, OneOf)), ())
