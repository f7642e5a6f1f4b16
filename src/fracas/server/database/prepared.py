"""Statements that run for each request or match: compiled once, and handed straight to the driver.

SQLAlchemy takes several times as long to run a small statement as SQLite does. These have only parameters that the
drivers take as they are: texts, whole numbers, bytes, None. On PostgreSQL, which is asked over a socket, many rows of
parameters are one statement (`rows_at_once.py`).
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Dialect
from sqlalchemy.exc import DBAPIError

from fracas.server.database.rows_at_once import ROWS, as_json, with_rows

Values = Mapping[str, Any]


class Prepared:
    """A statement whose parameters all have names; without lists of unknown length.

    Args:
        statement: what SQLAlchemy makes.
        row: the parameters that tell which row of the table it changes. It is then one statement for many rows of
            parameters on PostgreSQL, but for those that change a row again: they follow in their order.
    """

    def __init__(self, statement: Any, *, row: Sequence[str] = ()) -> None:
        self.statement = statement.execution_options(preserve_rowcount=True)
        self._row = itemgetter(*row) if row else None
        self._compiled: dict[tuple[str, bool, frozenset[str]], _Compiled] = {}

    def run(self, connection: Connection, values: Values) -> int:
        """Run it once; returns how many rows it changed."""
        if not connection.in_transaction():
            return int(connection.execute(self.statement, values).rowcount)
        compiled = self._for(connection, values)
        return int(_raised(connection, compiled.sql, compiled.row(values)).rowcount)

    def many(self, connection: Connection, rows: Sequence[Values]) -> int:
        """Run it for each row of parameters, which all have the same names; returns how many rows it changed."""
        if not rows:
            return 0
        if not connection.in_transaction():
            return int(connection.execute(self.statement, rows).rowcount)
        if self._row is not None and connection.dialect.name == "postgresql":
            return sum(int(cursor.rowcount) for _, cursor in self._at_once(connection, rows, self._row))
        compiled = self._for(connection, rows[0])
        return int(_raised(connection, compiled.sql, [compiled.row(row) for row in rows], many=True).rowcount)

    def first(self, connection: Connection, values: Values) -> Any:
        """The first row that it returns, with its columns as attributes; None if there is none."""
        if not connection.in_transaction():
            return connection.execute(self.statement, values).first()
        found = self._rows(connection, values)
        return found[0] if found else None

    def each(self, connection: Connection, rows: Sequence[Values]) -> list[Any]:
        """Run it for each row of parameters; all rows that it returns."""
        if not connection.in_transaction():
            return list(connection.execute(self.statement, rows)) if rows else []
        if self._row is not None and connection.dialect.name == "postgresql" and rows:
            found = self._at_once(connection, rows, self._row)
            return [compiled.made(cursor, row) for compiled, cursor in found for row in cursor.fetchall()]
        return [row for values in rows for row in self._rows(connection, values)]

    def _rows(self, connection: Connection, values: Values) -> list[Any]:
        compiled = self._for(connection, values)
        cursor = _raised(connection, compiled.sql, compiled.row(values))
        # A cursor with rows left would keep its statement open.
        return [compiled.made(cursor, row) for row in cursor.fetchall()]

    def _at_once(
        self, connection: Connection, rows: Sequence[Values], row: Callable[[Values], Any]
    ) -> Iterator[tuple[_Compiled, Any]]:
        """Run it with many rows of parameters in one statement, or in as few as change no row twice."""
        for some in _groups(rows, row):
            if len(some) == 1:
                compiled = self._for(connection, some[0])
                yield compiled, _raised(connection, compiled.sql, compiled.row(some[0]))
            else:
                compiled = self._for(connection, some[0], at_once=True)
                yield compiled, _raised(connection, compiled.sql, compiled.row({ROWS: as_json(some)}))

    def _for(self, connection: Connection, values: Values, *, at_once: bool = False) -> _Compiled:
        dialect = _dialect(connection)
        names = frozenset(values)
        key = (dialect.name, at_once, names)
        found = self._compiled.get(key)
        if found is None:
            statement = with_rows(self.statement, dialect, sorted(names)) if at_once else self.statement
            found = self._compiled[key] = _Compiled(statement, dialect, [] if at_once else sorted(names))
        return found


def _groups(rows: Sequence[Values], row: Callable[[Values], Any]) -> Iterator[list[Values]]:
    """Rows of parameters in their order, in groups that change no row twice."""
    group: list[Values] = []
    seen: set[Any] = set()
    for values in rows:
        key = row(values)
        if key in seen:
            yield group
            group, seen = [], set()
        group.append(values)
        seen.add(key)
    yield group


class _Compiled:
    """A statement in the words of a database."""

    def __init__(self, statement: Any, dialect: Dialect, names: list[str]) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=names or None)
        self.sql = str(compiled)
        order = list(compiled.positiontup or ())
        self._defaults = {name: compiled.binds[name].effective_value for name in order if name not in names}
        self._taken = itemgetter(*order) if len(order) > 1 else lambda values: [values[name] for name in order]
        self._kind: Any = None

    def row(self, values: Values) -> Sequence[Any]:
        """The parameters in the order of their places."""
        found: Sequence[Any] = self._taken({**self._defaults, **values} if self._defaults else values)
        return found

    def made(self, cursor: Any, row: tuple[Any, ...]) -> Any:
        """A row with its columns as attributes."""
        if self._kind is None:
            names = [column[0] for column in cursor.description]
            self._kind = namedtuple("Row", names)  # type: ignore[misc]
        return self._kind._make(row)


def _dialect(connection: Connection) -> Dialect:
    return connection.dialect if connection.dialect.name == "sqlite" else _with_places()


@cache
def _with_places() -> Dialect:
    """PostgreSQL's dialect with parameters by place, which psycopg reads faster than names."""
    from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

    made: Any = PGDialect_psycopg
    found: Dialect = made(paramstyle="format")
    return found


def _raised(connection: Connection, sql: str, parameters: Any, *, many: bool = False) -> Any:
    """Run a statement by the driver; raise what SQLAlchemy would raise, such as its `IntegrityError`."""
    driver: Any = connection.connection.driver_connection
    errors: Any = connection.dialect.loaded_dbapi.Error
    try:
        if connection.dialect.name == "sqlite":
            return (driver.executemany if many else driver.execute)(sql, parameters)
        if not many:
            return driver.execute(sql, parameters, prepare=True)
        cursor = driver.cursor()
        cursor.executemany(sql, parameters)
    except errors as error:
        is_lost = bool(getattr(driver, "closed", False))
        if is_lost:
            connection.invalidate(error)
        raise DBAPIError.instance(
            sql,
            None,
            error,
            errors,
            hide_parameters=True,
            connection_invalidated=is_lost,
            dialect=connection.dialect,
        ) from error
    return cursor
