"""Cursors: where the next page of a list begins, as text that clients hand back unread."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from fracas.errors import Problem
from fracas.server.http.problems import ApiProblem

LONGEST = 500
MOST_PER_PAGE = 100


def encode(*values: int | str) -> str:
    """Make the cursor that holds the sort key of the last item on a page."""
    return base64.urlsafe_b64encode(json.dumps(values, separators=(",", ":")).encode()).decode().rstrip("=")


def decode(cursor: str | None, *kinds: type) -> tuple[Any, ...] | None:
    """Read a cursor as values of the given types; None if there is none.

    Raises:
        ApiProblem: the text is not a cursor of this list.
    """
    if cursor is None:
        return None
    try:
        if len(cursor) > LONGEST:
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


def page(items: Sequence[Any], limit: int, key: Any) -> tuple[list[Any], str | None]:
    """Cut a list that was read with `limit + 1` into a page and the cursor of the next page, None on the last one.

    `key` gives the tuple of an item's sort key.
    """
    shown = list(items[:limit])
    return shown, encode(*key(shown[-1])) if len(items) > limit else None
