"""Whether a table that this release brings is there: until `fracas server migrate`, it plays on the schema before."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, Table, inspect

_present: WeakKeyDictionary[Engine, set[str]] = WeakKeyDictionary()


def has_table(connection: Connection, table: Table) -> bool:
    """Whether the database has a table. Once it has, it is asked no more."""
    known = _present.setdefault(connection.engine, set())
    if table.name not in known:
        if not inspect(connection).has_table(table.name):
            return False
        known.add(table.name)
    return True
