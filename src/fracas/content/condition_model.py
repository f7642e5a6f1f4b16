"""The JSON Schema of a condition in a file: text, or a table with `all`, `any` or `not`.

Models accept any value here, because the condition parser reports problems better than a type could.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema

from fracas.content.validate import Model


class ConditionTable(Model):
    """A combination of conditions, with one of these keys."""

    model_config = ConfigDict(json_schema_extra={"$comment": "condition", "minProperties": 1, "maxProperties": 1})

    all: list[str | ConditionTable] = Field(default_factory=list)
    """True if every one of these is."""
    any: list[str | ConditionTable] = Field(default_factory=list)
    """True if one of these is."""
    not_: Annotated[str | ConditionTable, Field(alias="not")] = ""
    """True if this is false."""


@cache
def condition_core() -> CoreSchema:
    """The pydantic schema of a condition; used only for JSON Schemas."""
    return TypeAdapter(str | ConditionTable).core_schema


class _AsWritten:
    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(condition_core())


WrittenCondition = Annotated[Any, _AsWritten]
