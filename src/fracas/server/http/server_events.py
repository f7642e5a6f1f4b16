"""Streams of server-sent events: who follows what, woken by notices of commits."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from fastapi.responses import StreamingResponse

from fracas.server.http.authorisation import Principal
from fracas.server.http.problems import too_many

MOST_PER_SUBJECT = 5
COMMENT_SECONDS = 15.0
RETRY_MS = 2_000

# The texts of all events since the last call; None at the end of the stream.
News = Callable[[], Awaitable[Sequence[str] | None]]


class _Follower:
    """One open stream."""

    def __init__(self, is_over: bool) -> None:
        self.changed = asyncio.Event()
        self.is_over = is_over


class EventStreams:
    """Open streams of this process. A stream is woken by one notice, and ended when its account signs out."""

    def __init__(self, full: str) -> None:
        """`full` is what somebody is told who has too many."""
        self.count = 0
        """How many streams are open."""
        self._full = full
        self._loop = asyncio.get_running_loop()
        self._followers: defaultdict[str, set[_Follower]] = defaultdict(set)
        self._is_open = True

    def hear(self, notice: str) -> None:
        """Listen to notices, in any thread. A client whose token is still valid connects again at once."""
        kind, _, account = notice.partition(":")
        is_over = kind == "token"
        key = f"account:{account}" if is_over else notice
        # Nobody follows most notices, and each call wakes the loop; who begins to follow reads what is there first.
        if (is_over or key in self._followers) and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, key, is_over)

    def close(self) -> None:
        """End all streams; clients come back to the process that serves next."""
        self._is_open = False
        for key in tuple(self._followers):
            self._wake(key, True)

    def _wake(self, key: str, is_over: bool) -> None:
        for follower in self._followers.get(key, ()):
            follower.is_over |= is_over
            follower.changed.set()

    def answer(self, caller: Principal, notice: str, news: News) -> StreamingResponse:
        """Answer with a stream of news, asked for at once and after each such notice; a comment every 15 seconds.

        Raises:
            ApiProblem: 429, the caller has five.
        """
        if len(self._followers.get(caller.subject, ())) >= MOST_PER_SUBJECT:
            raise too_many(self._full, COMMENT_SECONDS)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(
            self._texts((caller.subject, notice), news), headers=headers, media_type="text/event-stream"
        )

    async def _texts(self, keys: Sequence[str], news: News) -> AsyncIterator[str]:
        follower = _Follower(is_over=not self._is_open)
        for key in keys:
            self._followers[key].add(follower)
        self.count += 1
        try:
            yield f"retry: {RETRY_MS}\n\n"
            async for text in _follow(follower, news):
                yield text
        finally:
            self.count -= 1
            for key in keys:
                self._followers[key].discard(follower)
                if not self._followers[key]:
                    del self._followers[key]


async def _follow(follower: _Follower, news: News) -> AsyncIterator[str]:
    while not follower.is_over:
        follower.changed.clear()
        texts = await news()
        if texts is None:
            return
        for text in texts:
            yield text
        if texts:
            continue
        try:
            async with asyncio.timeout(COMMENT_SECONDS):
                await follower.changed.wait()
        except TimeoutError:
            yield ": still here\n\n"


def event_text(number: int, kind: str, data: str) -> str:
    """One event; `data` is JSON, which has no line breaks, so that one line holds it."""
    return f"id: {number}\nevent: {kind}\ndata: {data}\n\n"
