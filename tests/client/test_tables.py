"""Two programs play live tables of a server: quick match brings them together, rates them, and ranks them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from benchmarks.live_server import LiveServer
from tests.server.tables.test_quick_match import LADDER, shown

from fracas.client import Client
from fracas.server.arena.seasons.season import rating_row
from fracas.server.database.engine import open_database
from fracas.server.database.tables import account, rating
from fracas.server.tables.ladders import SEASON
from fracas.server_models.tables import MOST_PER_SECOND

GAME = Path(__file__).parents[2] / "examples" / "games" / "roshambo" / "roshambo.py"
PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FRACAS_GAMES", str(GAME))
        patch.setenv("FRACAS_JIT", "0")
        with LiveServer(tmp_path_factory.mktemp("tables"), ["--services", "tables", "--sign-up", "open"]) as server:
            yield server


def played(client: Client, table: str, choice: str) -> tuple[Any, str]:
    """Play a table to its end with one choice; the end, and the table at which it came."""
    with client.tables.play(table) as playing:
        for _ in playing:
            view = playing.view
            if view is not None and view.choices and view.chosen is None:
                playing.choose(choice)
        found = playing.verify()
        assert found.matches, found.explanation
        return playing.over, playing.id


def test_who_is_far_apart_meets_after_a_while_and_goes_over(live: LiveServer):
    with Client(live.url) as ann, Client(live.url) as bob:
        for client, handle in ((ann, "ann"), (bob, "bob")):
            client.register(handle, PASSWORD)
        database = open_database(str(live.folder / "fracas.db"), shared=True)
        with database.writing.begin() as connection:
            for handle, number in (("ann", 1500), ("bob", 2020)):
                whom = connection.execute(account.select().where(account.c.handle == handle)).one().id
                connection.execute(rating.insert(), rating_row(LADDER, SEASON, whom, shown(number)))
        database.close()

        first = ann.tables.quick("roshambo").id
        with ThreadPoolExecutor(2) as pool:
            one = pool.submit(played, ann, first, "rock")
            second = bob.tables.quick("roshambo").id
            other = pool.submit(played, bob, second, "paper")
            (over, here), (_, there) = one.result(), other.result()
        assert second != first
        assert here == there == first
        winner = over.ending.winner - 1
        assert ann.tables.table(first).seats[winner].account.handle == "bob"
        change = [each.after.mu - each.before.mu for each in over.ratings]
        assert change[1 - winner] < 0 < change[winner]
        assert [row.account.handle for row in ann.tables.leaderboard("roshambo")] == ["bob", "ann"]
        assert [row.links for row in ann.tables.leaderboard("roshambo", around="ann")] == [{}, {}]
        [reached] = ann.tables.ratings("bob")
        assert (reached.game, reached.rank, reached.wins) == ("roshambo", 1, 1)
        assert [each.id for each in bob.tables.mine()] == [first]
        ending = ann.tables.table(second).ending
        assert ending is not None
        assert ending.reason == "met_elsewhere"


def test_a_table_that_closes_before_both_sit_ends_the_messages(live: LiveServer):
    with Client(live.url) as cat:
        cat.register("cat", PASSWORD)
        table = cat.tables.open("roshambo")
        with cat.tables.play(table.id) as playing:
            next(iter(playing))
            cat.tables.leave(table.id)
            assert [each.type for each in playing][-1] == "welcome"
            assert playing.over is None


def test_who_answers_every_message_at_once_is_not_dropped(live: LiveServer):
    with Client(live.url) as dan:
        dan.register("dan", PASSWORD)
        table = dan.tables.open("roshambo")
        with dan.tables.play(table.id) as playing:
            next(iter(playing))
            for _ in range(2 * MOST_PER_SECOND):
                playing._say("ping")
            dan.tables.leave(table.id)
            assert [each.type for each in playing][-1] == "welcome"
