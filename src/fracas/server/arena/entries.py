"""Entries: check one against its league's size, prices, copies and bans, and turn it into a side of a battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from blake3 import blake3

from fracas.content.canonical import canonical_bytes
from fracas.content.validate import validate
from fracas.engine.scenario import Scenario
from fracas.errors import Problem
from fracas.errors.suggestions import quoted
from fracas.player_entries.checking import check_on, resolve_on
from fracas.rulesets.contract.player_entries import WHERE
from fracas.rulesets.contract.types import Document
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
    entry = validate(league.kind.model, document, WHERE)
    return resolve_on(league.ground, entry, code, modifier).document


def scenario_of(league: League, document: Document) -> Scenario:
    """A resolved document as a scenario, ready to be played.

    Raises:
        InputError: the content has changed, and an entry does not fit it any more.
    """
    return Scenario(league.ruleset, document, league.ruleset.compile(document, {}))


def cost(league: League, entry: Any) -> int:
    """What an entry costs in points."""
    return sum(league.price(piece.id) for piece in league.kind.pieces(entry))


def budget_problems(league: League, entry: Any) -> Iterator[Problem]:
    """Everything in which an entry exceeds what its league allows."""
    pieces = list(league.kind.pieces(entry))
    size, what = league.file.size, league.kind.what
    if not size.least <= len(pieces) <= size.most:
        message = f"has {len(pieces)} {what}s; {league.id} wants {size.least} to {size.most}"
        yield Problem(WHERE, message)
    for piece in pieces:
        if piece.id in league.file.banned:
            yield Problem(f"{WHERE}: {piece.path}", f"{quoted(piece.id)} is banned in {league.id}")
    for name, count in Counter(piece.id for piece in pieces).items():
        if count > league.file.max_copies:
            message = f"names {quoted(name)} {count} times; {league.id} allows {league.file.max_copies}"
            yield Problem(WHERE, message)
    total = cost(league, entry)
    if total > league.file.points:
        dearest = max(pieces, key=lambda piece: league.price(piece.id))
        hint = f"the dearest is {quoted(dearest.id)} for {league.price(dearest.id)}"
        yield Problem(WHERE, f"costs {total} points; {league.id} allows {league.file.points}", hint)
