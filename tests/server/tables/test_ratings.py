"""Ratings of tables: what is rated, once wherever it is killed; and the check finds what is planted."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest
from sqlalchemy import update
from tests.helpers.duels import Duels, Killed
from tests.helpers.serving import RunningServer
from tests.server.tables.conftest import Table

from fracas.server.arena.proofs.check import Report
from fracas.server.arena.ratings import Rating, after_match
from fracas.server.clock import DAY, MINUTE
from fracas.server.database.engine import Database
from fracas.server.database.tables import game_table, rating, table_result
from fracas.server.http.authorisation import Role
from fracas.server.tables import ladders, store
from fracas.server.tables.check import check_tables

LADDER = ladders.ladder_of("roshambo", "first")


@pytest.fixture
def duels(database: Database, clock) -> Duels:
    return Duels(database, clock)


def ratings(duels: Duels) -> dict[str, tuple[Rating, int, int, int, int]]:
    return {
        row.account: (Rating.of_hex(row.mu, row.sigma), row.n, row.wins, row.draws, row.losses)
        for row in duels.rows(rating)
    }


def test_a_quick_match_is_rated_and_a_draw_is_a_draw(duels: Duels):
    ann, bob = duels.account("ann"), duels.account("bob")
    table = duels.rated(ann, bob, 1)
    first = after_match(Rating(), Rating(), (2, 0))
    assert ratings(duels) == {ann: (first[0], 1, 1, 0, 0), bob: (first[1], 1, 0, 0, 1)}
    changes = [(each.before.rating, each.after and each.after.rating) for each in duels.load(table).ratings if each]
    assert changes == [(1500, first[0].shown), (1500, first[1].shown)]
    duels.rated(bob, ann, 0)
    second = after_match(*first, (1, 1))
    assert ratings(duels) == {ann: (second[0], 2, 1, 1, 0), bob: (second[1], 2, 0, 1, 1)}
    report = duels.report()
    assert (report.tables, report.ratings, report.faults) == (2, 2, [])
    assert [row.league for row in duels.rows(rating)] == [LADDER] * 2


def test_what_is_not_rated(duels: Duels):
    """Ends before the first step, both absent, links and the lobby, a third table in a day, operators."""
    ann, bob = duels.account("ann"), duels.account("bob")
    table = duels.quick(ann)
    duels.quick(bob)
    assert duels.table(table).unrated is None
    duels.begin(table)
    duels.write(lambda c: store.leave(c, table, 1, duels.now))
    assert (duels.table(table).reason, duels.table(table).unrated) == ("left_before_the_start", "not_played")
    assert [seat.aborted_at for seat in duels.load(table).seats] == [None, duels.now]

    both = duels.quick(ann)
    duels.quick(bob)
    duels.step(duels.begin(both))
    duels.finish(both, 0, store.ABANDONED, decided=False)
    assert duels.table(both).unrated == "not_played"

    linked = duels.quick(ann)
    duels.write(lambda c: store.join(c, linked, bob, duels.now))
    duels.step(duels.begin(linked))
    duels.finish(linked, 1)
    assert duels.table(linked).unrated == "not_quick"
    assert duels.rows(rating) == duels.rows(table_result) == []

    # Who gives up or is absent after the first step has lost.
    for winner, reason in ((2, store.RESIGNED), (1, store.FORFEIT)):
        played = duels.quick(ann)
        duels.quick(bob)
        duels.step(duels.begin(played))
        duels.finish(played, winner, reason, decided=False)
        assert duels.table(played).unrated is None
    assert {tuple(counts) for _, *counts in ratings(duels).values()} == {(2, 1, 0, 1)}

    # A third one waits for somebody else, and is unrated after a while.
    third = duels.quick(ann)
    assert duels.quick(bob) != third
    duels.wait(20_000)
    assert duels.table(third).state == store.WAITING
    duels.wait(11_000)
    assert (duels.table(third).state, duels.table(third).unrated) == (store.SEALING, "met_often")
    duels.step(duels.begin(third))
    duels.finish(third, 1)
    assert len(duels.rows(table_result)) == 4
    # A day later they are rated again.
    duels.clock.step(DAY)
    duels.wait(0)
    duels.rated(ann, bob, 1)
    assert len(duels.rows(table_result)) == 6

    boss = duels.account("boss", Role.OPERATOR)
    table = duels.quick(boss)
    duels.quick(bob)
    assert duels.table(table).unrated == "not_players"
    assert duels.report().faults == []


def test_a_table_is_rated_once_wherever_it_is_killed(duels: Duels):
    """After each statement of the end the process is gone; then another one does it, and once more."""
    ann, bob = duels.account("ann"), duels.account("bob")
    table = duels.quick(ann)
    duels.quick(bob)
    duels.step(duels.begin(table))
    before = duels.table(table)
    for statements in range(100):
        try:
            with duels.killed_after(statements):
                duels.finish(table, 1)
        except Killed:
            assert duels.table(table) == before
            assert duels.rows(rating) == duels.rows(table_result) == []
            continue
        break
    assert 8 < statements < 40
    done = ratings(duels)
    assert {each[1] for each in done.values()} == {1}
    assert not duels.finish(table, 2)
    duels.write(lambda c: store.leave(c, table, 0, duels.now))
    assert ratings(duels) == done
    assert len(duels.rows(table_result)) == 2
    assert duels.report().faults == []


def test_tables_that_end_at_once_are_all_counted(duels: Duels):
    """Four tables of five people in four threads: each rating is the sum of its tables, in whatever order they came."""
    people = [duels.account(f"p{number}") for number in range(5)]
    tables = []
    for other in people[1:]:
        table = duels.quick(people[0])
        duels.quick(other)
        tables.append(duels.begin(table))
    begin = threading.Barrier(len(tables))
    failed: list[BaseException] = []

    def end(table: str, winner: int) -> None:
        begin.wait()
        try:
            duels.finish(table, winner)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=end, args=(each, number % 3)) for number, each in enumerate(tables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert ratings(duels)[people[0]][1] == 4
    report = duels.report()
    assert (report.tables, report.faults) == (4, [])


def test_the_check_finds_what_is_planted(duels: Duels):
    ann, bob = duels.account("ann"), duels.account("bob")
    one, other = duels.rated(ann, bob, 1), duels.rated(ann, bob, 2)
    wrong = Rating(30.0, 2.0).as_hex()
    of_ann = rating.c.account == ann
    planted = {
        "is not the sum of its tables": update(rating).where(of_ann).values(mu=wrong[0]),
        "is not the sum": update(rating).where(of_ann).values(score=1),
        "counts other tables": update(rating).where(of_ann).values(wins=2),
        "is missing": rating.delete().where(of_ann),
        "changed ratings otherwise": update(table_result).where(table_result.c.table == other).values(sigma1=wrong[1]),
        "does not begin with the rating": update(table_result)
        .where(table_result.c.table == other, table_result.c.account == bob)
        .values(mu0=wrong[0]),
        "two players": table_result.delete().where(table_result.c.table == one, table_result.c.side == 1),
        "has 0 results": table_result.delete().where(table_result.c.table == other),
        "has 2 results": update(game_table).where(game_table.c.id == one).values(unrated="not_quick"),
        "another winner": update(game_table).where(game_table.c.id == one).values(winner=0),
    }
    assert duels.report().faults == []
    for words, statement in planted.items():
        with suppress(Killed), duels.database.writing.begin() as connection:
            connection.execute(statement)
            report = Report()
            check_tables(connection, report)
            assert any(words in fault for fault in report.faults), (words, report.faults)
            raise Killed
    assert duels.report().faults == []


def test_ranks_and_what_an_account_has_reached(duels: Duels):
    people = [duels.account(f"p{number}") for number in range(4)]
    for winner, loser in ((0, 1), (0, 2), (1, 3), (1, 2)):
        duels.rated(people[winner], people[loser], 1)
        duels.clock.step(MINUTE)
        duels.wait(0)
    ranked = duels.read(lambda c: ladders.leaderboard(c, LADDER, 3))
    assert ranked[0].account.id == people[0]
    assert [row.rank for row in ranked] == [1, 2, 3]
    [own] = duels.read(lambda c: ladders.ranks_of(c, people[0]))
    assert (own.game, own.rank, own.wins, own.matches) == ("roshambo", 1, 2, 2)
    assert duels.read(lambda c: ladders.ranks_of(c, duels.account("new"))) == []


def test_a_server_that_is_killed_after_the_end_tells_it_when_it_is_back(sqlite_server: RunningServer, settings):
    """The end and both ratings are one commit; the next server stores the proof and tells both."""
    table = Table(sqlite_server, "roshambo", quick=True).begin()
    for side in (0, 1):
        table.choose(side, 1, "rock")
        table.sockets[side].settle()
    clock, database = sqlite_server.clock, sqlite_server.database
    sqlite_server.context.writer.stop()
    with database.writing.begin() as connection:
        store.leave(connection, table.id, 1, clock.now_ms())
    with RunningServer(settings, database, clock) as server:
        table.server = server
        server.wait(server.context.parts["tables"].beat())
        again = table.connect(0)
        over = again.hear("over")
        assert over["ending"] == {"winner": 1, "reason": "resigned", "decided": False}
        assert [each["after"]["rating"] > 1500 for each in over["ratings"]] == [True, False]
        duels = Duels(database, clock)
        assert len(duels.rows(table_result)) == 2
        assert duels.report().faults == []
