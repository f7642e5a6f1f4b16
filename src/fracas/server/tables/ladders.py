"""Ratings of tables: a ladder is a game and one of its scenarios, and each account has one rating on it.

Its rows are ratings like those of leagues, under a name that no league has. All are of season 1: a ladder goes on when
its rules change, because it is people whom it rates. What a table did to both ratings stays in `table_result`, so that
each rating is the sum of its tables after the tables themselves are gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from fracas.server.arena.ratings import DRAW, LOSS, WIN, Rating, after_match, outcome
from fracas.server.arena.seasons.season import rating_row
from fracas.server.arena.store import leaderboards
from fracas.server.arena.store.leaderboards import Row
from fracas.server.database.tables import rating, table_result
from fracas.server.database.upsert import insert_if_absent
from fracas.server_models import tables as models
from fracas.server_models.arena import Rating as RatingModel

SEASON = 1
PREFIX = "table"
# Points of a side for each winner: 2 for a win, 1 for a draw.
SCORES = {0: (1, 1), 1: (2, 0), 2: (0, 2)}


class Interfered(Exception):
    """Somebody else changed a rating in between, which the locks should have prevented."""


def ladder_of(game: str, scenario: str) -> str:
    """The name of a ladder, as ratings and results are stored under it."""
    return f"{PREFIX} {game}/{scenario}"


def names_of(ladder: str) -> tuple[str, str] | None:
    """The game and the scenario of a ladder; None for a league."""
    word, _, rest = ladder.partition(" ")
    game, _, scenario = rest.partition("/")
    return (game, scenario) if word == PREFIX and scenario else None


def ratings_of(connection: Connection, ladder: str, accounts: Iterable[str]) -> dict[str, Rating]:
    """The ratings of accounts; that of a newcomer for those who have none yet."""
    wanted = sorted(set(accounts))
    rows = connection.execute(_of(ladder, wanted)).all()
    found = {row.account: Rating.of_hex(row.mu, row.sigma) for row in rows}
    return {each: found.get(each, Rating()) for each in wanted}


def rate(connection: Connection, ladder: str, table: str, accounts: Sequence[str], winner: int, now: int) -> None:
    """Rate a table that is over: both ratings, and the rows that they are the sum of.

    Args:
        connection: the transaction that ends the table, and holds its lock.
        ladder: the ladder's name.
        table: the table's id.
        accounts: who sat at both sides.
        winner: 1 or 2; 0 for a draw.
        now: the time.

    Raises:
        Interfered: a rating changed in between.
    """
    # Locked in order, so that two tables that end at once never wait for each other.
    statement = _of(ladder, sorted(accounts)).order_by(rating.c.account).with_for_update()
    locked = {row.account: row for row in connection.execute(statement)}
    if len(locked) < len(accounts):
        for account in sorted(accounts):
            insert_if_absent(connection, rating, rating_row(ladder, SEASON, account, Rating()))
        locked = {row.account: row for row in connection.execute(statement)}
    rows, scores = [locked[account] for account in accounts], SCORES[winner]
    before = [Rating.of_hex(row.mu, row.sigma) for row in rows]
    after = after_match(before[0], before[1], scores)
    for side, row in enumerate(rows):
        ended = outcome(scores[side], scores[1 - side])
        (mu0, sigma0), (mu1, sigma1) = before[side].as_hex(), after[side].as_hex()
        this = (
            (rating.c.league == ladder)
            & (rating.c.season == SEASON)
            & (rating.c.account == row.account)
            & (rating.c.n == row.n)
        )
        changed = {
            "mu": mu1,
            "sigma": sigma1,
            "score": after[side].score,
            "n": row.n + 1,
            "wins": row.wins + int(ended == WIN),
            "draws": row.draws + int(ended == DRAW),
            "losses": row.losses + int(ended == LOSS),
        }
        if connection.execute(update(rating).where(this).values(**changed)).rowcount != 1:
            raise Interfered(ladder)
        values = {"table": table, "side": side, "ladder": ladder, "account": row.account, "n": row.n + 1, "at": now}
        values |= {"points": scores[side], "mu0": mu0, "sigma0": sigma0, "mu1": mu1, "sigma1": sigma1}
        connection.execute(insert(table_result).values(**values))


def results_of(connection: Connection, table: str) -> Sequence[Any]:
    """What a table did to both ratings, by side; nothing for an unrated one."""
    return connection.execute(
        select(table_result).where(table_result.c.table == table).order_by(table_result.c.side)
    ).all()


def changes_of(seats: Sequence[Any], results: Sequence[Any]) -> Iterator[models.RatingChange | None]:
    """What each side's rating was before, and is afterwards once that is known; None at an unrated table."""
    for seat in seats:
        result = next((each for each in results if each.side == seat.side), None)
        if result is not None:
            before, after = Rating.of_hex(result.mu0, result.sigma0), Rating.of_hex(result.mu1, result.sigma1)
            yield models.RatingChange(before=_model(before), after=_model(after))
        else:
            has_one = seat.mu is not None
            yield models.RatingChange(before=_model(Rating.of_hex(seat.mu, seat.sigma))) if has_one else None


def leaderboard(
    connection: Connection, ladder: str, limit: int, after: tuple[int, int, str] | None = None
) -> list[Row]:
    """The ranks of a ladder from the best on, or those after a row's (score, tables, account)."""
    return leaderboards.leaderboard_rows(connection, ladder, SEASON, limit, after)


def ranks_around(connection: Connection, ladder: str, whom: str) -> list[Row]:
    """The ranks around an account; none if no table of its was rated."""
    return leaderboards.rows_around(connection, ladder, SEASON, whom)


def ranks_of(connection: Connection, whom: str) -> list[models.TableRank]:
    """An account's ranks on all ladders where a table of its was rated."""
    mine = select(rating.c.league).where(rating.c.account == whom, rating.c.season == SEASON, rating.c.n > 0)
    found = []
    for ladder in connection.execute(mine.order_by(rating.c.league)).scalars().all():
        names = names_of(ladder)
        row = None if names is None else leaderboards.rating_of(connection, ladder, SEASON, whom)
        if names is not None and row is not None:
            found.append(models.TableRank(game=names[0], scenario=names[1], **vars(row)))
    return found


def _of(ladder: str, accounts: Sequence[str]) -> Any:
    mine = (rating.c.league == ladder) & (rating.c.season == SEASON)
    return select(rating).where(mine, rating.c.account.in_(accounts))


def _model(found: Rating) -> RatingModel:
    return RatingModel(**found.as_json())
