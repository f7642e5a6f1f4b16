"""Read an entry: check it against its league, and turn it into a side of a battle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from blake3 import blake3

from fracas.content.canonical import canonical_bytes
from fracas.content.validate import validate
from fracas.errors import Problem
from fracas.player_entries.checking import check_on, resolve_on
from fracas.rulesets.contract.player_entries import WHERE
from fracas.rulesets.contract.types import Document, ResolvedScenario
from fracas.server.arena.entries.budget import budget_problems
from fracas.server.arena.league import League


@dataclass(frozen=True)
class CheckedEntry:
    """An entry that its league accepts."""

    document: Document
    """The entry as plain values, in canonical order."""
    warnings: tuple[Problem, ...]

    @property
    def data(self) -> bytes:
        """The bytes that are stored and hashed."""
        return canonical_bytes(self.document)

    @property
    def digest(self) -> bytes:
        """blake3 of the entry's bytes, 32 bytes."""
        return blake3(self.data).digest()


def sealed_digest(salt: bytes, digest: bytes) -> bytes:
    """A digest of a hidden version that nobody can guess from a list of likely entries: blake3(salt, digest)."""
    return blake3(salt + digest).digest()


def check_entry(league: League, document: Any) -> CheckedEntry:
    """Check an entry from an untrusted source against its league.

    Raises:
        InputError: everything that is wrong with it.
    """
    plain, _, warnings = check_on(league.ground, document, partial(budget_problems, league))
    return CheckedEntry(plain, warnings)


def resolve_side(league: League, document: Document, code: str, modifier: str) -> Document:
    """The resolved document in which an accepted entry is side 1, called by its code.

    Raises:
        InputError: the content has changed, and the entry does not fit it any more.
    """
    return resolve_entry(league, document, code, modifier).document


def resolve_entry(league: League, document: Document, code: str, modifier: str) -> ResolvedScenario:
    """See `resolve_side`; with the model of the document, for the compiler."""
    entry = validate(league.kind.model, document, WHERE)
    return resolve_on(league.ground, entry, code, modifier)
