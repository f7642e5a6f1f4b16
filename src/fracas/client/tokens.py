"""Texts that nobody else has: salts of tickets, and keys of requests."""

from __future__ import annotations

import os

BYTES = 16


def new_token() -> str:
    """16 random bytes as hex digits."""
    return os.urandom(BYTES).hex()
