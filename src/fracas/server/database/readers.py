"""Readers: four read-only connections in threads, so that a slow query holds up neither writers nor the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection

from fracas.server.database.engine import READERS, Database

Result = TypeVar("Result")


class Readers:
    """Runs queries: functions of a connection that can only read."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pool = ThreadPoolExecutor(READERS, "fracas reader")

    async def run(self, query: Callable[[Connection], Result]) -> Result:
        """Run a query and return its result. All its statements see the same commit on SQLite."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self.run_now, query)

    def run_now(self, query: Callable[[Connection], Result]) -> Result:
        """Run a query in this thread; see `run`."""
        with self._database.reading.connect() as connection:
            return query(connection)

    def stop(self) -> None:
        """Finish the queries that run, then stop."""
        self._pool.shutdown()
