"""Around each request: an id that logs and problems quote, a log line, metrics, and an answer to every fault."""

from __future__ import annotations

import logging
import time
from urllib.parse import unquote_to_bytes

from fracas.errors import Problem
from fracas.server import ids
from fracas.server.http.asgi import App, Message, Receive, Scope, Send, send_problem
from fracas.server.http.metrics import Metrics
from fracas.server.http.problems import ApiProblem, not_found

log = logging.getLogger("fracas.server.requests")
NO_ROUTE = "none"
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


def route_of(scope: Scope) -> str:
    """The route as it is written, which logs and metrics name; a path may hold what is private."""
    return str(getattr(scope.get("route"), "path", NO_ROUTE))
