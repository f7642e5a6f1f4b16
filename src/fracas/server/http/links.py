"""Links in answers: paths under /api/v1, so that clients need not build them."""

from __future__ import annotations

from urllib.parse import quote, urlencode

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
