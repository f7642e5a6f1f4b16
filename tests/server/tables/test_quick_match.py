"""Quick match: the closest by rating, wider with waiting, never oneself, and nobody who left too often today."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.helpers.duels import HOME, Duels
from tests.helpers.serving import RunningServer
from tests.server.tables.conftest import ROOT, Table

from fracas.server.accounts.deletion import delete_account
from fracas.server.arena.matches.pairing import MOST_RATED, Waiting, pair_of
from fracas.server.arena.ratings import MU, Rating
from fracas.server.arena.seasons.season import rating_row
from fracas.server.clock import DAY, HOUR, MINUTE
from fracas.server.database.engine import Database, open_database
from fracas.server.database.tables import game_seat, game_table, rating
from fracas.server.database.upsert import insert_if_absent
from fracas.server.http.problems import ApiProblem
from fracas.server.tables import ladders, quick_match, store
from fracas.server.tables.store import NewTable

NOW = 10 * HOUR
LADDER = ladders.ladder_of("roshambo", "first")


@pytest.fixture
def duels(database: Database, clock) -> Duels:
    return Duels(database, clock)


def shown(number: float) -> Rating:
    """The rating that is shown as a number."""
    return Rating(MU + (number - 1500) / 40, 1.0)


def rate_at(duels: Duels, whom: str, number: float) -> None:
    row = rating_row(LADDER, ladders.SEASON, whom, shown(number))
    duels.write(lambda connection: insert_if_absent(connection, rating, row))


tickets = st.lists(
    st.tuples(st.integers(0, 3_000), st.integers(0, 10 * MINUTE), st.integers(0, 9)), min_size=1, max_size=12
).map(
    lambda rows: [
        Waiting(f"t{number}", f"a{who}", shown(at), NOW - waited) for number, (at, waited, who) in enumerate(rows)
    ]
)
often_met = st.dictionaries(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda two: pair_of(f"a{two[0]}", f"a{two[1]}")),
    st.integers(1, MOST_RATED),
)


@given(tickets, often_met)
def test_whoever_meets_may_meet(waiting: list[Waiting], rated: dict[tuple[str, str], int]):
    found = quick_match.pairs(waiting, rated, NOW)
    met = [(each.first, each.second, may_be_rated) for each, may_be_rated in found if isinstance(each.second, Waiting)]
    assert len(met) == len(found)
    seen = [ticket.ticket for one, other, _ in met for ticket in (one, other)]
    assert len(seen) == len(set(seen))
    for one, other, may_be_rated in met:
        assert one.account != other.account
        window = quick_match.WINDOW + quick_match.WIDENING * (NOW - min(one.since, other.since)) / MINUTE
        assert abs(one.rating.shown - other.rating.shown) <= window
        often = rated.get(pair_of(one.account, other.account), 0) >= MOST_RATED
        assert may_be_rated != often
    # After two minutes nobody waits beside somebody else.
    left = {each.account for each in waiting if each.ticket not in seen and NOW - each.since > 2 * MINUTE}
    assert len(left) <= 1


def test_the_closest_meets_and_windows_widen(duels: Duels):
    people = [duels.account(f"p{number}") for number in range(4)]
    for whom, number in zip(people, (1500, 2400, 1350, 1450), strict=True):
        rate_at(duels, whom, number)
    first = duels.quick(people[0])
    far = duels.quick(people[1])
    assert far != first
    assert duels.quick(people[0]) == first
    # Two wait near; the closer one of those who come sits down.
    assert duels.quick(people[3]) == first
    assert (duels.table(first).state, duels.table(first).unrated) == (store.SEALING, None)
    near = duels.quick(people[2])
    duels.wait(10_000)
    assert duels.table(near).state == duels.table(far).state == store.WAITING
    duels.wait(10_000)
    # Who waited longer keeps its table, and the other's leads there.
    moved = duels.table(near)
    assert (moved.state, moved.reason, moved.rematch) == (store.OVER, store.MOVED, far)
    assert {seat.account for seat in duels.load(far).seats} == {people[1], people[2]}
    assert [row.row.id for row in duels.read(lambda c: store.own_tables(c, people[2], duels.now))] == [far]


def test_who_is_not_there_is_met_by_nobody(duels: Duels):
    ann, bob, cat = (duels.account(name) for name in ("ann", "bob", "cat"))
    table = duels.quick(ann)
    duels.write(lambda c: c.execute(game_seat.update().values(present=None)))
    duels.wait(16_000)
    assert duels.quick(bob) != table
    duels.come(table)
    duels.wait(0)
    assert duels.table(table).state == store.SEALING
    gone = duels.quick(cat)
    duels.write(lambda c: delete_account(c, cat, duels.now))
    assert duels.quick(duels.account("dan")) != gone


def test_three_ends_before_the_first_step_are_enough_for_a_day(duels: Duels):
    """Leaving, not sealing and not opening count, for whoever did so and for nobody else."""
    ann, bob = duels.account("ann"), duels.account("bob")

    def both() -> str:
        table = duels.quick(ann)
        assert duels.quick(bob) == table
        return table

    left = both()
    duels.write(lambda c: store.leave(c, left, 0, duels.now))
    unsealed = both()
    duels.write(lambda c: store.seal_salt(c, unsealed, 1, "ab" * 32, duels.now))
    unopened = both()
    for side in (0, 1):
        duels.write(lambda c, side=side: store.seal_salt(c, unopened, side, "cd" * 32, duels.now))  # type: ignore[misc]
    duels.write(
        lambda c: c.execute(
            game_seat.update().where(game_seat.c.table == unopened, game_seat.c.side == 1).values(salt="x")
        )
    )
    duels.clock.step(2 * MINUTE)
    for table in (unsealed, unopened):
        duels.write(lambda c, table=table: store.expire_before_play(c, table, duels.now))  # type: ignore[misc]
    assert [duels.table(each).unrated for each in (left, unsealed, unopened)] == ["not_played"] * 3
    with pytest.raises(ApiProblem, match="before their first step today") as refused:
        duels.quick(ann)
    tomorrow = duels.now - duels.now % DAY + DAY
    assert int(refused.value.headers["Retry-After"]) == pytest.approx((tomorrow - duels.now) / 1_000, abs=1)
    assert "T00:00:00.000Z" in refused.value.detail
    duels.quick(bob)
    new = NewTable(duels.game, "first", 60)
    duels.write(lambda c: store.open_table(c, new, ann, HOME, duels.now))
    duels.clock.step(tomorrow - duels.now)
    duels.quick(ann)


def test_two_processes_pair_nobody_twice(postgresql, clock):
    """A transaction that is about to pair somebody holds the row, and another one passes over it."""
    duels = Duels(open_database(postgresql.empty_schema()), clock)
    ann, bob, cat = (duels.account(name) for name in ("ann", "bob", "cat"))
    table = duels.quick(ann)
    new = NewTable(duels.game, "first", 60, quick=True)
    with duels.database.writing.begin() as one:
        assert quick_match.quick_match(one, new, bob, HOME, duels.now) == table
        with duels.database.writing.begin() as two:
            own = quick_match.quick_match(two, new, cat, HOME, duels.now)
            assert own != table
    assert {seat.account for seat in duels.load(table).seats} == {ann, bob}
    assert duels.table(own).state == store.WAITING
    assert len(duels.rows(game_table)) == 2
    duels.database.close()


def test_over_the_wire_ranks_ratings_and_the_way_to_the_other_table(sqlite_server: RunningServer):
    table = Table(sqlite_server, "roshambo", quick=True).begin()
    seats = table.stored()["seats"]
    assert (table.stored()["unrated"], table.stored()["quick"]) == (None, True)
    assert [seat["rating"]["before"]["rating"] for seat in seats] == [1500, 1500]
    assert "after" not in seats[0]["rating"]
    for side in (0, 1):
        table.choose(side, 1, "rock")
        table.sockets[side].settle()
    table.sockets[1].say("resign")
    over = table.sockets[0].hear("over")
    assert [each["after"]["rating"] > 1500 for each in over["ratings"]] == [True, False]
    assert table.stored()["seats"][1]["rating"] == over["ratings"][1]

    client = table.clients[0]
    handles = [seat["account"]["handle"] for seat in seats]
    board = f"{ROOT}/table-games/roshambo/leaderboard"
    first = client.get(f"{board}?limit=1").json()
    assert [row["account"]["handle"] for row in first["items"]] == handles[:1]
    assert [row["rank"] for row in client.get(first["links"]["next"]).json()["items"]] == [2]
    around = client.get(f"{board}?around={handles[1]}").json()["items"]
    assert [row["account"]["handle"] for row in around] == handles
    assert client.get(f"{board}?scenario=none").status_code == 422
    assert client.get(f"{ROOT}/table-games/none/leaderboard").status_code == 404
    assert client.get(f"{ROOT}/table-ratings/nobody-here").status_code == 404
    [mine] = client.get(f"{ROOT}/table-ratings/{handles[0]}").json()["items"]
    assert (mine["game"], mine["scenario"], mine["wins"], mine["rank"]) == ("roshambo", "first", 1, 1)
    paths = ("/tables", "/ladders/roshambo", f"/p/{handles[0]}", "/account")
    pages = {path: client.get(path, headers={"Accept": "text/html"}) for path in paths}
    assert {path: answer.status_code for path, answer in pages.items()} == dict.fromkeys(pages, 200)
    assert all(str(mine["rating"]) in answer.text for answer in pages.values())
    assert "roshambo" in client.get(f"/p/{handles[0]}").text

    # A rematch, which nobody finds by chance, is not rated.
    table.sockets[0].say("rematch")
    table.sockets[0].settle()
    table.sockets[1].say("rematch")
    told = [each["payload"]["rematch"] for each in table.sockets[1].settle() if each["type"] == "welcome"]
    following = told[-1]
    assert client.get(f"{ROOT}/tables/{following}").json()["unrated"] == "not_quick"
