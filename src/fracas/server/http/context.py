"""The context: what a running server has, handed to every route."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from starlette.requests import HTTPConnection, Request

from fracas.server.clock import Clock
from fracas.server.database.engine import Database
from fracas.server.database.notices import Listeners
from fracas.server.database.pulse import Pulse
from fracas.server.database.readers import Readers
from fracas.server.database.writer import Writer
from fracas.server.http.authorisation import Principal
from fracas.server.http.metrics import Metrics
from fracas.server.http.rate_limits import RateLimits
from fracas.server.settings import Settings


class Authenticate(Protocol):
    """Finds out who makes a request."""

    async def __call__(self, request: HTTPConnection) -> Principal:
        """The caller of a request or of a handshake."""

    async def of_token(self, text: str) -> Principal:
        """Whose a token is."""


@dataclass
class Context:
    """The parts of a running server."""

    settings: Settings
    clock: Clock
    database: Database
    writer: Writer
    readers: Readers
    listeners: Listeners
    authenticate: Authenticate
    limits: RateLimits
    metrics: Metrics
    pulse: Pulse
    on_stop: list[Callable[[], None]] = field(default_factory=list)
    """Called when the server is told to stop, before it waits for requests that are still open."""
    preload: bool = True
    """Whether rules are loaded in the background at the start; tests load them when they need them."""
    rules_loaded: threading.Event = field(default_factory=threading.Event)
    """Set when content and rules are loaded; before that the server answers, but is not ready."""
    schema_problem: str | None = None
    """Why the database cannot be served, in a sentence."""
    troubles: dict[str, str] = field(default_factory=dict)
    """What keeps rooms from their work, in sentences that tell nothing private, by the room's name."""
    is_started: bool = False
    """Whether all rooms run; they wait for a schema that fits."""
    parts: dict[str, Any] = field(default_factory=dict)
    """What single rooms keep for their routes, by the room's name: the resolver's threads, the arena's leagues."""


@asynccontextmanager
async def in_background(context: Context, loop: Callable[[], Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Run a room's loop while the server runs; in tests, which take single steps of it, not."""
    task = asyncio.create_task(loop()) if context.preload else None
    yield
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def context_of(request: Request) -> Context:
    """The context of the server that got a request."""
    context: Context = request.app.state.context
    return context


def principal_of(request: Request) -> Principal:
    """Who made a request, as the authorisation check found out."""
    principal: Principal = request.state.principal
    return principal
