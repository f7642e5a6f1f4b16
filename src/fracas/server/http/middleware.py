"""What is around each request: types of ASGI, HEAD, request ids and logs, security headers, how many are open."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import unquote_to_bytes

from fracas.errors import Problem
from fracas.server import ids
from fracas.server.http.answers import ROOT
from fracas.server.http.metrics import Metrics
from fracas.server.http.problems import MEDIA_TYPE, ApiProblem, body_of, not_found, route_of
from fracas.server.settings import Settings

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


log = logging.getLogger("fracas.server.requests")
# uvicorn bounds only what arrives in pieces.
LARGEST_HEAD = 32 * 1024


class RequestScope:
    """Gives each request an id, writes one log line about it, and turns an unexpected exception into a problem.

    The log names the route as written, never the path, the query, a header or a body: these may hold what is private.
    """

    def __init__(self, app: App, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = scope["fracas.request_id"] = ids.random_id()
        started, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            if sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEAD:
                await send_problem(scope, sending, ApiProblem("head-too-large", f"At most {LARGEST_HEAD:,} bytes."))
                return
            if (strange := _strange(scope)) is not None:
                await send_problem(scope, sending, strange)
                return
            await self._app(scope, receive, sending)
        except Exception:
            log.exception("fault", extra={"request_id": request_id, "route": route_of(scope)})
            if status == 0:
                fault = ApiProblem("fault", "The server failed. The log has more under this request id.")
                await send_problem(scope, sending, fault)
        finally:
            seconds = time.perf_counter() - started
            # A client that went away before the answer has the status that nginx gave to it.
            self._metrics.count_request(route_of(scope), scope["method"], status or 499, seconds)
            log.info(
                "request",
                extra={
                    "request_id": request_id,
                    "method": scope["method"],
                    "route": route_of(scope),
                    "status": status or 499,
                    "ms": round(seconds * 1_000, 1),
                },
            )


def _strange(scope: Scope) -> ApiProblem | None:
    """Why a path or a query cannot be looked up: no text of PostgreSQL has a NUL character."""
    if "\0" in scope["path"]:
        return not_found("no path with a NUL character")
    if b"\0" in unquote_to_bytes(scope["query_string"]):
        problem = Problem("query", "contains a NUL character")
        return ApiProblem("invalid-input", "The query is not valid.", problems=[problem])
    return None


PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
TWO_YEARS = 63_072_000


class SecurityHeaders:
    """Adds the headers that an answer does not set itself."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app = app
        self._always = [
            (b"x-content-type-options", b"nosniff"),
            # `no-referrer` would send `Origin: null` with forms; pages of invitations set it themselves.
            (b"referrer-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
        ]
        # Elsewhere browsers ignore it, and say so on each page.
        if settings.is_secure_context:
            self._always.append((b"cross-origin-opener-policy", b"same-origin"))
        if settings.is_https:
            self._always.append((b"strict-transport-security", f"max-age={TWO_YEARS}".encode()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                there = {name.lower(): value for name, value in headers}
                is_page = there.get(b"content-type", b"").startswith(b"text/html")
                policy = PAGE_POLICY if is_page else DATA_POLICY
                added = [*self._always, (b"content-security-policy", policy.encode())]
                if not is_page:
                    added.append((b"cache-control", b"no-store"))
                message["headers"] = headers + [pair for pair in added if pair[0] not in there]
            await send(message)

        await self._app(scope, receive, sending)


class OpenRequests:
    """Answers 503 to a request when too many others are being answered."""

    def __init__(self, app: App, most: int) -> None:
        self._app, self._most, self._open = app, most, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        # An event stream stays open for hours; each account has at most five.
        if scope["type"] != "http" or scope["path"] == f"{ROOT}/events":
            await self._app(scope, receive, send)
            return
        if self._open >= self._most:
            await send_problem(scope, send, busy())
            return
        self._open += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= 1


def busy() -> ApiProblem:
    """The answer of a server that has enough to do."""
    return ApiProblem("unavailable", "Too many requests are open.", headers={"Retry-After": "1"})
