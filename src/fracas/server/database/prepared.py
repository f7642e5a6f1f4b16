"""Statements that run for each request or match: compiled once, and on SQLite handed straight to the driver.

SQLAlchemy takes several times as long to run a small statement as SQLite does. These have only parameters that the
driver takes as they are: texts, whole numbers, bytes, None. On PostgreSQL SQLAlchemy runs them.
"""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

Values = Mapping[str, Any]


class Prepared:
    """A statement whose parameters all have names; without lists of unknown length."""

    def __init__(self, statement: Any) -> None:
        self.statement = statement.execution_options(preserve_rowcount=True)
        self._compiled: dict[frozenset[str], _Compiled] = {}

    def run(self, connection: Connection, values: Values) -> int:
        """Run it once; returns how many rows it changed."""
        driver = _driver(connection)
        if driver is None:
            return int(connection.execute(self.statement, values).rowcount)
        compiled = self._for(connection, values)
        return _raised(connection, driver.execute, compiled.sql, compiled.row(values)).rowcount

    def many(self, connection: Connection, rows: Sequence[Values]) -> int:
        """Run it for each row of parameters, which all have the same names; returns how many rows it changed."""
        driver = _driver(connection)
        if not rows:
            return 0
        if driver is None:
            return int(connection.execute(self.statement, rows).rowcount)
        compiled = self._for(connection, rows[0])
        return _raised(connection, driver.executemany, compiled.sql, [compiled.row(row) for row in rows]).rowcount

    def first(self, connection: Connection, values: Values) -> Any:
        """The first row that it returns, with its columns as attributes; None if there is none."""
        driver = _driver(connection)
        if driver is None:
            return connection.execute(self.statement, values).first()
        found = self._rows(connection, driver, values)
        return found[0] if found else None

    def each(self, connection: Connection, rows: Sequence[Values]) -> list[Any]:
        """Run it for each row of parameters; all rows that it returns."""
        driver = _driver(connection)
        if driver is None:
            return list(connection.execute(self.statement, rows)) if rows else []
        return [found for values in rows for found in self._rows(connection, driver, values)]

    def _rows(self, connection: Connection, driver: sqlite3.Connection, values: Values) -> list[Any]:
        compiled = self._for(connection, values)
        cursor = _raised(connection, driver.execute, compiled.sql, compiled.row(values))
        # A cursor with rows left would keep its statement open.
        found = cursor.fetchall()
        return [compiled.made(cursor, row) for row in found]

    def _for(self, connection: Connection, values: Values) -> _Compiled:
        names = frozenset(values)
        found = self._compiled.get(names)
        if found is None:
            found = self._compiled[names] = _Compiled(self.statement, connection, sorted(names))
        return found


class _Compiled:
    """A statement in SQLite's words."""

    def __init__(self, statement: Any, connection: Connection, names: list[str]) -> None:
        compiled = statement.compile(dialect=connection.dialect, column_keys=names)
        self.sql = str(compiled)
        order = list(compiled.positiontup or ())
        self._defaults = {name: compiled.binds[name].effective_value for name in order if name not in names}
        self._taken = itemgetter(*order) if len(order) > 1 else lambda values: [values[name] for name in order]
        self._kind: Any = None

    def row(self, values: Values) -> Sequence[Any]:
        """The parameters in the order of their places."""
        found: Sequence[Any] = self._taken({**self._defaults, **values} if self._defaults else values)
        return found

    def made(self, cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> Any:
        """A row with its columns as attributes."""
        if self._kind is None:
            names = [column[0] for column in cursor.description]
            self._kind = namedtuple("Row", names)  # type: ignore[misc]
        return self._kind._make(row)


def _driver(connection: Connection) -> sqlite3.Connection | None:
    """SQLite's own connection, in a transaction that SQLAlchemy began; None on PostgreSQL and outside of one."""
    if connection.dialect.name != "sqlite" or not connection.in_transaction():
        return None
    found: sqlite3.Connection | None = connection.connection.driver_connection
    return found


def _raised(connection: Connection, run: Any, sql: str, parameters: Any) -> sqlite3.Cursor:
    """Run a statement; raise what SQLAlchemy would raise, such as its `IntegrityError`."""
    try:
        found: sqlite3.Cursor = run(sql, parameters)
    except sqlite3.Error as error:
        raise DBAPIError.instance(
            sql, None, error, sqlite3.Error, hide_parameters=True, dialect=connection.dialect
        ) from error
    return found
