"""Run the server until it is told to stop: one process, one event loop."""

from __future__ import annotations

import errno
import signal
import socket
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

import uvicorn
from fastapi import FastAPI

from fracas.errors import FaultError, InputError
from fracas.server.app import create_app
from fracas.server.clock import Clock
from fracas.server.database import schema
from fracas.server.database.engine import Database, open_database
from fracas.server.http.context import Context
from fracas.server.logs import write_logs
from fracas.server.memory import return_large_blocks
from fracas.server.settings import Settings, without_password
from fracas.server.sockets import protocol_class, raise_file_limit
from fracas.server_models.tables import LONGEST_MESSAGE

KEEP_ALIVE_SECONDS = 5
# How long requests that are open may take when the server stops.
STOP_SECONDS = 20
# Files that are not connections: the database, logs, threads' pipes.
OTHER_FILES = 64


def serve(
    settings: Settings, say: Callable[[str], None], check: Callable[[Settings, Database], None] | None = None
) -> None:
    """Listen and serve until SIGINT or SIGTERM. `say` is called once, when requests are answered.

    `check` is called with the open database before anything is answered, and may refuse it.

    Raises:
        InputError: the address or the database cannot be used, or the check refuses.
        FaultError: the server could not start.
    """
    listening = bound(settings)
    try:
        settings = replace(settings, port=listening.getsockname()[1])
        database = open_database(settings.database)
        try:
            _migrate(database)
            if check is not None:
                check(settings, database)
            return_large_blocks()
            files = raise_file_limit()
            write_logs()
            app = create_app(settings, database=database)
            server = Server(app, settings, lambda: say(_greeting(settings, database, files)))
            server.run(sockets=[listening])
            if not server.started:
                raise FaultError("the server could not start; its log says why")
        finally:
            database.close()
    finally:
        listening.close()


def _migrate(database: Database) -> None:
    if database.is_sqlite:
        schema.migrate(database, Clock())


def bound(settings: Settings) -> socket.socket:
    """Bind the address, so that a port that is taken is told as a mistake.

    Raises:
        InputError: it cannot be bound.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio sends small packets at once only on sockets that say they are TCP; others wait 40 ms for the last answer.
    bound_socket = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound_socket.bind((settings.host, settings.port))
    except OSError as error:
        bound_socket.close()
        is_about_host = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        message = f"cannot listen on {settings.host}:{settings.port}: {error.strerror}"
        if is_about_host:
            advice = "write an address of this machine, 127.0.0.1 or 192.168.1.10"
            raise InputError.of("--host", message, advice) from None
        raise InputError.of("--port", message, "choose another --port; 0 means any free one") from None
    return bound_socket


def _config(app: FastAPI, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=protocol_class(settings, app.state.limits.room),
        ws="websockets-sansio",
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=20.0,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        # The application itself decides whom X-Forwarded-For is believed.
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
    )


def _greeting(settings: Settings, database: Database, files: int | None) -> str:
    where = str(database.file) if database.is_sqlite else without_password(settings.database)
    room = "" if files is None else f", {max(0, files - OTHER_FILES):,} connections fit"
    return f"Fracas answers at {settings.url} ({where}{room}). Ctrl-C stops it."


class Server(uvicorn.Server):
    """Runs an application: says when it is ready, ends event streams before it waits for them, exits with status 0."""

    def __init__(self, app: FastAPI, settings: Settings, ready: Callable[[], None]) -> None:
        super().__init__(_config(app, settings))
        self.app, self._ready = app, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams, finish open requests, stop."""
        context: Context = self.app.state.context
        for stop in context.on_stop:
            stop()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop in order; a second Ctrl-C does not wait."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True
