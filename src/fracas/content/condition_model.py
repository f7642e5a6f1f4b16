"""A condition as it stands in a file: text, or a table with `all`, `any` or `not`.

Models take it as it is, for the reader of conditions says what is wrong with it better than a type could; this is what
JSON Schema is told of it.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema

from fracas.content.validate import Model


class ConditionTable(Model):
    """Conditions put together; it has one of these keys."""

    model_config = ConfigDict(json_schema_extra={"$comment": "condition", "minProperties": 1, "maxProperties": 1})

    all: list[str | ConditionTable] = Field(default_factory=list)
    """True if every one of these is."""
    any: list[str | ConditionTable] = Field(default_factory=list)
    """True if one of these is."""
    not_: Annotated[str | ConditionTable, Field(alias="not")] = ""
    """True if this is false."""


@cache
def condition_core() -> CoreSchema:
    """What pydantic makes of a condition; only JSON Schemas need it."""
    return TypeAdapter(str | ConditionTable).core_schema


class _AsWritten:
    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(condition_core())


WrittenCondition = Annotated[Any, _AsWritten]
