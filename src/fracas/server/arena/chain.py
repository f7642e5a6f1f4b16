"""The chain of a league-day: each match is chained to the one before, so that none changes without a trace.

A day has a format, which says what its chain binds. Format 1 binds the seeds' inputs and the results. Format 2 also
binds who fought, what the match changed and what its season pins. A day keeps the format that it began with.
"""

from __future__ import annotations

from dataclasses import dataclass

from fracas.server.arena.day_secrets import Field, SeedInputs, hash_fields

FIRST_FORMAT, NEWEST_FORMAT = 1, 2
# What the hashes of each format begin with, so that none is also one of another format.
_DOMAINS = {FIRST_FORMAT: "fracas chain", NEWEST_FORMAT: "fracas chain 2"}

HexRating = tuple[str, str]
"""Mu and sigma as `float.hex`."""


@dataclass(frozen=True)
class SeasonPins:
    """What a season pins."""

    number: int
    rules_version: int
    fingerprint: bytes
    """Of the content."""
    revision: bytes
    """Of the league's document."""
    rating_model: str

    @property
    def fields(self) -> tuple[Field, ...]:
        """The pins in the order in which they are hashed."""
        return self.number, self.rules_version, self.fingerprint, self.revision, self.rating_model


@dataclass(frozen=True)
class SideChange:
    """Who fought on a side, and what the match did to its rating."""

    account: str
    """The account's id, never its handle."""
    entry: str
    """The entry's code."""
    version: int
    is_rated: bool
    number: int | None
    """Counts the account's rated matches of the season from 1; None where unrated."""
    before: HexRating | None
    """None in a league without ratings, like `after`."""
    after: HexRating | None

    @property
    def fields(self) -> tuple[Field, ...]:
        """The values in the order in which they are hashed; what is None is the empty text."""
        number = "" if self.number is None else self.number
        ratings = (*(self.before or ("", "")), *(self.after or ("", "")))
        return self.account, self.entry, self.version, int(self.is_rated), number, *ratings


@dataclass(frozen=True)
class ChainedMatch:
    """Everything of a match that the chain can bind."""

    inputs: SeedInputs
    result_digest: bytes
    kind: str
    modifier: str
    season: SeasonPins
    sides: tuple[SideChange, SideChange]

    def fields(self, format: int) -> tuple[Field, ...]:
        """What a format binds, in the order in which it is hashed."""
        bound = (*self.inputs.fields, self.result_digest)
        if format == FIRST_FORMAT:
            return bound
        first, second = self.sides
        return (*bound, self.kind, self.modifier, *self.season.fields, *first.fields, *second.fields)


def first_head(format: int, commitment: bytes, league: str, day: str) -> bytes:
    """The head of a league-day's chain before its first match."""
    return hash_fields(_DOMAINS[format], commitment, league, day)


def next_head(format: int, previous: bytes, match: ChainedMatch) -> bytes:
    """The head of the chain after a match."""
    return hash_fields(_DOMAINS[format], previous, *match.fields(format))
