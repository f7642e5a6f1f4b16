"""Queries of leaderboards: ranks, rows around an account, one account's row."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Connection, and_, bindparam, func, literal, or_, select

from fracas.server.arena.ratings import Rating
from fracas.server.arena.store.people import PERSON, Person, person
from fracas.server.database.tables import account, rating
from fracas.server.http.answers import link, links
from fracas.server_models import arena


class Row(arena.Rank):
    """A row of a leaderboard, with the id of its account."""

    account: Person


# Built once: to build a statement costs as much as to run it.
_ALL = (
    select(rating, *PERSON)
    .join(account, account.c.id == rating.c.account)
    .where(rating.c.league == bindparam("the_league"), rating.c.season == bindparam("the_season"))
)
_RANKED = _ALL.where(rating.c.n > 0)
_BEST_FIRST = _RANKED.order_by(rating.c.score.desc(), rating.c.n, rating.c.account)
_BEST = _BEST_FIRST.limit(bindparam("most"))


def leaderboard_rows(
    connection: Connection, league: str, season: int, limit: int, after: tuple[int, int, str] | None = None
) -> list[Row]:
    """The ranks of a season from the best on, or those after a row's (score, matches, account).

    Sorted by mu - 3 sigma; ties by fewer matches, then by account.
    """
    named = {"the_league": league, "the_season": season, "most": limit}
    query = _BEST if after is None else _BEST.where(_is_behind(*after))
    first = 1 if after is None else rank_of(connection, league, season, after) + 1
    return [_row(row, rank) for rank, row in enumerate(connection.execute(query, named), first)]


def rows_around(connection: Connection, league: str, season: int, whom: str, distance: int = 5) -> list[Row]:
    """The ranks around an account; empty if it has no rated match in the season."""
    named = {"the_league": league, "the_season": season}
    own = connection.execute(_RANKED.where(rating.c.account == whom), named).first()
    if own is None:
        return []
    key = (own.score, own.n, own.account)
    worst_first = (rating.c.score, rating.c.n.desc(), rating.c.account.desc())
    better = connection.execute(_RANKED.where(_is_ahead(*key)).order_by(*worst_first).limit(distance), named).all()
    worse = connection.execute(_BEST_FIRST.where(_is_behind(*key)).limit(distance), named).all()
    first = rank_of(connection, league, season, key) - len(better)
    return [_row(row, rank) for rank, row in enumerate([*reversed(better), own, *worse], first)]


def rank_of(connection: Connection, league: str, season: int, key: tuple[int, int, str]) -> int:
    """The rank of a row of (score, matches, account), from 1."""
    query = select(func.count()).select_from(_RANKED.where(_is_ahead(*key)).subquery())
    return int(connection.execute(query, {"the_league": league, "the_season": season}).scalar_one()) + 1


def sort_key(row: Row) -> tuple[int, int, str]:
    """What a row is sorted by: score, matches, account."""
    return Rating(row.mu, row.sigma).score, row.matches, row.account.id


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
    return Row(
        rank=rank,
        account=person(row),
        **Rating.of_hex(row.mu, row.sigma).as_json(),
        matches=row.n,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        links=links(
            profile=link("profiles", row.handle),
            # Of its last rated match.
            entry=None if row.entry is None else link("entries", row.entry),
        ),
    )


def rating_of(connection: Connection, league: str, season: int, whom: str) -> Row | None:
    """An account's row in a season; rank 0 before its first rated match. None if it has none."""
    named = {"the_league": league, "the_season": season}
    row = connection.execute(_ALL.where(rating.c.account == whom), named).first()
    if row is None:
        return None
    rank = rank_of(connection, league, season, (row.score, row.n, row.account)) if row.n else 0
    return _row(row, rank)
