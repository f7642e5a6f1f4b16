"""Stored documents: canonical JSON by content hash, compressed. Equal documents are stored once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import zstandard
from blake3 import blake3
from sqlalchemy import Connection, bindparam, delete, exists, select

from fracas.content.canonical import canonical_bytes
from fracas.server.database.tables import document, metadata
from fracas.server.database.upsert import insert_if_absent

LARGEST_STORED = 16 * 1024 * 1024

# What may refer to a document: every foreign key to it.
_REFERENCES = [
    key.parent for table in metadata.sorted_tables for key in table.foreign_keys if key.column is document.c.hash
]
_MANY = select(document).where(document.c.hash.in_(bindparam("keys", expanding=True)))


def put(connection: Connection, value: Any) -> bytes:
    """Store plain values, unless they are stored already; return their hash, 32 bytes."""
    data = canonical_bytes(value)
    key = blake3(data).digest()
    known = connection.execute(select(document.c.hash).where(document.c.hash == key)).first()
    if known is None:
        insert_if_absent(connection, document, {"hash": key, "bytes": zstandard.ZstdCompressor().compress(data)})
    return key


def get(connection: Connection, key: bytes) -> Any:
    """Load stored plain values by their hash.

    Raises:
        KeyError: nothing is stored under this hash.
    """
    return json.loads(get_bytes(connection, key))


def get_many(connection: Connection, keys: Iterable[bytes]) -> dict[bytes, Any]:
    """Load many documents with one statement; those that are not stored are missing."""
    wanted = sorted(set(keys))
    return {bytes(row.hash): json.loads(_unpacked(row.bytes)) for row in connection.execute(_MANY, {"keys": wanted})}


def get_bytes(connection: Connection, key: bytes) -> bytes:
    """Load the canonical bytes of a stored document.

    Raises:
        KeyError: nothing is stored under this hash.
    """
    packed = connection.execute(select(document.c.bytes).where(document.c.hash == key)).scalar_one_or_none()
    if packed is None:
        raise KeyError(key.hex())
    return _unpacked(packed)


def forget_unused(connection: Connection, keys: Iterable[bytes]) -> None:
    """Delete those of some documents that nothing refers to any more."""
    for key in keys:
        if not any(connection.execute(select(exists().where(column == key))).scalar() for column in _REFERENCES):
            connection.execute(delete(document).where(document.c.hash == key))


def _unpacked(packed: bytes) -> bytes:
    data: bytes = zstandard.ZstdDecompressor().decompress(packed, max_output_size=LARGEST_STORED)
    return data
