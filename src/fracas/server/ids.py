"""Ids, codes and random bytes: the only place of the server that asks the system for randomness.

Battles never see these values. A match's seed is derived from a published commitment (arena/day_secrets.py).
"""

from __future__ import annotations

import secrets
import threading

# Crockford's base 32: no I, L, O and U, so that nobody misreads an id. Its characters sort by value.
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
# Two digits at a time take half as long.
_PAIRS = [first + second for first in _DIGITS for second in _DIGITS]
_LENGTH = 26
_RANDOM_BITS = 80


_last = 0
_lock = threading.Lock()


def new_id(now_ms: int) -> str:
    """Make an id of 26 characters that sorts by time: 48 bits of milliseconds, then 80 random bits.

    Ids that this process makes in the same millisecond sort in the order in which they were made.
    """
    global _last  # noqa: PLW0603  # The one id that the next must come after.
    with _lock:
        number = (now_ms << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS - 1)
        if _last >> _RANDOM_BITS == now_ms:
            number = _last + 1 + secrets.randbits(32)
        _last = number
    return _encoded(number, _LENGTH)


def random_id() -> str:
    """Make an id of 26 characters that tells nothing, not even when it was made: 128 random bits."""
    return _encoded(secrets.randbits(128), _LENGTH)


def random_code(length: int) -> str:
    """Make a code that people can read aloud: lower-case letters and digits, five random bits each."""
    return _encoded(secrets.randbits(5 * length), length)


def random_bytes(count: int) -> bytes:
    """Random bytes of the operating system, for salts, secrets and tokens."""
    return secrets.token_bytes(count)


def is_id(text: str) -> bool:
    """Whether a text has the form of an id. Other texts need not be looked up."""
    return len(text) == _LENGTH and all(letter in _DIGITS for letter in text)


def _encoded(number: int, length: int) -> str:
    odd = _DIGITS[number >> 5 * (length - 1) & 31] if length % 2 else ""
    return odd + "".join([_PAIRS[number >> shift & 1023] for shift in range(5 * (length - length % 2 - 2), -1, -10)])
