"""The application: rooms joined under one authorisation table, started and stopped in order."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.routing import iter_route_contexts

from fracas.server.accounts.authentication import Authentication
from fracas.server.clock import Clock
from fracas.server.database.engine import Database, open_database
from fracas.server.database.notices import Listeners
from fracas.server.database.readers import Readers
from fracas.server.database.writer import Writer
from fracas.server.http.authorisation import Access, Table, admit, route_path
from fracas.server.http.context import Context
from fracas.server.http.errors import add_error_handlers
from fracas.server.settings import Settings

# The modules of each service. A module has `router` and `ACCESS`, and may have `lifespan(context)`, an asynchronous
# context manager that runs while the server does.
SERVICES: dict[str, tuple[str, ...]] = {
    "resolver": ("fracas.server.resolver.routes",),
    "arena": (),
    "pages": (),
}
ALWAYS: tuple[str, ...] = ()


def create_app(settings: Settings, *, clock: Clock | None = None, database: Database | None = None) -> FastAPI:
    """Make the application. The database is opened when it starts, unless an open one is given.

    Raises:
        RuntimeError: a route is missing in the authorisation table.
    """
    modules = [import_module(name) for name in ALWAYS]
    for service in settings.services:
        modules += [import_module(name) for name in SERVICES[service]]
    app = FastAPI(
        title="Fracas",
        dependencies=[Depends(check_caller)],
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},
        lifespan=lambda app: _running(app, modules, database, clock or Clock()),
    )
    rows: list[Access] = []
    for module in modules:
        app.include_router(module.router)
        rows += module.ACCESS
    app.state.settings = settings
    app.state.access = Table(rows)
    app.state.access.check(iter_route_contexts(app.routes))
    add_error_handlers(app)
    return app


async def check_caller(request: Request) -> None:
    """Find out who asks and whether the route answers them; every route depends on this."""
    context: Context = request.app.state.context
    access = request.app.state.access.row(request.method, route_path(request))
    principal = await context.authenticate(request)
    request.state.principal = principal
    admit(access, principal)


@asynccontextmanager
async def _running(app: FastAPI, modules: list[Any], given: Database | None, clock: Clock) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    database = given or open_database(settings.database)
    listeners = Listeners()
    writer, readers = Writer(database, listeners), Readers(database)
    authentication = Authentication(settings, clock, readers, writer)
    listeners.add(authentication.cache.hear)
    context = Context(settings, clock, database, writer, readers, listeners, authentication)
    app.state.context = context
    try:
        async with AsyncExitStack() as stack:
            for module in modules:
                if hasattr(module, "lifespan"):
                    await stack.enter_async_context(module.lifespan(context))
            yield
    finally:
        writer.stop()
        readers.stop()
        if given is None:
            database.close()
