"""Digests of the commit-reveal protocol: commitment, salt seals, handshake.

titans/README.md, "Session", Commitment; docs/reference/table-files.md for tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from blake3 import blake3

HEX_DIGITS = 64
POLICY_CONTEXT = "fracas duel policy v1"
TERMS_CONTEXT = "fracas duel terms v1"
COMMITMENT_CONTEXT = "fracas duel commitment v2"
SALT_CONTEXT = "fracas duel salt v1"
HANDSHAKE_CONTEXT = "fracas duel handshake v1"
SEAL_CONTEXT = "fracas duel session v1"


def is_hex(value: Any) -> bool:
    """Whether a value is a text of 64 lower-case hexadecimal digits."""
    return isinstance(value, str) and len(value) == HEX_DIGITS and set(value) <= set("0123456789abcdef")


def policy_of(policy: Any) -> str:
    """The digest of what chooses for a player, which the terms hold in its place."""
    return _hashed(_canonical(policy), POLICY_CONTEXT)


def terms_of(terms: Mapping[str, Any]) -> str:
    """The digest of everything apart from dice that decides a battle: rules, resolved document, who plays, deadline."""
    return _hashed(_canonical(terms), TERMS_CONTEXT)


def commitment_of(server_seed: str, terms: str) -> str:
    """The commitment shown before the duel: binds the seed and the terms and reveals neither."""
    return _hashed(f"{server_seed}:{terms}".encode(), COMMITMENT_CONTEXT)


def salt_seal(player: str, salt: str, nonce: str) -> str:
    """The seal that a player shows before the other's salt is known: binds the salt; the nonce hides it."""
    return _hashed(_canonical([player, salt, nonce]), SALT_CONTEXT)


def handshake_of(commitment: str, seals: Sequence[str | None]) -> str:
    """The digest of the commitment and the salt seals; a policy's salt has no seal."""
    return _hashed(_canonical([commitment, *(seal or "" for seal in seals)]), HANDSHAKE_CONTEXT)


def seed_text(server_seed: str, salts: tuple[str, str]) -> str:
    """The seed text of a duel, made of the server's seed and both players' salts."""
    return f"{server_seed}:{salts[0]}:{salts[1]}"


def seal_of(document: Mapping[str, Any]) -> str:
    """The seal of a session's document, over everything except the seal itself."""
    rest = {key: value for key, value in document.items() if key != "seal"}
    return _hashed(_canonical(rest), SEAL_CONTEXT)


def _canonical(value: Any) -> bytes:
    """JSON with sorted keys and without spaces."""
    return msgspec.json.encode(value, order="sorted")


def _hashed(content: bytes, context: str) -> str:
    return blake3(content, derive_key_context=context).hexdigest()
