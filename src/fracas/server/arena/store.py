"""Queries of the arena: leaderboards, histories, matches and entries, as what others may see of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Connection, Select, and_, bindparam, func, literal, or_, select

from fracas.server.arena.ratings import Rating, outcome
from fracas.server.arena.records import Missing
from fracas.server.database import documents
from fracas.server.database.tables import account, entry, entry_version, leg, match, match_side, rating
from fracas.server.database.tables import league as league_table


@dataclass(frozen=True)
class Person:
    """Whom an account shows itself as."""

    id: str
    handle: str
    name: str
    role: str


@dataclass(frozen=True)
class Row:
    """A row of a leaderboard."""

    rank: int
    account: Person
    rating: Rating
    matches: int
    wins: int
    draws: int
    losses: int
    entry: str | None
    """The id of the entry of its last rated match."""


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


@dataclass(frozen=True)
class VersionView:
    """A version of an entry; its document only for those who may read it."""

    entry: str
    no: int
    sealed_digest: bytes
    created_at: int
    revealed_at: int | None
    document: Any | None
    digest: bytes | None
    salt: bytes | None


@dataclass(frozen=True)
class EntryView:
    """An entry."""

    id: str
    account: Person
    league: str
    code: str
    title: str
    ranked: bool
    versions: int
    state: str
    created_at: int
    school_class: str | None
    """The class that it belongs to."""


def person(row: Any) -> Person:
    """The account of a row that has its id as `account`, handle, display_name and role."""
    return Person(row.account, row.handle, row.display_name or row.handle, row.role)


_PERSON = (account.c.handle, account.c.display_name, account.c.role)


# --- Leaderboards ---------------------------------------------------------------------------------------------------


def _ranked(league: str, season: int) -> Select[Any]:
    return (
        select(rating, *_PERSON)
        .join(account, account.c.id == rating.c.account)
        .where(rating.c.league == league, rating.c.season == season, rating.c.n > 0)
    )


# Built once: to build a statement costs as much as to run it.
_BEST = (
    select(rating, *_PERSON)
    .join(account, account.c.id == rating.c.account)
    .where(rating.c.league == bindparam("the_league"), rating.c.season == bindparam("the_season"), rating.c.n > 0)
    .order_by(rating.c.score.desc(), rating.c.n, rating.c.account)
    .limit(bindparam("most"))
)


def leaderboard(
    connection: Connection, league: str, season: int, limit: int, after: tuple[int, int, str] | None = None
) -> list[Row]:
    """The ranks of a season from the best on, or those after a row's (score, matches, account).

    Sorted by mu - 3 sigma; ties by fewer matches, then by account.
    """
    named = {"the_league": league, "the_season": season, "most": limit}
    query = _BEST if after is None else _BEST.where(_is_behind(*after))
    first = 1 if after is None else rank_of(connection, league, season, after) + 1
    rows = connection.execute(query, named).all()
    return [_row(row, first + place) for place, row in enumerate(rows)]


def around(connection: Connection, league: str, season: int, whom: str, distance: int = 5) -> list[Row]:
    """The ranks around an account; empty if it has no rated match in the season."""
    own = connection.execute(_ranked(league, season).where(rating.c.account == whom)).first()
    if own is None:
        return []
    key = (own.score, own.n, own.account)
    better = connection.execute(
        _ranked(league, season)
        .where(_is_ahead(*key))
        .order_by(rating.c.score, rating.c.n.desc(), rating.c.account.desc())
        .limit(distance)
    ).all()
    worse = connection.execute(
        _ranked(league, season)
        .where(_is_behind(*key))
        .order_by(rating.c.score.desc(), rating.c.n, rating.c.account)
        .limit(distance)
    ).all()
    rank = rank_of(connection, league, season, key)
    rows = [*reversed(better), own, *worse]
    return [_row(row, rank - len(better) + place) for place, row in enumerate(rows)]


def rank_of(connection: Connection, league: str, season: int, key: tuple[int, int, str]) -> int:
    """The rank of a row of (score, matches, account), from 1."""
    query = select(func.count()).select_from(_ranked(league, season).where(_is_ahead(*key)).subquery())
    return int(connection.execute(query).scalar_one()) + 1


def sort_key(row: Row) -> tuple[int, int, str]:
    """What a row is sorted by: score, matches, account."""
    return row.rating.score, row.matches, row.account.id


def _is_behind(score: int, n: int, whom: str) -> Any:
    count = literal(n, BigInteger)
    return or_(
        rating.c.score < score,
        and_(rating.c.score == score, rating.c.n > count),
        and_(rating.c.score == score, rating.c.n == count, rating.c.account > whom),
    )


def _is_ahead(score: int, n: int, whom: str) -> Any:
    # A cursor may hold a number that PostgreSQL would refuse as an INTEGER.
    count = literal(n, BigInteger)
    return or_(
        rating.c.score > score,
        and_(rating.c.score == score, rating.c.n < count),
        and_(rating.c.score == score, rating.c.n == count, rating.c.account < whom),
    )


def _row(row: Any, rank: int) -> Row:
    found = Rating.of_hex(row.mu, row.sigma)
    return Row(rank, person(row), found, row.n, row.wins, row.draws, row.losses, row.entry)


def rating_of(connection: Connection, league: str, season: int, whom: str) -> Row | None:
    """An account's row in a season; rank 0 before its first rated match. None if it has none."""
    row = connection.execute(
        select(rating, *_PERSON)
        .join(account, account.c.id == rating.c.account)
        .where(rating.c.league == league, rating.c.season == season, rating.c.account == whom)
    ).first()
    if row is None:
        return None
    rank = rank_of(connection, league, season, (row.score, row.n, row.account)) if row.n else 0
    return _row(row, rank)


# --- Matches --------------------------------------------------------------------------------------------------------

# Built once, as above.
_MATCH = select(match).where(match.c.id == bindparam("the_match"))
_LEGS = select(leg).where(leg.c.match == bindparam("the_match")).order_by(leg.c.no)
_SIDES = (
    select(
        match_side,
        *_PERSON,
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


def matches(
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


# --- Entries --------------------------------------------------------------------------------------------------------


def _entries() -> Select[Any]:
    return select(entry, *_PERSON).join(account, account.c.id == entry.c.account)


def entry_by_id(connection: Connection, identifier: str) -> EntryView:
    """An entry.

    Raises:
        Missing: there is no such entry.
    """
    row = connection.execute(_entries().where(entry.c.id == identifier)).first()
    if row is None:
        raise Missing("entry")
    return _entry(row)


def entries_of(connection: Connection, whom: str, league: str | None = None) -> list[EntryView]:
    """An account's entries, the oldest first."""
    query = _entries().where(entry.c.account == whom)
    if league is not None:
        query = query.where(entry.c.league == league)
    return [_entry(row) for row in connection.execute(query.order_by(entry.c.id))]


def bots_in(connection: Connection, league: str) -> list[EntryView]:
    """The entries of a league's bots."""
    query = _entries().where(entry.c.league == league, account.c.role == "bot", entry.c.state == "active")
    return [_entry(row) for row in connection.execute(query.order_by(account.c.handle_key))]


def is_known(connection: Connection, identifier: str) -> bool:
    """Whether an entry has fought in public, or is a bot's: others may know that it exists."""
    fought = (
        select(match_side.c.match)
        .join(match, match.c.id == match_side.c.match)
        .where(match_side.c.entry == identifier, match.c.no.is_not(None))
        .limit(1)
    )
    if connection.execute(fought).first() is not None:
        return True
    return entry_by_id(connection, identifier).account.role == "bot"


def versions_of(connection: Connection, identifier: str, viewer: str | None) -> list[VersionView]:
    """The versions of an entry, the newest first; an account reads its own, and others what is revealed."""
    owner = entry_by_id(connection, identifier).account.id
    rows = connection.execute(
        select(entry_version).where(entry_version.c.entry == identifier).order_by(entry_version.c.no.desc())
    ).all()
    return [_version(connection, row, is_readable=owner == viewer or row.revealed_at is not None) for row in rows]


def version_of(connection: Connection, identifier: str, number: int, viewer: str | None) -> VersionView:
    """One version of an entry.

    Raises:
        Missing: there is no such version.
    """
    owner = entry_by_id(connection, identifier).account.id
    row = connection.execute(
        select(entry_version).where(entry_version.c.entry == identifier, entry_version.c.no == number)
    ).first()
    if row is None:
        raise Missing("version")
    return _version(connection, row, is_readable=owner == viewer or row.revealed_at is not None)


def _version(connection: Connection, row: Any, *, is_readable: bool) -> VersionView:
    return VersionView(
        row.entry,
        row.no,
        bytes(row.sealed_digest),
        row.created_at,
        row.revealed_at,
        documents.get(connection, bytes(row.document)) if is_readable else None,
        bytes(row.document) if is_readable else None,
        bytes(row.salt) if is_readable else None,
    )


def _entry(row: Any) -> EntryView:
    return EntryView(
        row.id,
        person(row),
        row.league,
        row.code,
        row.title,
        bool(row.ranked),
        row.last_no,
        row.state,
        row.created_at,
        row._mapping["class"],
    )


def stored_league(connection: Connection, revision: bytes) -> Any:
    """The document of a league as it was at a revision.

    Raises:
        KeyError: no match was ever fought under it.
    """
    return documents.get(connection, revision)


def league_ids(connection: Connection) -> list[str]:
    """The ids of all leagues that ever were."""
    return list(connection.execute(select(league_table.c.id).order_by(league_table.c.id)).scalars())
