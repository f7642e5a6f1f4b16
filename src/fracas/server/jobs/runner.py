"""Work on jobs, one at a time: lease, start a process, follow its progress, keep its result."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection, select, update

from fracas.portable.artefacts import rates
from fracas.server.clock import SECOND
from fracas.server.database import documents, streams
from fracas.server.database.tables import job
from fracas.server.http.context import Context

log = logging.getLogger("fracas.server.jobs")

LEASE = 30 * SECOND
RENEW_SECONDS = 10.0
PAUSE = 1.0
# A result is a table of at most 200 entries.
LARGEST_LINE = 64 * 1024 * 1024


@dataclass(frozen=True)
class Leased:
    """A job that this process works on."""

    id: str
    account: str
    subject: str
    price: int
    document: dict[str, Any]


def take(connection: Connection, now: int, node: str) -> Leased | None:
    """Lease the oldest waiting job, or one whose process died; it starts again from the beginning."""
    is_free = (job.c.state == "waiting") | ((job.c.state == "running") & (job.c.lease_until < now))
    row = connection.execute(
        select(job).where(is_free).order_by(job.c.id).limit(1).with_for_update(skip_locked=True)
    ).first()
    if row is None:
        return None
    values = {"state": "running", "lease_until": now + LEASE, "node": node, "progress": 0}
    connection.execute(update(job).where(job.c.id == row.id).values(**values))
    return Leased(row.id, row.account, row.subject, row.price, documents.get(connection, bytes(row.document)))


def renew(connection: Connection, identifier: str, progress: int, now: int) -> bool:
    """Renew a lease and note progress; False if the job was cancelled or deleted."""
    where = (job.c.id == identifier) & (job.c.state == "running")
    values = {"lease_until": now + LEASE, "progress": progress}
    return connection.execute(update(job).where(where).values(**values)).rowcount == 1


def finish(connection: Connection, leased: Leased, answer: dict[str, Any] | None, now: int) -> bool:
    """Keep a job's result, or why it failed, and tell its account; False if it was cancelled or deleted."""
    problem = None
    if answer is None:
        problem = "was stopped: it used more memory or processor time than a job may"
    elif "problems" in answer:
        problem = "; ".join(answer["problems"])[:2000]
    values = {
        "state": "done" if problem is None else "failed",
        "problem": problem,
        "result": documents.put(connection, answer["result"]) if problem is None and answer is not None else None,
        "progress": 1000,
        "lease_until": None,
        "done_at": now,
    }
    where = (job.c.id == leased.id) & (job.c.state == "running")
    if connection.execute(update(job).where(where).values(**values)).rowcount != 1:
        return False
    body = {"job": leased.id, "class": leased.subject, "state": values["state"]}
    streams.append(connection, [(leased.account, "job.done", body)], now)
    return True


class JobRunner:
    """Works on the jobs of a server, one after another."""

    def __init__(self, context: Context, node: str) -> None:
        self.context = context
        self.node = node

    async def loop(self) -> None:
        """Work until cancelled."""
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
        now = self.context.clock.now_ms()
        leased = await self.context.writer.run(partial(take, now=now, node=self.node))
        if leased is None:
            return False
        answer = await self._played(leased)
        finished = partial(finish, leased=leased, answer=answer, now=self.context.clock.now_ms())
        await self.context.writer.run(finished)
        return True

    async def _played(self, leased: Leased) -> dict[str, Any] | None:
        """The last line of the process; None if it ended without an answer, or was killed."""
        ruleset = str(leased.document["league"]["ruleset"])
        seconds = leased.price / rates(ruleset).wasm
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "fracas.server.jobs.worker",
            str(seconds),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LARGEST_LINE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(leased.document).encode())
            await process.stdin.drain()
            process.stdin.close()
            return await self._followed(leased, process.stdout)
        except (BrokenPipeError, ConnectionResetError, ValueError):
            return None
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def _followed(self, leased: Leased, lines: asyncio.StreamReader) -> dict[str, Any] | None:
        """Read lines until the answer, renewing the lease; None if the process ends, or the job is cancelled."""
        progress, reading = 0, asyncio.ensure_future(lines.readline())
        try:
            while True:
                done, _ = await asyncio.wait((reading,), timeout=RENEW_SECONDS)
                if done:
                    line = reading.result()
                    if not line:
                        return None
                    said: dict[str, Any] = json.loads(line)
                    if "progress" not in said:
                        return said
                    progress = int(said["progress"])
                    reading = asyncio.ensure_future(lines.readline())
                now = self.context.clock.now_ms()
                if not await self.context.writer.run(partial(renew, identifier=leased.id, progress=progress, now=now)):
                    return None
        finally:
            reading.cancel()
