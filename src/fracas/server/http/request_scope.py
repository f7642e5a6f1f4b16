"""Around each request: an id that logs and problems quote, a log line, metrics, and an answer to every fault."""

from __future__ import annotations

import logging
import time

from fracas.server import ids
from fracas.server.http.asgi import App, Message, Receive, Scope, Send, send_problem
from fracas.server.http.links import ROOT
from fracas.server.http.metrics import Metrics
from fracas.server.http.problems import ApiProblem

log = logging.getLogger("fracas.server.requests")
NO_ROUTE = "none"
# uvicorn bounds only what arrives in pieces.
LARGEST_HEAD = 32 * 1024


class RequestScope:
    """Gives each request an id, writes one log line about it, and turns an unexpected exception into a problem.

    The log names the route as written, never the path, the query, a header or a body: these may hold what is private.
    """

    def __init__(self, app: App, metrics: Metrics, most_at_a_time: int) -> None:
        self._app, self._metrics = app, metrics
        self._most, self._open = most_at_a_time, 0

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

        # An event stream stays open for hours; each account has at most five.
        counts = scope["path"] != f"{ROOT}/events"
        self._open += counts
        try:
            if sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEAD:
                await send_problem(scope, sending, ApiProblem("head-too-large", f"At most {LARGEST_HEAD:,} bytes."))
                return
            if self._open > self._most:
                busy = ApiProblem("unavailable", "Too many requests are open.", headers={"Retry-After": "1"})
                await send_problem(scope, sending, busy)
                return
            await self._app(scope, receive, sending)
        except Exception:
            log.exception("fault", extra={"request_id": request_id, "route": _route(scope)})
            if status == 0:
                fault = ApiProblem("fault", "The server failed. The log has more under this request id.")
                await send_problem(scope, sending, fault)
        finally:
            self._open -= counts
            seconds = time.perf_counter() - started
            # A client that went away before the answer has the status that nginx gave to it.
            self._metrics.count_request(_route(scope), scope["method"], status or 499, seconds)
            log.info(
                "request",
                extra={
                    "request_id": request_id,
                    "method": scope["method"],
                    "route": _route(scope),
                    "status": status or 499,
                    "ms": round(seconds * 1_000, 1),
                },
            )


def _route(scope: Scope) -> str:
    return str(getattr(scope.get("route"), "path", NO_ROUTE))
