"""One order for all documents: the keys of every table sorted, so that no result depends on how a file was written.

JSON and TOML say that the keys of a table have no order, and whatever stores JSON (a database's JSONB, `jq -S`, Go)
may write them in another one. So nothing here takes a meaning from it: every document is brought into this order
before it is read, and what has an order is a list.
"""

from __future__ import annotations

from typing import Any

# Beyond this depth nothing is looked at: nothing that is so deep is ever accepted, and its reader says what is wrong.
DEEPEST_DOCUMENT = 64


_TEXT = frozenset({str})
_PLAIN = frozenset({str, int, float, bool, type(None)})


def canonical(document: Any, depth: int = 0) -> Any:
    """A copy of plain values in which the keys of every table stand in the order of their characters.

    Lists keep their order, and what is neither a table nor a list is taken over as it is.
    """
    if depth < DEEPEST_DOCUMENT:
        below = depth + 1
        # Most values hold nothing themselves: not to be called for each of them halves the time.
        if isinstance(document, dict):
            return {
                key: value if type(value := document[key]) in _PLAIN else canonical(value, below)
                for key in _sorted_keys(document)
            }
        if isinstance(document, list):
            return [value if type(value) in _PLAIN else canonical(value, below) for value in document]
    return document


def _sorted_keys(table: dict[Any, Any]) -> list[Any]:
    if _TEXT.issuperset(map(type, table)):
        return sorted(table)
    # Keys of other kinds than text are refused later, by whoever reads the document.
    return sorted(table, key=str)
