"""Work on jobs: lease one, start a process, follow it, keep its result; as many at a time as there are spare cores."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from contextlib import suppress
from functools import partial
from typing import Any

from fracas.portable.artefacts import rates
from fracas.server.clock import SECOND
from fracas.server.database import schema
from fracas.server.http.context import Context
from fracas.server.jobs import service
from fracas.server.jobs.folders import JobFolders
from fracas.server.jobs.service import Leased, Report
from fracas.server_models.jobs import TABLE

log = logging.getLogger("fracas.server.jobs")

# How often to look for a job, and at least how often a lease is renewed.
PAUSE = 0.5
# How often to look whether the database was migrated.
SCHEMA_SECONDS = 5.0
RENEW_SECONDS = 10.0
# An answer is at most 15 MB of JSON.
LARGEST_LINE = 64 * 1024 * 1024


class JobRunner:
    """Works on the jobs of a server."""

    def __init__(self, context: Context, node: str) -> None:
        self.context = context
        self.node = node
        self.folders = JobFolders(context.settings, context.database)
        self.machine = self.folders.machine()

    async def loop(self) -> None:
        """Work until cancelled, on one job less than there are cores; on the schema before ours, not yet."""
        while await self.context.readers.run(schema.current) < schema.needed():
            await asyncio.sleep(SCHEMA_SECONDS)
        now = self.context.clock.now_ms()
        await self.context.readers.run(partial(self.folders.remove_old, now=now))
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, (os.cpu_count() or 1) - 1)):
                group.create_task(self._work())

    async def _work(self) -> None:
        while True:
            try:
                worked = await self.work_once()
            except asyncio.CancelledError:
                raise
            except Exception:
                log.exception("a job failed and the runner goes on")
                worked = False
            if not worked:
                await asyncio.sleep(PAUSE)

    async def work_once(self) -> bool:
        """Work on one job, if one waits; returns whether one did."""
        now, writer = self.context.clock.now_ms(), self.context.writer
        if not await self.context.readers.run(partial(service.is_any_free, now=now, machine=self.machine)):
            return False
        leased = await writer.run(partial(service.take, now=now, node=self.node, machine=self.machine))
        if leased is None:
            return False
        try:
            answer, is_held = await self._played(leased)
        except asyncio.CancelledError:
            # The server stops: the next one goes on here.
            with suppress(RuntimeError):
                await writer.run(partial(service.put_down, leased=leased))
            raise
        if is_held:
            await writer.run(partial(service.finish, leased=leased, answer=answer, now=self.context.clock.now_ms()))
        if leased.id not in await self.context.readers.run(service.open_jobs):
            self.folders.remove(leased.id)
        return True

    async def _played(self, leased: Leased) -> tuple[dict[str, Any] | None, bool]:
        """The last line of the process, None if it ended without one; and whether the job is still this process's."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "fracas.server.jobs.worker",
            str(_seconds(leased)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LARGEST_LINE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(self._told(leased)).encode())
            await process.stdin.drain()
            process.stdin.close()
            return await self._followed(leased, process.stdout)
        except (BrokenPipeError, ConnectionResetError, ValueError):
            return None, True
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
            await process.wait()

    def _told(self, leased: Leased) -> dict[str, Any]:
        """What the process reads."""
        folder, games = str(self.folders.of(leased.id)), list(self.context.settings.games)
        return {"kind": leased.kind, "document": leased.document, "folder": folder, "games": games}

    async def _followed(self, leased: Leased, lines: asyncio.StreamReader) -> tuple[dict[str, Any] | None, bool]:
        """Read lines until the answer, renewing the lease with each."""
        report = Report(0, "", 0, 0)
        reading = asyncio.ensure_future(lines.readline())
        try:
            while True:
                done, _ = await asyncio.wait((reading,), timeout=RENEW_SECONDS)
                if done:
                    line = reading.result()
                    if not line:
                        return None, True
                    said: dict[str, Any] = json.loads(line)
                    if "progress" not in said:
                        return said, True
                    report = Report(**said)
                    reading = asyncio.ensure_future(lines.readline())
                now = self.context.clock.now_ms()
                renewing = partial(service.renew, leased=leased, report=report, now=now)
                if not await self.context.writer.run(renewing):
                    return None, False
        finally:
            reading.cancel()


def _seconds(leased: Leased) -> float:
    """The processor seconds that are left of a job's price; a class's table pays none, so its battles say it."""
    if leased.kind == TABLE:
        return leased.price.battles / rates(str(leased.document["league"]["ruleset"])).wasm
    return max(0.0, (leased.price.cpu_ms - leased.used.cpu_ms) / SECOND)
