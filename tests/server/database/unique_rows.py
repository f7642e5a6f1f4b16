"""A process for test_unique.py: insert a row for each unique constraint, and tell which ones went in."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, LargeBinary, Table, UniqueConstraint, insert
from sqlalchemy.exc import IntegrityError, OperationalError

from fracas.server.database.engine import Database, open_database
from fracas.server.database.tables import metadata

# Columns whose value makes a partial unique index apply.
FIXED = {
    "ranked": 1,
    "state": {"entry": "active", "ticket": "waiting", "job": "waiting"},
    "role": {"guild_member": "owner"},
}
# More than any table has constraints: the rows of each name parents of their own.
MOST = 4


def constraints() -> Iterator[tuple[str, Table, tuple[str, ...]]]:
    """Every primary key and unique constraint or index, with its name and columns."""
    for table in metadata.sorted_tables:
        found = [tuple(column.name for column in table.primary_key)]
        found += sorted(
            tuple(column.name for column in each.columns)
            for each in table.constraints
            if isinstance(each, UniqueConstraint)
        )
        found += [tuple(column.name for column in each.columns) for each in table.indexes if each.unique]
        found += [(column.name,) for column in table.columns if column.unique and (column.name,) not in found]
        for columns in found:
            yield f"{table.name}({', '.join(columns)})", table, columns


def value(table: Table, name: str, word: str) -> Any:
    """A value of a column's type that depends on a word; a foreign key names the parent row of that word."""
    column = table.c[name]
    if name in FIXED:
        fixed = FIXED[name]
        found = fixed.get(table.name) if isinstance(fixed, dict) else fixed
        if found is not None:
            return found
    if isinstance(column.type, LargeBinary):
        return word.encode()
    if column.type.python_type is int:
        return zlib.crc32(word.encode()) >> 1
    return word


def row(table: Table, word: str, shared: tuple[str, ...] = (), same: str = "") -> dict[str, Any]:
    """A row in which the shared columns depend on one word and the others on another."""
    return {column.name: value(table, column.name, same if column.name in shared else word) for column in table.columns}


def own_word(me: str, table: Table, columns: tuple[str, ...]) -> str:
    """The word of the parents of a process's row for a constraint."""
    return f"{me}{[found for _, other, found in constraints() if other is table].index(columns)}"


def parents(connection: Connection) -> None:
    """Rows that foreign keys name: for the word that both processes share, and for each one's own."""
    for word in ("s", *(f"{me}{number}" for me in "12" for number in range(MOST))):
        for table in metadata.sorted_tables:
            if any(key.column.table is table for other in metadata.sorted_tables for key in other.foreign_keys):
                found = row(table, word)
                found |= {each.name: word.encode() for each in table.columns if each.name == "revision"}
                connection.execute(insert(table), {**found, **({"ranked": 0} if "ranked" in table.c else {})})


def tried(database: Database, table: Table, found: dict[str, Any]) -> bool:
    """Insert a row; return whether it went in. On a busy machine the other process may hold its lock for long."""
    while True:
        try:
            with database.writing.begin() as connection:
                connection.execute(insert(table), found)
        except IntegrityError:
            return False
        except OperationalError:
            continue
        return True


def main(url: str, me: str) -> None:
    """Wait for a line on standard input before each constraint, then insert."""
    database = open_database(url, shared=True)
    for name, table, columns in constraints():
        sys.stdin.readline()
        # Values that parents do not have, but where they must name one.
        keys = {each.parent.name for each in table.foreign_keys}
        found = row(table, f"own {me} {name}", columns, f"same {name}")
        own = own_word(me, table, columns)
        found |= {key: value(table, key, "s" if key in columns else own) for key in keys}
        went_in = tried(database, table, found)
        sys.stdout.write(json.dumps([name, went_in]) + "\n")
        sys.stdout.flush()
    database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
