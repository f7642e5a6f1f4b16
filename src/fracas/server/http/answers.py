"""How a route declares its answers: a status, a model with an example, and the problems that only it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

ERRORS = "x-errors"


class Body(BaseModel):
    """A request's JSON body. Unknown keys are refused, and no text becomes a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Shape(BaseModel):
    """An answer's JSON body, as the OpenAPI document describes it. More keys may come with later versions."""

    model_config = ConfigDict(extra="allow")


class Links(Shape):
    """Paths of related resources, by name."""


def answers(
    status: int,
    model: type[BaseModel] | None = None,
    *,
    example: Any = None,
    errors: Sequence[str] = (),
    description: str = "Done",
    media_type: str = "application/json",
) -> dict[str, Any]:
    """The keyword arguments of a route: `@router.get("/x", **answers(200, Model, example={…}, errors=("conflict",)))`.

    Problems that follow from the authorisation table, from bodies and limits are added by http/openapi.py.
    """
    content: dict[str, Any] = {media_type: {"example": example}} if example is not None else {}
    found: dict[str, Any] = {"description": description}
    if model is not None:
        found["model"] = model
    if content:
        found["content"] = content
    return {
        "status_code": status,
        "responses": {status: found},
        "response_model": None,
        "openapi_extra": {ERRORS: list(errors)},
    }
