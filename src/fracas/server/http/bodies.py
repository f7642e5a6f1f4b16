"""Bodies: bounded in size, time and depth, and of a type that no foreign form can send, before a route sees them."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import unquote_to_bytes

from fracas.errors import InputError, Problem
from fracas.files.read import parse_json
from fracas.server.http.answers import ROOT
from fracas.server.http.middleware import App, Message, Receive, Scope, Send, busy, header_of, send_problem
from fracas.server.http.origins import METHODS, SAFE_METHODS
from fracas.server.http.problems import ApiProblem
from fracas.server.settings import Settings

LARGEST = 300 * 1024
# Replays hold all events. Their route reads and parses them in a thread.
LARGEST_REPLAY = 4 * 1024 * 1024
# All bodies that are here or arriving. Beyond it new ones are refused; requests without a body are still answered.
MOST_HELD = 128 * 1024 * 1024
LARGE_ROUTES = {f"{ROOT}/verify": LARGEST_REPLAY}
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
# A NUL character as JSON writes it, and not a backslash before "u0000".
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


class Bodies:
    """Reads the body of each request that may have one, checks it, and hands it on whole."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app = app
        self._seconds = settings.body_seconds
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        # No route takes other methods; the router refuses them without reading a body.
        if scope["type"] != "http" or scope["method"] in SAFE_METHODS or scope["method"] not in METHODS:
            await self._app(scope, receive, send)
            return
        parts: list[bytes] = []
        try:
            await self._hand_on(scope, receive, send, parts)
        finally:
            self._held -= sum(map(len, parts))

    async def _hand_on(self, scope: Scope, receive: Receive, send: Send, parts: list[bytes]) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                body = await self._read(scope, receive, parts)
            if body is None:
                return
            _check(scope, body)
        except TimeoutError:
            slow = ApiProblem("too-slow", "The body took too long.", headers={"Connection": "close"})
            await send_problem(scope, send, slow)
            return
        except ApiProblem as error:
            await send_problem(scope, send, error)
            return
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receiving() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, receiving, send)

    async def _read(self, scope: Scope, receive: Receive, parts: list[bytes]) -> bytes | None:
        """The whole body; None if the client went away.

        Raises:
            ApiProblem: 413, larger than allowed; 503, all bodies together are.
        """
        limit = LARGE_ROUTES.get(scope["path"], LARGEST)
        length = header_of(scope, b"content-length")
        # No chunk is read before the announced length was looked at.
        if length is not None and (not length.isdecimal() or len(length) > 12 or int(length) > limit):
            raise _too_large(limit)
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return None
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            self._held += len(parts[-1])
            if size > limit:
                raise _too_large(limit)
            if self._held > MOST_HELD:
                raise busy()
            if not message.get("more_body", False):
                return b"".join(parts)


def _too_large(limit: int) -> ApiProblem:
    return ApiProblem(
        "too-large", f"The body is larger than {limit:,} bytes, which is the limit.", headers={"Connection": "close"}
    )


def _check(scope: Scope, body: bytes) -> None:
    """Refuse bodies of other types, and JSON that is malformed, too deep or ambiguous.

    Raises:
        ApiProblem: 415 for another type, 422 with the problems of the JSON.
    """
    if not body and scope["method"] == "DELETE":
        return
    kind = (header_of(scope, b"content-type") or "").partition(";")[0].strip().lower()
    is_api = scope["path"].startswith("/api/")
    if kind != JSON and (is_api or kind != FORM):
        raise ApiProblem("unsupported-media-type", f"The body must be {JSON}.")
    if kind == FORM and b"\0" in unquote_to_bytes(body):
        raise _has_nul()
    if kind != JSON or scope["path"] in LARGE_ROUTES:
        return
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise ApiProblem("invalid-request", "The body is not UTF-8.") from None
    try:
        parse_json(text, "body")
    except InputError as error:
        raise ApiProblem("invalid-input", "The body is not valid JSON.", problems=error.problems) from None
    if _NUL.search(text):
        raise _has_nul()


def _has_nul() -> ApiProblem:
    """The answer to a text that PostgreSQL cannot store or look up."""
    problem = Problem("body", "contains a NUL character")
    return ApiProblem("invalid-input", "The body is not valid.", problems=[problem])
