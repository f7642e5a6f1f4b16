"""Canonical order of documents: sort the keys of every table, so that no result depends on a file's key order.

In JSON and TOML the keys of a table have no order, and tools that store JSON (a database's JSONB, `jq -S`, Go) may
reorder them. So every document is sorted before it is read. Only lists have a meaningful order.
"""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any

from blake3 import blake3

# Deeper values are not sorted: no reader accepts them, and the reader reports the problem.
DEEPEST_DOCUMENT = 64


_PLAIN = frozenset({str, int, float, bool, type(None)})


def canonical(document: Any, depth: int = 0) -> Any:
    """Copy plain values with the keys of every table sorted by their characters.

    Lists keep their order; other values are unchanged.
    """
    if depth < DEEPEST_DOCUMENT:
        below = depth + 1
        # Most values are scalars: skipping the call for these halves the time.
        if isinstance(document, dict):
            return {
                key: value if type(value := document[key]) in _PLAIN else canonical(value, below)
                for key in _sorted_keys(document)
            }
        if isinstance(document, list):
            return [value if type(value) in _PLAIN else canonical(value, below) for value in document]
    return document


def canonical_bytes(document: Any) -> bytes:
    """Plain values as JSON with sorted keys: the bytes that hashes of documents are made of."""
    text = json.dumps(canonical(document), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode()


def canonical_digest(document: Any) -> bytes:
    """blake3 of those bytes, 32 bytes: what stored documents, leagues and entries are known by."""
    return blake3(canonical_bytes(document)).digest()


def canonical_around(document: Any, ready: Container[int], depth: int = 0) -> Any:
    """`canonical`, but take the tables with these ids as they are, without a copy: they are in canonical order."""
    if depth < DEEPEST_DOCUMENT and id(document) not in ready:
        if isinstance(document, dict):
            return {key: canonical_around(document[key], ready, depth + 1) for key in _sorted_keys(document)}
        if isinstance(document, list):
            return [canonical_around(value, ready, depth + 1) for value in document]
    return document


def _sorted_keys(table: dict[Any, Any]) -> list[Any]:
    try:
        keys = sorted(table)
    except TypeError:
        return sorted(table, key=str)
    # Keys that are not strings are refused later, when the document is read.
    return keys if not keys or type(keys[0]) is str else sorted(table, key=str)
