"""The application: rooms joined under one authorisation table, started and stopped in order."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from typing import Any

from fastapi import Depends, FastAPI, WebSocketException
from starlette.requests import HTTPConnection

from fracas.rulesets import registry
from fracas.server.accounts.authentication import Authentication
from fracas.server.clock import Clock
from fracas.server.database import schema
from fracas.server.database.engine import Database, open_database
from fracas.server.database.notices import Listeners, PostgresqlListener
from fracas.server.database.pulse import Pulse
from fracas.server.database.readers import Readers
from fracas.server.database.writer import Writer
from fracas.server.housekeeping import keep_house
from fracas.server.http.authorisation import SOCKET, Role, Table, admit, route_path
from fracas.server.http.bodies import Bodies
from fracas.server.http.context import Context
from fracas.server.http.metrics import Metrics
from fracas.server.http.middleware import AnswerHead, OpenRequests, RequestScope, SecurityHeaders
from fracas.server.http.origins import Origins, address_of
from fracas.server.http.problems import ApiProblem, add_error_handlers
from fracas.server.http.rate_limits import RateLimits
from fracas.server.settings import Settings

# The modules of each service. A module has `router`, and may have `lifespan(context)`, an asynchronous context manager
# that runs while the server does.
SERVICES: dict[str, tuple[str, ...]] = {
    "resolver": ("fracas.server.resolver.routes", "fracas.server.jobs.routes", "fracas.server.jobs.asking"),
    "arena": (
        "fracas.server.arena.routes.leagues",
        "fracas.server.arena.routes.entries",
        "fracas.server.arena.routes.queue",
        "fracas.server.arena.routes.matches",
        "fracas.server.arena.routes.profiles",
        "fracas.server.arena.routes.classes",
        "fracas.server.arena.routes.guilds",
        "fracas.server.arena.routes.tournaments",
        "fracas.server.jobs.routes",
    ),
    "tables": ("fracas.server.tables.routes",),
    "pages": ("fracas.server.pages.account_pages", "fracas.server.pages.assets"),
}
# The pages of another service, which are there if both are on.
PAGES_OF: dict[str, tuple[str, ...]] = {
    "resolver": ("fracas.server.pages.job_pages",),
    "arena": (
        "fracas.server.pages.routes",
        "fracas.server.pages.playing",
        "fracas.server.pages.editor",
        "fracas.server.pages.class_pages",
        "fracas.server.pages.guild_pages",
        "fracas.server.pages.tournament_pages",
    ),
    "tables": ("fracas.server.pages.table_pages",),
}
# The start page of a server without leagues.
WELCOME = "fracas.server.pages.welcome"
ALWAYS = ("fracas.server.accounts.routes", "fracas.server.health", "fracas.server.documentation")


# What answers while the database has another schema than this program needs.
ALWAYS_ANSWERED = frozenset({"/healthz", "/readyz", "/metrics"})
_LATER = {"Retry-After": "30"}
# How often a server on an older schema looks whether it was migrated.
SCHEMA_SECONDS = 2.0


def create_app(
    settings: Settings, *, clock: Clock | None = None, database: Database | None = None, preload: bool = True
) -> FastAPI:
    """Make the application. The database is opened when it starts, unless an open one is given.

    With `preload` the rules are loaded in the background, and /readyz waits for them.

    Raises:
        RuntimeError: a route does not say what it needs.
    """
    modules = [import_module(name) for name in module_names(settings.services)]
    clock = clock or Clock()
    app = FastAPI(
        title="Fracas",
        dependencies=[Depends(check_caller)],
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},
        lifespan=lambda app: _running(app, modules, database, clock, preload),
    )
    routes: list[Any] = list(app.routes)
    app.state.problem_page = None
    for module in modules:
        app.include_router(module.router)
        routes += module.router.routes
        app.state.problem_page = getattr(module, "problem_page", app.state.problem_page)
    app.state.settings = settings
    app.state.limits = RateLimits(settings, clock)
    app.state.access = Table(routes)
    add_error_handlers(app)
    app.state.metrics = Metrics()
    # The last one added is the outermost.
    app.add_middleware(OpenRequests, most=settings.most_connections)
    app.add_middleware(Bodies, settings=settings)
    app.add_middleware(Origins, settings=settings)
    app.add_middleware(AnswerHead)
    app.add_middleware(SecurityHeaders, settings=settings)
    app.add_middleware(RequestScope, metrics=app.state.metrics)
    return app


def module_names(services: Collection[str]) -> list[str]:
    """The modules of services that are on."""
    found = list(ALWAYS)
    for service in services:
        found += SERVICES[service]
    if "pages" in services:
        found += [name for service, names in PAGES_OF.items() if service in services for name in names]
        if "arena" not in services:
            found.append(WELCOME)
    # Two services have jobs.
    return list(dict.fromkeys(found))


async def check_caller(request: HTTPConnection) -> None:
    """Find out who asks and whether the route answers them; every route depends on this.

    Raises:
        ApiProblem: they are refused.
        WebSocketException: they are, at a WebSocket.
    """
    if request.scope["type"] != "websocket":
        await _check(request, str(request.scope["method"]))
        return
    try:
        await _check(request, SOCKET)
    except ApiProblem as problem:
        raise WebSocketException(1008, problem.detail[:100]) from None


async def _check(request: HTTPConnection, method: str) -> None:
    context: Context = request.app.state.context
    access = request.app.state.access.row(method, route_path(request))
    if context.schema_problem is not None and access.path not in ALWAYS_ANSWERED:
        raise ApiProblem("unavailable", f"The server is not ready: {context.schema_problem}.", headers=_LATER)
    address = address_of(request.scope, context.settings)
    context.limits.take("address", address, address=address)
    principal = await context.authenticate(request)
    request.state.principal = principal
    if principal.role is Role.GUEST:
        # Only a class's code makes guests.
        context.limits.note_class(address)
    admit(access, principal)
    context.limits.take(access.rate, principal.subject, address=None if principal.is_somebody else address)


@asynccontextmanager
async def _running(
    app: FastAPI, modules: list[Any], given: Database | None, clock: Clock, preload: bool
) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    database = given or open_database(settings.database)
    if given is None and database.is_sqlite:
        schema.migrate(database, clock)
    listeners = Listeners()
    writer, readers = Writer(database, listeners), Readers(database)
    authentication = Authentication(settings, clock, readers, writer)
    listeners.add(authentication.cache.hear)
    metrics: Metrics = app.state.metrics
    metrics.commits.set_function(lambda: writer.commits)
    metrics.waiting.set_function(lambda: writer.waiting)
    limits: RateLimits = app.state.limits
    metrics.failed_commits.set_function(lambda: writer.failed_commits)
    pulse = Pulse(writer, clock)
    metrics.last_write.set_function(lambda: pulse.wrote_at)
    context = Context(settings, clock, database, writer, readers, listeners, authentication, limits, metrics, pulse)
    context.schema_problem = readers.run_now(schema.problem)
    if not database.is_sqlite:
        listening = PostgresqlListener(database.url, listeners)
        listening.start()
        context.on_stop.append(listening.stop)
    app.state.context = context
    context.preload = preload
    if preload:
        threading.Thread(target=_load_rules, args=(context,), name="fracas rules", daemon=True).start()
    else:
        context.rules_loaded.set()
    try:
        async with AsyncExitStack() as stack:
            if context.schema_problem is None:
                await _start_rooms(context, modules, stack)
            else:
                waiting = asyncio.create_task(_start_when_migrated(context, modules, stack))
                stack.callback(waiting.cancel)
            yield
    finally:
        for stop in context.on_stop:
            stop()
        writer.stop()
        readers.stop()
        if given is None:
            database.close()


async def _start_rooms(context: Context, modules: list[Any], stack: AsyncExitStack) -> None:
    if context.preload:
        for task in (keep_house(context), context.metrics.watch_loop()):
            stack.callback(asyncio.create_task(task).cancel)
    for module in modules:
        if hasattr(module, "lifespan"):
            await stack.enter_async_context(module.lifespan(context))
    context.is_started = True


async def _start_when_migrated(context: Context, modules: list[Any], stack: AsyncExitStack) -> None:
    """Wait until somebody ran `fracas server migrate`, then start: until then every answer says what is needed."""
    while (found := await context.readers.run(schema.problem)) is not None:
        context.schema_problem = found
        await asyncio.sleep(SCHEMA_SECONDS)
    await _start_rooms(context, modules, stack)
    context.schema_problem = None


def _load_rules(context: Context) -> None:
    for name in registry.NAMES:
        registry.get(name).read_library(None, [])
    context.rules_loaded.set()
