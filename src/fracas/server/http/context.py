"""The context: what a running server has, handed to every route."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request

from fracas.server.clock import Clock
from fracas.server.database.engine import Database
from fracas.server.database.notices import Listeners
from fracas.server.database.readers import Readers
from fracas.server.database.writer import Writer
from fracas.server.http.principal import Principal
from fracas.server.settings import Settings


@dataclass
class Context:
    """The parts of a running server."""

    settings: Settings
    clock: Clock
    database: Database
    writer: Writer
    readers: Readers
    listeners: Listeners
    authenticate: Callable[[Request], Awaitable[Principal]]
    parts: dict[str, Any] = field(default_factory=dict)
    """What single rooms keep for their routes, by the room's name: the resolver's threads, the arena's leagues."""


def context_of(request: Request) -> Context:
    """The context of the server that got a request."""
    context: Context = request.app.state.context
    return context


def principal_of(request: Request) -> Principal:
    """Who made a request, as the authorisation check found out."""
    principal: Principal = request.state.principal
    return principal
