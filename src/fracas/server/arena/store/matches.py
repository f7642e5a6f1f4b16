"""Queries of matches and their legs, as what others may see of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, bindparam, or_, select

from fracas.server.arena.ratings import Rating, outcome
from fracas.server.arena.records import Missing
from fracas.server.arena.store.people import PERSON, Person, person
from fracas.server.database.tables import account, entry, entry_version, leg, match, match_side


@dataclass(frozen=True)
class SideView:
    """One side of a match, as anybody may see it."""

    place: int
    account: Person
    entry: str
    title: str
    code: str
    version: int
    sealed_digest: bytes
    is_revealed: bool
    salt: bytes
    """The ticket's salt."""
    rated: bool
    before: Rating | None
    after: Rating | None
    score: int
    outcome: str


@dataclass(frozen=True)
class LegView:
    """What one battle of a match came to, for place 1."""

    no: int
    result: int
    reason: str
    rounds: int
    digest: bytes


@dataclass(frozen=True)
class MatchView:
    """A match, as anybody may see it."""

    id: str
    league: str
    season: int
    day: str
    number: int | None
    kind: str
    seed: str
    rules_version: int
    fingerprint: bytes
    revision: bytes
    modifier: str
    legs: int
    result_digest: bytes
    chain: bytes | None
    played_at: int
    sides: tuple[SideView, SideView]

    @property
    def is_public(self) -> bool:
        """Whether the chain holds it; practice, challenges and classes are their players' own."""
        return self.number is not None

    def place_of(self, viewer: str | None) -> int | None:
        """The place of an account in the match; None if it did not play."""
        return next((side.place for side in self.sides if side.account.id == viewer), None)

    def hidden_from(self, viewer: str | None) -> tuple[int, ...]:
        """The places whose decisions an account must not see; authors see their own."""
        return tuple(side.place for side in self.sides if not side.is_revealed and side.account.id != viewer)


# Built once, as above.
_MATCH = select(match).where(match.c.id == bindparam("the_match"))


_LEGS = select(leg).where(leg.c.match == bindparam("the_match")).order_by(leg.c.no)


_SIDES = (
    select(
        match_side,
        *PERSON,
        entry.c.title,
        entry.c.code,
        entry_version.c.sealed_digest,
        entry_version.c.revealed_at,
    )
    .join(account, account.c.id == match_side.c.account)
    .join(entry, entry.c.id == match_side.c.entry)
    .join(
        entry_version,
        and_(entry_version.c.entry == match_side.c.entry, entry_version.c.no == match_side.c.version),
    )
    .where(match_side.c.match.in_(bindparam("the_matches", expanding=True)))
    .order_by(match_side.c.match, match_side.c.place)
)


def match_by_id(connection: Connection, identifier: str) -> MatchView:
    """A match.

    Raises:
        Missing: there is no such match.
    """
    row = connection.execute(_MATCH, {"the_match": identifier}).first()
    if row is None:
        raise Missing("match")
    return _views(connection, [row])[0]


def matches_before(
    connection: Connection,
    limit: int,
    *,
    league: str | None = None,
    season: int | None = None,
    whom: str | None = None,
    opponent: str | None = None,
    viewer: str | None = None,
    before: tuple[int, str] | None = None,
) -> list[MatchView]:
    """Matches, the newest first, or those before a match's (played_at, id).

    `whom` wants an account's matches, `opponent` among them those against another. Matches outside the chain, such as
    practice, are listed for `viewer` alone.
    """
    query = select(match)
    if league is not None:
        query = query.where(match.c.league == league)
    if season is not None:
        query = query.where(match.c.season == season)
    for each in (whom, opponent):
        if each is not None:
            query = query.where(match.c.id.in_(select(match_side.c.match).where(match_side.c.account == each)))
    own = match.c.id.in_(select(match_side.c.match).where(match_side.c.account == viewer))
    query = query.where(match.c.no.is_not(None) if viewer is None else or_(match.c.no.is_not(None), own))
    if before is not None:
        at, identifier = before
        query = query.where(or_(match.c.played_at < at, and_(match.c.played_at == at, match.c.id > identifier)))
    rows = connection.execute(query.order_by(match.c.played_at.desc(), match.c.id).limit(limit)).all()
    return _views(connection, rows)


def legs_of(connection: Connection, identifier: str) -> list[LegView]:
    """The legs of a match."""
    rows = connection.execute(_LEGS, {"the_match": identifier})
    return [LegView(row.no, row.result, row.reason, row.rounds, bytes(row.digest)) for row in rows]


def _views(connection: Connection, rows: Sequence[Any]) -> list[MatchView]:
    if not rows:
        return []
    sides: dict[str, list[Any]] = {}
    for side in connection.execute(_SIDES, {"the_matches": [row.id for row in rows]}):
        sides.setdefault(side.match, []).append(side)
    return [_view(row, sides[row.id]) for row in rows]


def _view(row: Any, sides: Sequence[Any]) -> MatchView:
    scores = (row.score_a, row.score_b)
    first, second = (_side(side, scores[place], scores[1 - place]) for place, side in enumerate(sides))
    return MatchView(
        row.id,
        row.league,
        row.season,
        row.day,
        row.no,
        row.kind,
        row.seed,
        row.rules_version,
        bytes(row.fingerprint),
        bytes(row.revision),
        row.modifier,
        row.legs,
        bytes(row.result_digest),
        None if row.chain is None else bytes(row.chain),
        row.played_at,
        (first, second),
    )


def _side(row: Any, own: int, other: int) -> SideView:
    return SideView(
        row.place,
        person(row),
        row.entry,
        row.title,
        row.code,
        row.version,
        bytes(row.sealed_digest),
        row.revealed_at is not None,
        bytes(row.ticket_salt),
        bool(row.rated),
        None if row.mu0 is None else Rating.of_hex(row.mu0, row.sigma0),
        None if row.mu1 is None else Rating.of_hex(row.mu1, row.sigma1),
        own,
        outcome(own, other),
    )
