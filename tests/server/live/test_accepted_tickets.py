"""Every accepted ticket fights once, or waits: two processes on one PostgreSQL under load, one of which is killed."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from benchmarks.live_server import LiveServer
from sqlalchemy import select
from tests.helpers import soak
from tests.helpers.commands import DONE, call
from tests.helpers.postgresql import Postgresql
from tests.server.live.test_examples import LEAGUE, PASSWORD, TEAM

from fracas.client import Client, ConnectionFailed
from fracas.server.database.engine import Database, open_database
from fracas.server.database.tables import match_side, ticket

PLAYERS = 16
# Seats in matches that are waited for before the kill, and after it.
SEATS, MORE_SEATS = 32, 16
SECONDS = 60.0


@pytest.fixture
def url(postgresql: Postgresql) -> str:
    """A database with all tables."""
    return postgresql.empty_schema()


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """The database, to look into."""
    found = open_database(url)
    yield found
    found.close()


@pytest.fixture
def servers(url: str, tmp_path: Path) -> Iterator[list[LiveServer]]:
    """Two processes that were started one after the other, with one secret file."""
    (tmp_path / "leagues").mkdir()
    # No bots: people meet each other, whichever process they asked.
    text = LEAGUE.replace('mode = "ranked"', 'mode = "ranked"\nbot_after = 3600\nwindow = 10000')
    (tmp_path / "leagues" / "squads.toml").write_text(text)
    with ExitStack() as stack:
        found = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            options = ["--database", url, "--leagues", "../leagues", "--secret-file", "../fracas.secret"]
            found.append(stack.enter_context(LiveServer(tmp_path / name, [*options, "--processes", "2"])))
        yield found


class Asking(threading.Thread):
    """Accounts that enter the queue at one process, again as soon as they have fought."""

    def __init__(self, url: str, players: Sequence[tuple[str | None, str]]) -> None:
        super().__init__(daemon=True)
        self.players = [(Client(url, token=token), entry) for token, entry in players]
        self.salts: list[str] = []
        self.stopping = threading.Event()

    def run(self) -> None:
        """Ask until told to stop, or the process is gone."""
        try:
            while not self.stopping.is_set():
                for client, entry in self.players:
                    if not client.arena.tickets():
                        self.salts.append(client.arena.enter(entry).salt)
        except ConnectionFailed:
            return
        finally:
            for client, _ in self.players:
                client.close()


def wait_for(happened: Callable[[], bool]) -> None:
    ends = time.monotonic() + SECONDS
    while not happened():
        assert time.monotonic() < ends
        time.sleep(0.02)


def fought(database: Database) -> Counter[str]:
    """How often each ticket fought, by its salt."""
    with database.reading.connect() as connection:
        return Counter(bytes(salt).decode() for salt in connection.execute(select(match_side.c.ticket_salt)).scalars())


@soak.only
def test_a_kill_of_one_of_two_processes_loses_nothing(
    url: str, database: Database, servers: list[LiveServer], capsys: pytest.CaptureFixture[str]
):
    urls = [each.url for each in servers]
    players = []
    for number in range(PLAYERS):
        # Who registers at one process is known to the other at once.
        with Client(urls[number % 2]) as client:
            token = client.register(f"player-{number}", PASSWORD).token
        with Client(urls[1 - number % 2], token=token) as client:
            players.append((token, client.arena.submit("squads", "A team", TEAM, ranked=True).entry))
    asking = [Asking(url, players[place::2]) for place, url in enumerate(urls)]
    for each in asking:
        each.start()
    wait_for(lambda: fought(database).total() >= SEATS)
    servers[0].kill()
    before = fought(database).total()
    wait_for(lambda: fought(database).total() >= before + MORE_SEATS)
    servers[0].start()
    for each in asking:
        each.stopping.set()
        each.join(SECONDS)
        assert not each.is_alive()
    for server in servers:
        server.stop()
    times = fought(database)
    with database.reading.connect() as connection:
        waiting = {bytes(salt).decode() for salt in connection.execute(select(ticket.c.salt)).scalars()}
    assert set(times.values()) == {1}
    assert not waiting & times.keys()
    accepted = {salt for each in asking for salt in each.salts}
    assert accepted <= waiting | times.keys()
    folder = servers[0].folder.parent
    options: list[str | Path] = ["--leagues", folder / "leagues", "--secret-file", folder / "fracas.secret"]
    checked = call(capsys, "server", "check", "--database", url, *options)
    assert checked.status == DONE, checked.out + checked.err
    assert re.search(rf"^matches played again +{len(times) // 2}$", checked.out, re.MULTILINE), checked.out
    assert [fault for server in servers for fault in server.faults()] == []
