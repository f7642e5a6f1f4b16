"""Event streams: an account's events over server-sent events, resumed by the last id that the client saw."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator
from functools import partial

from fracas.server.clock import iso
from fracas.server.database import streams
from fracas.server.database.readers import Readers
from fracas.server.http.problems import too_many

MOST_PER_ACCOUNT = 5
COMMENT_SECONDS = 15.0
RETRY_MS = 2_000


class Follower:
    """One open stream."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        self.is_over = False


class EventStreams:
    """All open streams of this process, woken by notices of commits."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self._loop = asyncio.get_running_loop()
        self._followers: defaultdict[str, set[Follower]] = defaultdict(set)
        self._is_open = True

    def hear(self, notice: str) -> None:
        """Listen to notices, in any thread: `stream:ACCOUNT` wakes streams, `token:ACCOUNT` ends them.

        A client whose token is still valid connects again at once.
        """
        kind, _, account = notice.partition(":")
        if kind in ("stream", "token") and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, account, kind == "token")

    def close(self) -> None:
        """End all streams; clients come back to the process that serves next."""
        self._is_open = False
        for account in tuple(self._followers):
            self._wake(account, True)

    @property
    def count(self) -> int:
        """How many streams are open."""
        return sum(map(len, self._followers.values()))

    def _wake(self, account: str, is_over: bool) -> None:
        for follower in self._followers.get(account, ()):
            follower.is_over |= is_over
            follower.changed.set()

    def refuse_if_full(self, account: str) -> None:
        """Refuse a stream to an account that has five.

        Raises:
            ApiProblem: 429.
        """
        if len(self._followers.get(account, ())) >= MOST_PER_ACCOUNT:
            raise too_many(f"You have {MOST_PER_ACCOUNT} event streams open.", COMMENT_SECONDS)

    async def texts(self, account: str, last: int | None) -> AsyncIterator[str]:
        """The text of one stream: events after a number, or new ones only; a comment every 15 seconds.

        When events after the number are no longer kept, one event `reset` comes first; the client reads again what it
        shows.
        """
        follower = Follower()
        follower.is_over = not self._is_open
        self._followers[account].add(follower)
        try:
            async for text in self._follow(account, follower, last):
                yield text
        finally:
            self._followers[account].discard(follower)
            if not self._followers[account]:
                del self._followers[account]

    async def _follow(self, account: str, follower: Follower, last: int | None) -> AsyncIterator[str]:
        yield f"retry: {RETRY_MS}\n\n"
        if last is None:
            last = await self._readers.run(lambda connection: streams.last_number(connection, account))
        while not follower.is_over:
            follower.changed.clear()
            found = await self._readers.run(partial(streams.after, account=account, seq=last))
            if found is None:
                last = await self._readers.run(lambda connection: streams.last_number(connection, account))
                yield _text(last, "reset", {"reason": "events after the last id are no longer kept"})
                continue
            for each in found:
                last = each.seq
                yield _text(each.seq, each.type, {**each.body, "at": iso(each.at)})
            if found:
                continue
            try:
                async with asyncio.timeout(COMMENT_SECONDS):
                    await follower.changed.wait()
            except TimeoutError:
                yield ": still here\n\n"


def _text(seq: int, kind: str, body: object) -> str:
    # JSON text has no line breaks, so one data line holds it.
    return f"id: {seq}\nevent: {kind}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n"
