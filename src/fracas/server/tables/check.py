"""Check the ratings of tables: each is the sum of its tables, and each rated table that is over was rated once."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import Connection, func, select

from fracas.server.arena.proofs.check import Report, in_portions
from fracas.server.arena.ratings import DRAW, LOSS, WIN, Rating, after_match, outcome
from fracas.server.database.tables import game_table, rating, table_result
from fracas.server.tables import ladders, store


def check_tables(connection: Connection, report: Report) -> None:
    """Check everything that the ladders have stored; what is wrong is noted in the report."""
    _check_results(connection, report)
    _check_ladders(connection, report)
    _check_rated(connection, report)


def _check_results(connection: Connection, report: Report) -> None:
    """Both ratings after each table are what the model makes of those before it."""
    one, other = table_result.alias(), table_result.alias()
    names = ("account", "points", "mu0", "sigma0", "mu1", "sigma1")
    columns = [each.c[name].label(f"{name}_{side}") for side, each in enumerate((one, other)) for name in names]
    query = (
        select(one.c.table, one.c.ladder, other.c.ladder.label("other_ladder"), *columns)
        .outerjoin(other, (other.c.table == one.c.table) & (other.c.side == 1))
        .where(one.c.side == 0)
    )
    for row in in_portions(connection, query, one.c.table):
        report.tables += 1
        if row.ladder != row.other_ladder or row.account_0 == row.account_1:
            report.add(f"table {row.table} does not have the results of two players on one ladder")
            continue
        scores = (row.points_0, row.points_1)
        before = [Rating.of_hex(row.mu0_0, row.sigma0_0), Rating.of_hex(row.mu0_1, row.sigma0_1)]
        after = [(row.mu1_0, row.sigma1_0), (row.mu1_1, row.sigma1_1)]
        if scores not in ladders.SCORES.values() or after != [
            each.as_hex() for each in after_match(before[0], before[1], scores)
        ]:
            report.add(f"table {row.table} changed ratings otherwise than its result says")


def _check_ladders(connection: Connection, report: Report) -> None:
    """Each account's results follow on each other, from a newcomer's rating to the one that is stored."""
    of_tables = rating.c.league.startswith(f"{ladders.PREFIX} ", autoescape=True)
    stored = {(row.league, row.account): row for row in connection.execute(select(rating).where(of_tables))}
    reached: dict[tuple[str, str], tuple[int, tuple[str, str]]] = {}
    outcomes: Counter[tuple[str, str, str]] = Counter()
    newcomer = Rating().as_hex()
    for row in in_portions(
        connection, select(table_result), table_result.c.ladder, table_result.c.account, table_result.c.n
    ):
        key = row.ladder, row.account
        number, before = reached.get(key, (0, newcomer))
        if row.n != number + 1 or (row.mu0, row.sigma0) != before:
            report.add(f"table {row.table} does not begin with the rating that {row.account} had on {row.ladder}")
        reached[key] = row.n, (row.mu1, row.sigma1)
        outcomes[(*key, outcome(row.points, 2 - row.points))] += 1
    for key in sorted(stored.keys() | reached.keys()):
        row, (number, last) = stored.get(key), reached.get(key, (0, newcomer))
        name = f"the rating of {key[1]} on {key[0]}"
        report.ratings += 1
        if row is None:
            report.add(f"{name} is missing")
        elif (row.mu, row.sigma, row.score) != (*last, Rating.of_hex(*last).score):
            report.add(f"{name} is not the sum of its tables")
        elif (row.n, row.wins, row.draws, row.losses) != (
            number,
            *(outcomes[(*key, each)] for each in (WIN, DRAW, LOSS)),
        ):
            report.add(f"{name} counts other tables than there are")


def _check_rated(connection: Connection, report: Report) -> None:
    """A rated table that is over has a result of its winner, and no other table has one."""
    count = select(func.count()).where(table_result.c.table == game_table.c.id).scalar_subquery()
    points = (
        select(table_result.c.points)
        .where(table_result.c.table == game_table.c.id, table_result.c.side == 0)
        .scalar_subquery()
    )
    query = select(
        game_table.c.id, game_table.c.state, game_table.c.unrated, game_table.c.winner,
        count.label("results"), points.label("points"),
    )  # fmt: skip
    for row in in_portions(connection, query, game_table.c.id):
        is_rated = row.state == store.OVER and row.unrated is None
        if row.results != (2 if is_rated else 0):
            report.add(f"table {row.id} has {row.results} results")
        elif is_rated and row.points != ladders.SCORES[row.winner][0]:
            report.add(f"table {row.id} was rated with another winner than it has")
