"""How far a job is, as server-sent events. Each event is the whole job, so whoever missed some needs only the last."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from functools import partial

from fracas.server.accounts.event_stream import COMMENT_SECONDS, MOST_PER_ACCOUNT, RETRY_MS, Follower
from fracas.server.database.readers import Readers
from fracas.server.http.authorisation import Principal
from fracas.server.http.problems import ApiProblem, too_many
from fracas.server.job_rows import JobView
from fracas.server.jobs import service


class ProgressStreams:
    """All open streams of jobs of this process, woken by notices of commits."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self._loop = asyncio.get_running_loop()
        self._followers: defaultdict[str, set[Follower]] = defaultdict(set)
        self._is_open = True

    def hear(self, notice: str) -> None:
        """Listen to notices, in any thread: `job:ID` wakes streams, `token:ACCOUNT` ends those of an account."""
        kind, _, name = notice.partition(":")
        if kind in ("job", "token") and not self._loop.is_closed():
            key = notice if kind == "job" else f"account:{name}"
            self._loop.call_soon_threadsafe(self._wake, key, kind == "token")

    def close(self) -> None:
        """End all streams; clients come back to the process that serves next."""
        self._is_open = False
        for key in tuple(self._followers):
            self._wake(key, True)

    def _wake(self, key: str, is_over: bool) -> None:
        for follower in self._followers.get(key, ()):
            follower.is_over |= is_over
            follower.changed.set()

    def refuse_if_full(self, caller: Principal) -> None:
        """Refuse a stream to a caller who has five.

        Raises:
            ApiProblem: 429.
        """
        if len(self._followers.get(caller.subject, ())) >= MOST_PER_ACCOUNT:
            raise too_many(f"You follow {MOST_PER_ACCOUNT} jobs already.", COMMENT_SECONDS)

    async def texts(self, caller: Principal, job: str, last: int) -> AsyncIterator[str]:
        """The text of one stream: the job now, unless it is the version that the client has, and after each change."""
        follower = Follower()
        follower.is_over = not self._is_open
        keys = (caller.subject, f"job:{job}")
        for key in keys:
            self._followers[key].add(follower)
        try:
            yield f"retry: {RETRY_MS}\n\n"
            async for text in self._follow(caller.account, follower, job, last):
                yield text
        finally:
            for key in keys:
                self._followers[key].discard(follower)
                if not self._followers[key]:
                    del self._followers[key]

    async def _follow(self, whom: str | None, follower: Follower, job: str, last: int) -> AsyncIterator[str]:
        while not follower.is_over:
            follower.changed.clear()
            try:
                found = await self._readers.run(partial(service.job_of, whom=whom, identifier=job))
            except ApiProblem:
                # It was deleted meanwhile.
                return
            if found.version != last:
                last = found.version
                yield _text(found)
            if found.is_over:
                return
            try:
                async with asyncio.timeout(COMMENT_SECONDS):
                    await follower.changed.wait()
            except TimeoutError:
                yield ": still here\n\n"


def _text(found: JobView) -> str:
    kind = "ended" if found.is_over else "progress"
    return f"id: {found.version}\nevent: {kind}\ndata: {found.model_dump_json(exclude_unset=True)}\n\n"
