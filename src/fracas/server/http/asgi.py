"""Types of ASGI, and answers sent before a route is found."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from fracas.server.http.problems import MEDIA_TYPE, ApiProblem, body_of

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def header_of(scope: Scope, name: bytes) -> str | None:
    """The value of a header, or None. Repeated headers are joined with commas, as HTTP says."""
    values = [value for key, value in scope["headers"] if key == name]
    return b", ".join(values).decode("latin-1") if values else None


async def send_problem(scope: Scope, send: Send, error: ApiProblem) -> None:
    """Answer a request with a problem."""
    body = json.dumps(body_of(error, scope.get("fracas.request_id"), scope.get("path"))).encode()
    headers = {"content-type": MEDIA_TYPE, "content-length": str(len(body)), **error.headers}
    encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": error.kind.status, "headers": encoded})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


class AnswerHead:
    """Answers HEAD as GET without the body."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        # A copy: the web server must go on to see HEAD, or it misses the body that Content-Length announces.
        asked = {**scope, "method": "GET"}

        async def sending(message: Message) -> None:
            # The head is the whole answer. Whoever streams a body hears at once that nobody listens any more.
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b""})

        try:
            await self._app(asked, receive, sending)
        finally:
            if "route" in asked:
                # Logs and metrics name it.
                scope["route"] = asked["route"]
