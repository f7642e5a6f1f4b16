"""Sessions as bytes that are taken up without playing them again. README, "Session", checkpoints."""

from __future__ import annotations

import hmac
import zlib
from typing import Any

import msgspec
from blake3 import blake3

from fracas.errors import InputError
from fracas.rulesets.shared.seeds import fingerprint
from fracas.rulesets.titans.rules.constants import RULES_VERSION
from fracas.rulesets.titans.rules.state import battle_t
from fracas.rulesets.titans.session.session_document import VERSION as SESSION_VERSION

CONTEXT = "fracas duel checkpoint v1"
# Another layout of the record, or of sessions, makes another checkpoint.
LAYOUT = fingerprint([str(battle_t), SESSION_VERSION])
STAMP = 32


class Packed(msgspec.Struct, frozen=True):
    """What a checkpoint holds: all of a session but the server's seed."""

    layout: str
    rules_version: int
    kept: dict[str, Any]
    """What `as_json` writes, but for the server's seed and the seal."""
    words: bytes
    """What changes of the record while a duel is played."""
    rows: bytes
    """All event rows."""


def pack(kept: dict[str, Any], words: bytes, rows: bytes, server_seed: str) -> bytes:
    """A checkpoint, stamped with the server's seed: nobody without it can make or change one."""
    packed = Packed(LAYOUT, RULES_VERSION, kept, words, rows)
    content = zlib.compress(msgspec.msgpack.encode(packed), 1)
    return _stamp(content, server_seed) + content


def unpack(checkpoint: bytes, server_seed: str) -> Packed:
    """What a checkpoint holds; it is not looked at before its stamp is.

    Raises:
        InputError: it was not made with this seed, was changed, or was made by another version.
    """
    stamp, content = checkpoint[:STAMP], checkpoint[STAMP:]
    if not hmac.compare_digest(stamp, _stamp(content, server_seed)):
        raise InputError.of("checkpoint", "was changed, or belongs to another server seed")
    packed = msgspec.msgpack.decode(zlib.decompress(content), type=Packed)
    if (packed.layout, packed.rules_version) != (LAYOUT, RULES_VERSION):
        hint = "take the session up from what as_json gave"
        raise InputError.of("checkpoint", "was made by another version of Fracas", hint)
    return packed


def _stamp(content: bytes, server_seed: str) -> bytes:
    key = blake3(server_seed.encode(), derive_key_context=CONTEXT).digest()
    return blake3(content, key=key).digest()
