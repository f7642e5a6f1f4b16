"""How a route declares its answers; the links in them, and the cursors of lists that come in pages."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin
from urllib.parse import quote, urlencode

from pydantic import BaseModel, ConfigDict

from fracas.errors import Problem
from fracas.server.clock import iso
from fracas.server.http.authorisation import Needs, Scope, admits
from fracas.server.http.problems import ApiProblem

ERRORS = "x-errors"
# A document whose keys are described elsewhere, such as a JSON Schema or a replay.
Document = dict[str, Any]


class Body(BaseModel):
    """A request's JSON body. Unknown keys are refused, and no text becomes a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


def answers(
    status: int,
    model: Any = None,
    *,
    needs: Needs,
    scope: Scope = Scope.READ,
    rate: str = "",
    example: Any = None,
    errors: Sequence[str] = (),
    media_type: str = "",
) -> dict[str, Any]:
    """The keyword arguments of a route: `@router.get("/x", **answers(200, Model, needs=Needs.ACCOUNT))`.

    The examples of models are made of those of their fields, and problems that follow from the authorisation table,
    from bodies and limits are added, by http/openapi.py.

    Args:
        status: of an answer that does not refuse.
        model: what is answered as JSON.
        needs: whom the route answers; scope and rate as for `admits`.
        scope: what a token must allow.
        rate: which rate limit counts it.
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
        "openapi_extra": {ERRORS: list(errors), **admits(needs, scope=scope, rate=rate)["openapi_extra"]},
    }


def stored(model: type[BaseModel], row: Any, but: str = "") -> dict[str, Any]:
    """The fields of an answer that have the name of a column of a row, as they are answered.

    Where the answer has a text, a column of milliseconds becomes a time, and bytes become hex digits.

    Args:
        model: the answer.
        row: a row of a query, with names for its columns.
        but: a field whose name a column has by chance.
    """
    texts = _texts_of(model)
    return {
        name: _text(value) if texts[name] else value
        for name, value in row._mapping.items()
        if name in texts and name != but
    }


@cache
def _texts_of(model: type[BaseModel]) -> dict[str, bool]:
    """The fields of a model, and whether each is a text."""
    return {name: _is_text(field.annotation) for name, field in model.model_fields.items()}


def _is_text(kind: Any) -> bool:
    """Whether a type is a text, with whatever marks, or a text or nothing."""
    parts = get_args(kind) if get_origin(kind) in (Annotated, Union, UnionType) else ()
    return kind is str or any(map(_is_text, parts))


def _text(value: Any) -> Any:
    if isinstance(value, int):
        return iso(value)
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else value


ROOT = "/api/v1"


def link(*parts: str | int, **query: str | int | None) -> str:
    """The path of a resource: `link("entries", id)` is /api/v1/entries/ID; query values of None are left out."""
    path = "/".join([ROOT, *map(_segment, parts)])
    named = {key: value for key, value in query.items() if value is not None}
    return f"{path}?{urlencode(named)}" if named else path


def _segment(part: str | int) -> str:
    text = str(part)
    # Nearly all are ids and words, which need no escapes; a list of matches has hundreds.
    return text if text.isalnum() and text.isascii() else quote(text, safe="")


def links(**paths: str | None) -> dict[str, str]:
    """The `links` of an answer; those of None are left out."""
    return {name: path for name, path in paths.items() if path is not None}


LONGEST_CURSOR = 500
MOST_PER_PAGE = 100


def cursor_of(*values: int | str) -> str:
    """Make the cursor that holds the sort key of the last item on a page."""
    return base64.urlsafe_b64encode(json.dumps(values, separators=(",", ":")).encode()).decode().rstrip("=")


def read_cursor(cursor: str | None, *kinds: type) -> tuple[Any, ...] | None:
    """Read a cursor as values of the given types; None if there is none.

    Raises:
        ApiProblem: the text is not a cursor of this list.
    """
    if cursor is None:
        return None
    try:
        if len(cursor) > LONGEST_CURSOR:
            raise ValueError
        values = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
        if not isinstance(values, list) or [type(value) for value in values] != list(kinds):
            raise ValueError
        if any(isinstance(value, str) and "\0" in value for value in values):
            raise ValueError
        if any(isinstance(value, int) and not -(2**63) <= value < 2**63 for value in values):
            raise ValueError
    except (ValueError, RecursionError):
        problem = Problem("cursor", "is not a cursor of this list", "use the `next` link of the page before")
        raise ApiProblem("invalid-input", "The cursor is not valid.", problems=[problem]) from None
    return tuple(values)


def cut_page(items: Sequence[Any], limit: int, key: Any) -> tuple[list[Any], str | None]:
    """Cut a list that was read with `limit + 1` into a page and the cursor of the next page, None on the last one.

    `key` gives the tuple of an item's sort key.
    """
    shown = list(items[:limit])
    return shown, cursor_of(*key(shown[-1])) if len(items) > limit else None
