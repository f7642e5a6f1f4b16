"""Whether the database can be written: this process notes in it, now and then, that it lives."""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import Connection, delete

from fracas.server.clock import DAY, Clock
from fracas.server.database.tables import node
from fracas.server.database.upsert import insert_or_update
from fracas.server.database.writer import Writer
from fracas.server.ids import new_id

log = logging.getLogger("fracas.server.database")

# However often somebody asks, one write in so many seconds is enough; one that takes longer than this has failed.
EVERY_SECONDS = 5.0
LONGEST_SECONDS = 10.0
KEPT = DAY


class Pulse:
    """Writes a row of this process and tells whether that worked."""

    def __init__(self, writer: Writer, clock: Clock) -> None:
        self._writer, self._clock = writer, clock
        self.name = new_id(clock.now_ms())
        """What this process is called in the database."""
        self._asking = asyncio.Lock()
        self._asked = -EVERY_SECONDS
        self._problem: str | None = None
        self.wrote_at = 0.0
        """When the last write succeeded, in seconds UTC; 0 before the first."""

    async def problem(self) -> str | None:
        """Why the database cannot be written, in a sentence; None if it was written within the last seconds."""
        async with self._asking:
            if time.monotonic() - self._asked >= EVERY_SECONDS:
                found = await self._write()
                if found is not None and found != self._problem:
                    log.error(found)
                self._problem, self._asked = found, time.monotonic()
        return self._problem

    async def _write(self) -> str | None:
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                await self._writer.run(self._note)
        except TimeoutError:
            return f"nothing could be written to the database for {LONGEST_SECONDS:.0f} seconds"
        except Exception as error:
            # The driver's text names files; the log of the failed command has it.
            return f"the database cannot be written ({type(error).__name__})"
        self.wrote_at = self._clock.now_ms() / 1000
        return None

    def _note(self, connection: Connection) -> None:
        now = self._clock.now_ms()
        connection.execute(delete(node).where(node.c.alive_at < now - KEPT))
        insert_or_update(connection, node, {"id": self.name, "alive_at": now, "epoch": 0})
