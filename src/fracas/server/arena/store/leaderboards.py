"""Queries of leaderboards: ranks, rows around an account, one account's row."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Connection, Select, and_, bindparam, func, literal, or_, select

from fracas.server.arena.ratings import Rating
from fracas.server.arena.store.people import PERSON, Person, person
from fracas.server.database.tables import account, rating
from fracas.server.http.answers import link, links
from fracas.server_models import arena


class Row(arena.Rank):
    """A row of a leaderboard, with the id of its account."""

    account: Person


def _ranked(league: str, season: int) -> Select[Any]:
    return (
        select(rating, *PERSON)
        .join(account, account.c.id == rating.c.account)
        .where(rating.c.league == league, rating.c.season == season, rating.c.n > 0)
    )


# Built once: to build a statement costs as much as to run it.
_BEST = (
    select(rating, *PERSON)
    .join(account, account.c.id == rating.c.account)
    .where(rating.c.league == bindparam("the_league"), rating.c.season == bindparam("the_season"), rating.c.n > 0)
    .order_by(rating.c.score.desc(), rating.c.n, rating.c.account)
    .limit(bindparam("most"))
)


def leaderboard_rows(
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


def rows_around(connection: Connection, league: str, season: int, whom: str, distance: int = 5) -> list[Row]:
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
    row = connection.execute(
        select(rating, *PERSON)
        .join(account, account.c.id == rating.c.account)
        .where(rating.c.league == league, rating.c.season == season, rating.c.account == whom)
    ).first()
    if row is None:
        return None
    rank = rank_of(connection, league, season, (row.score, row.n, row.account)) if row.n else 0
    return _row(row, rank)
