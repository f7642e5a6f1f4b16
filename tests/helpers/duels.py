"""Tables for tests, by the commands that change them: without a server, and without playing what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, event, select
from sqlalchemy.engine import Engine

from fracas.replay.table_file import table_salt_seal
from fracas.server.accounts import store as accounts
from fracas.server.arena.proofs.check import Report
from fracas.server.clock import SteppingClock
from fracas.server.database.engine import Database
from fracas.server.database.tables import game_seat
from fracas.server.http.authorisation import Role
from fracas.server.tables import catalogue, quick_match, store
from fracas.server.tables.check import check_tables
from fracas.server.tables.store import NewTable

Result = TypeVar("Result")
HOME = "test"
NONCES = ("a" * 64, "b" * 64)


class Killed(Exception):
    """The process is gone."""


class Duels:
    """A database with accounts that play at tables."""

    def __init__(self, database: Database, clock: SteppingClock) -> None:
        self.database, self.clock = database, clock
        self.game = catalogue.game_of("roshambo", ())
        self.write(lambda connection: store.note_alive(connection, HOME, self.now))

    @property
    def now(self) -> int:
        return self.clock.now_ms()

    def write(self, command: Callable[[Connection], Result]) -> Result:
        """Run a command in a transaction."""
        with self.database.writing.begin() as connection:
            return command(connection)

    def read(self, query: Callable[[Connection], Result]) -> Result:
        with self.database.reading.connect() as connection:
            return query(connection)

    def rows(self, table: Any) -> list[Any]:
        """All rows of a table of the database, in the order of its key."""
        return self.read(lambda connection: list(connection.execute(select(table).order_by(*table.primary_key))))

    def account(self, handle: str, role: Role = Role.PLAYER) -> str:
        found = self.write(lambda connection: accounts.create(connection, handle, None, self.now, role=role))
        assert found is not None
        return found

    def quick(self, whom: str) -> str:
        """Ask for a quick match, and come to the table."""
        self.clock.step(1)
        new = NewTable(self.game, next(iter(self.game.scenarios)), quick_match.SECONDS, quick=True)
        table = self.write(lambda connection: quick_match.quick_match(connection, new, whom, HOME, self.now))
        self.come(table)
        return table

    def come(self, table: str) -> None:
        """Connect all who sit at a table."""
        sits = (game_seat.c.table == table) & game_seat.c.account.is_not(None)
        self.write(lambda connection: connection.execute(game_seat.update().where(sits).values(present=HOME)))

    def wait(self, milliseconds: int) -> None:
        """Let time pass; the process lives on, and looks at those who wait."""
        self.clock.step(milliseconds)

        def command(connection: Connection) -> None:
            store.note_alive(connection, HOME, self.now)
            for pool in quick_match.pools(connection):
                quick_match.pair_waiting(connection, pool, self.now)

        self.write(command)

    def table(self, identifier: str) -> Any:
        """The row of a table."""
        return self.load(identifier).row

    def load(self, identifier: str) -> store.Stored:
        return self.read(lambda connection: store.load(connection, identifier, self.now))

    def begin(self, table: str) -> str:
        """Seal and open both salts."""
        for side in (0, 1):
            seal = table_salt_seal(side + 1, "salt", NONCES[side])
            self.write(lambda c, side=side, seal=seal: store.seal_salt(c, table, side, seal, self.now))  # type: ignore[misc]
        for side in (0, 1):
            self.write(lambda c, side=side: store.open_salt(c, table, side, "salt", NONCES[side], self.now))  # type: ignore[misc]
        return table

    def step(self, table: str) -> None:
        """Play a step."""
        self.choose(table, {0: 0, 1: 0})

    def choose(self, table: str, actions: dict[int, int]) -> None:
        """Choose for the current step, at which both decide."""
        found = self.load(table)
        assert self.write(lambda c: store.choose(c, found, actions, (0, 1), self.now)) is not None

    def finish(self, table: str, winner: int, reason: str = "down", *, decided: bool = True) -> bool:
        return self.write(lambda c: store.finish(c, table, winner, reason, self.now, decided=decided))

    def rated(self, one: str, other: str, winner: int) -> str:
        """A whole rated table; the winner is the first, the second or nobody of the two, wherever they sit."""
        table = self.quick(one)
        assert self.quick(other) == table
        self.step(self.begin(table))
        first = self.load(table).seats[0].account
        self.finish(table, winner if first == one or not winner else 3 - winner)
        return table

    def report(self) -> Report:
        """What the check finds."""
        report = Report()
        self.read(lambda connection: check_tables(connection, report))
        return report

    @contextmanager
    def killed_after(self, statements: int) -> Iterator[None]:
        """End every transaction after some statements, as a process that is killed does."""
        engine: Engine = self.database.writing
        left = statements

        def count(*_: Any) -> None:
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1

        event.listen(engine, "after_cursor_execute", count)
        try:
            yield
        finally:
            event.remove(engine, "after_cursor_execute", count)
