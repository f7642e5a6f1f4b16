"""What a server promises about its dice, and how that is checked. README, "Session", commitment and files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from blake3 import blake3

COMMITMENT_CONTEXT = "fracas duel commitment v1"
SEAL_CONTEXT = "fracas duel session v1"


def commitment_of(server_seed: str) -> str:
    """What is shown before the duel: it tells nothing of the seed, nor of the key of its dice."""
    return blake3(server_seed.encode("ascii"), derive_key_context=COMMITMENT_CONTEXT).hexdigest()


def seed_text(server_seed: str, salts: tuple[str, str]) -> str:
    """The seed text of a duel, to which the server and both players have given something."""
    return f"{server_seed}:{salts[0]}:{salts[1]}"


def seal_of(document: Mapping[str, Any]) -> str:
    """The seal of a session's document, over all of it but the seal itself."""
    rest = {key: value for key, value in document.items() if key != "seal"}
    return blake3(msgspec.json.encode(rest, order="sorted"), derive_key_context=SEAL_CONTEXT).hexdigest()
