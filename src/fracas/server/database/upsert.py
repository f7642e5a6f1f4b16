"""INSERT that meets an existing row: the same statement on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_absent(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row unless it would break a unique constraint; return whether it was inserted."""
    return int(connection.execute(_insert_if_absent(connection.dialect.name, table), values).rowcount) == 1


@cache
def _insert_if_absent(dialect: str, table: Table) -> Any:
    # Built once for each table: building a statement takes longer than running it.
    insert: Any = postgresql.insert if dialect == "postgresql" else sqlite.insert
    return insert(table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)


def insert_or_update(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Insert a row, or update the row with the same primary key."""
    connection.execute(_insert_or_update(connection.dialect.name, table, frozenset(values)), values)


@cache
def _insert_or_update(dialect: str, table: Table, names: frozenset[str]) -> Any:
    statement: Any = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(table)
    keys = [column.name for column in table.primary_key]
    rest = {name: statement.excluded[name] for name in names.difference(keys)}
    if rest:
        return statement.on_conflict_do_update(index_elements=keys, set_=rest)
    return statement.on_conflict_do_nothing()
