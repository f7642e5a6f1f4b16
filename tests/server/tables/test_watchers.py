"""Who watches a rated table hears everything later than its players, in the same order; at others at once."""

from __future__ import annotations

import time

import pytest
from tests.helpers.serving import RunningServer
from tests.server.tables.conftest import Table

from fracas.server.tables import live_table

LATER = 1_500


@pytest.fixture(autouse=True)
def sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than a quiet moment of a test, and shorter than people wait."""
    assert live_table.WATCHERS_LATER == 2_000
    monkeypatch.setattr(live_table, "WATCHERS_LATER", LATER)


def played(table: Table, step: int) -> None:
    """Both choose, and both hear of it."""
    for side in (0, 1):
        table.choose(side, step, ("rock", "paper")[side])
    for socket in table.sockets:
        assert socket.hear("round")["step"] == step


def test_watchers_of_a_rated_table_hear_everything_later(sqlite_server: RunningServer):
    table = Table(sqlite_server, "roshambo", quick=True).begin()
    watcher = table.watch()
    begun = time.monotonic()
    assert watcher.settle() == []
    assert watcher.hear("welcome")["view"]["step"] == 1
    assert time.monotonic() - begun >= LATER / 1_000
    played(table, 1)
    heard = time.monotonic()
    # Who comes now sees nothing of the step that the players have just heard.
    late = table.watch()
    assert watcher.settle() == late.settle() == []
    assert watcher.hear()["payload"]["step"] == 1
    assert time.monotonic() - heard >= LATER / 1_000 - 0.1
    assert late.hear("welcome")["view"]["step"] == 2

    played(table, 2)
    table.sockets[1].say("resign")
    over = table.sockets[0].hear("over")
    assert watcher.settle() == []
    told = [watcher.hear() for _ in range(3)]
    # The step, that it is over, and the proof: as the players heard them.
    assert [each["type"] for each in told] == ["round", "welcome", "over"]
    assert told[2]["payload"] == over


def test_the_clock_that_a_late_watcher_is_told_fits_when_it_is_told(sqlite_server: RunningServer):
    table = Table(sqlite_server, "roshambo", quick=True).begin()
    view = table.sockets[0].heard[-1]["payload"]["view"]
    assert view["milliseconds"] == 60_000
    assert table.watch().hear("welcome")["view"]["milliseconds"] == 60_000 - LATER


def test_watchers_of_other_tables_hear_at_once(sqlite_server: RunningServer):
    table = Table(sqlite_server, "roshambo").begin()
    watcher = table.watch()
    begun = time.monotonic()
    watcher.hear("welcome")
    assert time.monotonic() - begun < LATER / 1_000
    played(table, 1)
    begun = time.monotonic()
    assert watcher.hear("round")["step"] == 1
    assert time.monotonic() - begun < LATER / 1_000
