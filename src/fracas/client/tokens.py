"""Texts that nobody else has: salts of tickets and tables, and keys of requests."""

from __future__ import annotations

import os

BYTES = 16


def new_token() -> str:
    """16 random bytes as hex digits."""
    return new_hex(BYTES)


def new_hex(count: int) -> str:
    """So many random bytes as hex digits."""
    return os.urandom(count).hex()
