"""Save a session as bytes and restore it without replaying its rounds. titans/README.md, "Session", checkpoints."""

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
# Changes with the layout of the record or the session format, so that old checkpoints are refused.
LAYOUT = fingerprint([str(battle_t), SESSION_VERSION])
STAMP = 32


class Packed(msgspec.Struct, frozen=True):
    """The contents of a checkpoint: a session without the server's seed."""

    layout: str
    rules_version: int
    kept: dict[str, Any]
    """What `as_json` returns, without the server's seed and the seal."""
    words: bytes
    """The words of the record that change during a duel."""
    rows: bytes
    """All event rows."""


def pack(kept: dict[str, Any], words: bytes, rows: bytes, server_seed: str) -> bytes:
    """Make a checkpoint. Its stamp is keyed with the server's seed, so nobody else can make or change one."""
    packed = Packed(LAYOUT, RULES_VERSION, kept, words, rows)
    content = zlib.compress(msgspec.msgpack.encode(packed), 1)
    return _stamp(content, server_seed) + content


def unpack(checkpoint: bytes, server_seed: str) -> Packed:
    """Read a checkpoint, after checking its stamp.

    Raises:
        InputError: it was made with another seed, changed, or made by another version.
    """
    stamp, content = checkpoint[:STAMP], checkpoint[STAMP:]
    if not hmac.compare_digest(stamp, _stamp(content, server_seed)):
        raise InputError.of("checkpoint", "was changed, or belongs to another server seed")
    packed = msgspec.msgpack.decode(zlib.decompress(content), type=Packed)
    if (packed.layout, packed.rules_version) != (LAYOUT, RULES_VERSION):
        hint = "resume the session from the document that as_json returned"
        raise InputError.of("checkpoint", "was made by another version of Fracas", hint)
    return packed


def _stamp(content: bytes, server_seed: str) -> bytes:
    key = blake3(server_seed.encode(), derive_key_context=CONTEXT).digest()
    return blake3(content, key=key).digest()
