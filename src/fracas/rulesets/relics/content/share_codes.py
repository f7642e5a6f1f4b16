"""Encode a build as a short text, a share code, and decode it. relics/README.md, "Share codes", defines every byte."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from itertools import groupby
from typing import Any, NamedTuple

from blake3 import blake3

from fracas.errors import InputError
from fracas.errors.suggestions import quoted
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.models.items import Item
from fracas.rulesets.relics.content.places import PLACES
from fracas.rulesets.relics.rules import constants as codes

PREFIX = "R1"
CHECK_BYTES = 3
PIECE_BYTES = 4
HASH_BITS = 30
_LETTERS = re.compile(r"[A-Za-z0-9_-]*")


class CodePiece(NamedTuple):
    """A piece as a code holds it."""

    id: str
    tier: str


def hash_of(identifier: str) -> int:
    """The number for an item's id in codes."""
    return int.from_bytes(blake3(identifier.encode()).digest()[:PIECE_BYTES], "big") % (1 << HASH_BITS)


def code_of(build: Mapping[str, list[CodePiece]], items: Mapping[str, Item], where: str) -> str:
    """The share code of a build: its pieces by place (weapon, upgrades, items, food), all from the content.

    Raises:
        InputError: two items of the content have the same number, so neither can be in a code.
    """
    shared = {name for names in _same_number(items) for name in names}
    data = bytearray()
    for place in PLACES:
        pieces = build.get(place, [])
        data.append(len(pieces))
        for piece in pieces:
            if piece.id in shared:
                message = f"{quoted(piece.id)} and another item have the same number, so neither can be in a code"
                raise InputError.of(where, message, "rename one of them")
            data += ((codes.TIERS.index(piece.tier) << HASH_BITS) | hash_of(piece.id)).to_bytes(PIECE_BYTES, "big")
    data += _check_of(data)
    return PREFIX + base64.urlsafe_b64encode(bytes(data)).decode().rstrip("=")


def pieces_of_code(code: str, items: Mapping[str, Item], where: str = "code") -> Document:
    """Decode a share code into pieces by place, as in a scenario.

    Raises:
        InputError: the code is invalid, damaged, or names an unknown item.
    """
    data = _data_of(code, where)
    known: dict[tuple[str, int], list[str]] = {}
    for identifier, item in items.items():
        known.setdefault((item.bucket, hash_of(identifier)), []).append(identifier)
    ambiguous = {hash_of(name) for names in _same_number(items) for name in names}
    build: Document = {}
    at = 0
    for key, place in PLACES.items():
        if at >= len(data):
            raise _broken(where, "is cut short")
        count, at = data[at], at + 1
        if count > place.room:
            raise _broken(where, f"has {count} {key}; at most {place.room} fit")
        if at + PIECE_BYTES * count > len(data):
            raise _broken(where, "is cut short")
        pieces = []
        for _ in range(count):
            number = int.from_bytes(data[at : at + PIECE_BYTES], "big")
            at += PIECE_BYTES
            tier, hashed = number >> HASH_BITS, number % (1 << HASH_BITS)
            names = known.get((place.bucket, hashed), [])
            if tier >= len(codes.TIERS):
                raise _broken(where, f"has an unknown tier: {tier}")
            if len(names) != 1 or hashed in ambiguous:
                message = f"names {place.one} that this content does not have (number {hashed})"
                raise InputError.of(where, message, "pass the pack it is from with --content DIR")
            pieces.append({"id": names[0], "tier": codes.TIERS[tier]} if tier else names[0])
        if pieces:
            build[key] = pieces[0] if key == "weapon" else pieces
    if at != len(data):
        raise _broken(where, "has extra bytes at its end")
    return build


def _data_of(code: str, where: str) -> bytes:
    """The bytes of a code without its checksum.

    Raises:
        InputError: it is not a share code, or was changed.
    """
    if not code.startswith(PREFIX):
        raise InputError.of(where, f"{quoted(code)} is not a share code: it does not start with {PREFIX}")
    text = code[len(PREFIX) :]
    if not _LETTERS.fullmatch(text):
        strange = next(letter for letter in text if not _LETTERS.fullmatch(letter))
        raise _broken(where, f"contains {quoted(strange)}; only letters, digits, - and _ are allowed")
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error:
        raise _broken(where, "is cut short, or has extra characters") from None
    if base64.urlsafe_b64encode(data).decode().rstrip("=") != text:
        raise _broken(where, "was changed, or is cut short")
    body, check = data[:-CHECK_BYTES], data[-CHECK_BYTES:]
    if len(data) <= CHECK_BYTES or _check_of(body) != check:
        raise _broken(where, "has a wrong checksum: it was changed, or is cut short")
    return body


def _broken(where: str, message: str) -> InputError:
    return InputError.of(where, f"the share code {message}")


def _check_of(data: bytes | bytearray) -> bytes:
    return blake3(bytes(data)).digest()[:CHECK_BYTES]


def _same_number(items: Mapping[str, Any]) -> list[list[str]]:
    """Ids of the content that share a number, so that a code cannot tell them apart."""
    ordered = sorted(items, key=hash_of)
    return [names for _, group in groupby(ordered, hash_of) if len(names := list(group)) > 1]
