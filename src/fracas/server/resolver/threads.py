"""Threads for short work: four at a time, a few seconds each, and a bounded queue."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from fracas.server.http.problems import ApiProblem

Result = TypeVar("Result")

AT_A_TIME = 4
MOST_WAITING = 32
SECONDS = 2.0
# Shipped content is no stranger's work; the first request may wait for it to be read.
SECONDS_OF_READING = 15.0
SECONDS_OF_SOLVING = 15.0


class WorkThreads:
    """Runs short work outside the event loop.

    A thread cannot be killed. What takes too long is answered with 503, keeps its thread until it ends, and is counted
    until then.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_A_TIME, "fracas resolver")
        self._taken = 0

    async def run(
        self, work: Callable[[], Result], seconds: float, took: Callable[[float], None] | None = None
    ) -> Result:
        """Run work and return its result.

        When the work really ends, failed or after nobody waits any more, `took` is called in its thread with the
        milliseconds of processor time.

        Raises:
            ApiProblem: 503, 32 others wait, or it took too long.
        """
        if self._taken >= AT_A_TIME + MOST_WAITING:
            raise _later("Too many requests wait.", 1)
        self._taken += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, _timed, work, took)
        future.add_done_callback(self._done)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(future)
        except TimeoutError:
            raise _later(f"This took longer than {seconds:g} s.", 10) from None

    def _done(self, future: Any) -> None:
        self._taken -= 1
        if not future.cancelled():
            future.exception()  # Seen, also if nobody waits any more.

    def stop(self) -> None:
        """Finish what runs; forget what waits."""
        self._pool.shutdown(cancel_futures=True)


def _timed(work: Callable[[], Result], took: Callable[[float], None] | None) -> Result:
    began = time.thread_time()
    try:
        return work()
    finally:
        if took is not None:
            took((time.thread_time() - began) * 1_000)


def _later(detail: str, seconds: int) -> ApiProblem:
    return ApiProblem("unavailable", detail, headers={"Retry-After": str(seconds)})
