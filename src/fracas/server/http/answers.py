"""How a route declares its answers: a status, a model, and the problems that only it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

ERRORS = "x-errors"
# A document whose keys are described elsewhere, such as a JSON Schema or a replay.
Document = dict[str, Any]


class Body(BaseModel):
    """A request's JSON body. Unknown keys are refused, and no text becomes a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


def answers(
    status: int, model: Any = None, *, example: Any = None, errors: Sequence[str] = (), media_type: str = ""
) -> dict[str, Any]:
    """The keyword arguments of a route: `@router.get("/x", **answers(200, Model, errors=("conflict",)))`.

    The examples of models are made of those of their fields, and problems that follow from the authorisation table,
    from bodies and limits are added, by http/openapi.py.

    Args:
        status: of an answer that does not refuse.
        model: what is answered as JSON.
        example: of what is no model.
        errors: the names of further problems.
        media_type: default: application/json.
    """
    found: dict[str, Any] = {"description": "Done"}
    if example is not None:
        found["content"] = {media_type or "application/json": {"example": example}}
    return {
        "status_code": status,
        "responses": {status: found},
        "response_model": model,
        "response_model_exclude_unset": True,
        "openapi_extra": {ERRORS: list(errors)},
    }
