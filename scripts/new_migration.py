#!/usr/bin/env python3
"""Write the migration that brings the newest schema to src/fracas/server/database/tables.py.

    python scripts/new_migration.py "Count a table's rows"

Read what it writes: Alembic cannot guess a renaming. Expand first, contract in a later release.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from fracas.server.database import schema
from fracas.server.database.engine import open_database


def main(message: str) -> None:
    """Write one migration file."""
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(str(Path(folder) / "new.db"))
        number = schema.needed() + 1
        with database.writing.begin() as connection:
            if number > 1:
                schema.upgrade(connection)
        with database.writing.begin() as connection:
            schema.write_migration(connection, message, number)
        database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
