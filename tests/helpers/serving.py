"""A server for tests: the application without sockets, asked from plain test functions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx
from sqlalchemy import Connection

from fracas.server.app import create_app
from fracas.server.clock import SteppingClock
from fracas.server.database.engine import Database
from fracas.server.http.context import Context
from fracas.server.settings import Settings

Result = TypeVar("Result")


class RunningServer:
    """An application that has started. Its event loop runs while a test waits for an answer, and stands otherwise."""

    def __init__(self, settings: Settings, database: Database, clock: SteppingClock) -> None:
        self.settings, self.database, self.clock = settings, database, clock
        self.app = create_app(settings, clock=clock, database=database, preload=False)
        self._runner = asyncio.Runner()
        self._lifespan = self.app.router.lifespan_context(self.app)

    def __enter__(self) -> RunningServer:
        self.wait(self._lifespan.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        self.wait(self._lifespan.__aexit__(None, None, None))
        self._runner.close()

    @property
    def context(self) -> Context:
        """What the server has: writer, readers, clock, settings."""
        context: Context = self.app.state.context
        return context

    def wait(self, awaitable: Awaitable[Result]) -> Result:
        """Run the event loop until something is done."""

        async def done() -> Result:
            return await awaitable

        return self._runner.run(done())

    def write(self, command: Callable[[Connection], Result]) -> Result:
        """Run a command by the server's writer."""
        return self.context.writer.run_now(command)

    def read(self, query: Callable[[Connection], Result]) -> Result:
        """Run a query by the server's readers."""
        return self.context.readers.run_now(query)

    def client(self, token: str | None = None, address: str = "192.0.2.1", **headers: str) -> Client:
        """A client with cookies of its own; with a token, each request shows it."""
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return Client(self, address, headers)


class Client:
    """Asks a server as one caller from one address."""

    def __init__(self, server: RunningServer, address: str, headers: dict[str, str]) -> None:
        self._server = server
        # What a browser sends with every request that writes.
        headers.setdefault("Origin", server.settings.url)
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(server.app, client=(address, 50_000)),
            base_url=server.settings.url,
            headers=headers,
        )

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Ask and wait for the answer; options as in httpx."""
        return self._server.wait(self.http.request(method, path, **options))

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return self.request("POST", path, json={} if json is None else json, **options)

    def put(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return self.request("PUT", path, json={} if json is None else json, **options)

    def delete(self, path: str, **options: Any) -> httpx.Response:
        return self.request("DELETE", path, **options)
