"""What the archive keeps of a pair of entries: both battles compiled, without dice, and the names in their events.

The battle in which X is side 1 and Y is side 2 is the same whoever is place 1 of a match, so a pair is kept once for
both orders: first the battle in which its lesser entry, by code and digest, is side 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
from blake3 import blake3

from fracas.portable.archived_module import LARGEST_RECORD, ArchivedModule, ArchiveFault, Books
from fracas.portable.sparse_records import dense, sparse
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Compiled, Rows
from fracas.server.arena.league import League
from fracas.server.arena.secrets import hash_fields

# A hostile file must not unpack to more than this; ours take 20 kB.
LARGEST_CONTENT = 4 * LARGEST_RECORD
_LEVEL = 3

Side = tuple[str, bytes]
"""A side's code and the digest of its entry."""


@dataclass(frozen=True)
class PinnedRules:
    """What a match was fought under, as far as its battles depend on it."""

    ruleset: str
    rules_version: int
    fingerprint: bytes
    revision: bytes
    modifier: str

    @classmethod
    def of_league(cls, league: League, modifier: str) -> PinnedRules:
        """The rules of this program."""
        return cls(league.file.ruleset, league.rules_version, league.fingerprint, league.revision, modifier)

    def pair_key(self, first: Side, second: Side) -> bytes:
        """What a pair is kept under, whoever is place 1: a hash of all that its battles are compiled from, 32 bytes."""
        parts = (self.ruleset, self.rules_version, self.fingerprint, self.revision, self.modifier)
        return hash_fields("fracas archived pair", *parts, *(part for side in sorted((first, second)) for part in side))


def battle_place(first: Side, second: Side, is_swapped: bool) -> int:
    """Which of a kept pair's two battles a leg is: 0 or 1. `first` is place 1, which a swapped leg makes side 2."""
    return int((first > second) != is_swapped)


@dataclass(frozen=True)
class KeptPair:
    """A pair as it is kept."""

    ruleset: str
    key: bytes
    content: bytes
    """Both battles and their names, not compressed: see `content_of`."""

    @cached_property
    def packed(self) -> bytes:
        """The content, compressed."""
        return compressed(self.content)

    @cached_property
    def digest(self) -> bytes:
        """blake3 of the compressed content, 32 bytes."""
        return blake3(self.packed).digest()


@dataclass(frozen=True)
class StoredPair:
    """A pair as it is stored."""

    key: bytes
    module: bytes
    """The digest of the module that plays it."""
    digest: bytes
    content: bytes
    """zstd."""


def content_of(ruleset: Ruleset, battles: Sequence[Compiled]) -> bytes:
    """Two compiled battles as bytes: both records without zeros, then as JSON the names that are theirs alone."""
    shared = ruleset.codebooks
    books = [
        {name: names for name, names in each.books.items() if tuple(names) != tuple(shared.get(name, ()))}
        for each in battles
    ]
    return b"".join(sparse(each.record) for each in battles) + msgspec.json.encode(books, order="sorted")


@dataclass(frozen=True)
class ArchivedBattle:
    """One battle of a kept pair."""

    record: Rows
    """(size,) uint8, without a key of dice."""
    books: Books


def battle_of(content: bytes, module: ArchivedModule, place: int) -> ArchivedBattle:
    """One of a pair's two battles.

    Raises:
        ArchiveFault: the content is damaged.
    """
    size = module.description.record.size
    try:
        first, end = dense(content, 0, size)
        second, end = dense(content, end, size)
        books = msgspec.json.decode(content[end:], type=list[dict[str, list[Any]]])
        return ArchivedBattle((first, second)[place], books[place])
    except (ValueError, IndexError, msgspec.MsgspecError, RecursionError) as error:
        raise ArchiveFault(f"an archived pair is damaged: {error}") from None


def compressed(data: bytes) -> bytes:
    """Bytes as zstd."""
    import zstandard

    packed: bytes = zstandard.ZstdCompressor(level=_LEVEL).compress(data)
    return packed


def decompressed(packed: bytes, most: int) -> bytes:
    """Bytes from zstd, at most so many.

    Raises:
        ArchiveFault: they are damaged, or unpack to more.
    """
    # Imported late: verifying a league-day of the installed rules needs no compressor.
    import zstandard

    try:
        size = zstandard.get_frame_parameters(packed).content_size
        if size > most:
            raise ArchiveFault(f"something archived unpacks to {size:,} bytes, and at most {most:,} are allowed")
        data: bytes = zstandard.ZstdDecompressor().decompress(packed, max_output_size=most)
    except zstandard.ZstdError as error:
        raise ArchiveFault(f"something archived is damaged: {error}") from None
    return data


def unpacked(packed: bytes, digest: bytes) -> bytes:
    """The content of a pair.

    Raises:
        ArchiveFault: it has another digest, or is damaged.
    """
    if blake3(packed).digest() != digest:
        raise ArchiveFault("an archived pair has another digest than when it was kept")
    return decompressed(packed, LARGEST_CONTENT)
