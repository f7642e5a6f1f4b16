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

# The routes of each choice of services: what each depends on is the same for all servers, and worked out for them once.
_ROUTES: dict[tuple[str, ...], list[Any]] = {}


class _Loop(asyncio.SelectorEventLoop):
    """An event loop that knows whether anything is under way: in itself, in a thread, or at the writer."""

    _ready: Any

    def __init__(self) -> None:
        super().__init__()
        self._asked: set[Any] = set()

    def note(self, answer: Any) -> None:
        """Note that an answer of another thread is waited for."""
        self._asked.add(answer)
        answer.add_done_callback(self._asked.discard)

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """As usual, and noted."""
        answer = super().run_in_executor(executor, func, *args)
        self.note(answer)
        return answer

    async def settled(self) -> None:
        """Wait until nothing is under way; what a timer or a message begins later does not count."""
        while self._ready or self._asked:
            await asyncio.sleep(0 if self._ready else 0.001)


class RunningServer:
    """An application that has started. Its event loop runs while a test waits for an answer, and stands otherwise."""

    def __init__(self, settings: Settings, database: Database, clock: SteppingClock) -> None:
        self.settings, self.database, self.clock = settings, database, clock
        self.app = create_app(settings, clock=clock, database=database, preload=False)
        routes = self.app.router.routes
        routes[:] = _ROUTES.setdefault(settings.services, list(routes))
        self._runner = asyncio.Runner(loop_factory=_Loop)
        self._lifespan = self.app.router.lifespan_context(self.app)

    def __enter__(self) -> RunningServer:
        self.wait(self._lifespan.__aenter__())
        writer = self.context.writer
        put = writer._put

        def noted(command: Any, answer: Any) -> None:
            self._loop.note(answer)
            put(command, answer)

        setattr(writer, "_put", noted)  # noqa: B010 - a method, to mypy
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

    @property
    def _loop(self) -> _Loop:
        loop = self._runner.get_loop()
        assert isinstance(loop, _Loop)
        return loop

    async def settled(self) -> None:
        """Wait until the server has done all that it was asked; what a timer begins later does not count."""
        await self._loop.settled()

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
        self.account, self.token = "", ""
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

    def patch(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return self.request("PATCH", path, json={} if json is None else json, **options)

    def delete(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return self.request("DELETE", path, **({} if json is None else {"json": json}), **options)


class OpenStream:
    """An answer that is read piece by piece, as event streams are; httpx's transport would wait for its end."""

    def __init__(self, server: RunningServer, path: str, token: str, **headers: str) -> None:
        self._server = server
        self._messages: asyncio.Queue[Any] = asyncio.Queue()
        self._leaving = asyncio.Event()
        path, _, query = path.partition("?")
        shown = {"host": httpx.URL(server.settings.url).netloc.decode(), "authorization": f"Bearer {token}", **headers}
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in shown.items()],
            "client": ("192.0.2.1", 50_000),
            "server": ("fracas.test", 80),
        }
        self._task = server.wait(self._begin())
        self.status = server.wait(self._messages.get())["status"]

    async def _begin(self) -> asyncio.Task[None]:
        return asyncio.create_task(self._server.app(self._scope, self._receive, self._messages.put))

    async def _receive(self) -> dict[str, Any]:
        await self._leaving.wait()
        return {"type": "http.disconnect"}

    def text(self) -> str:
        """The next piece; empty at the end."""

        async def piece() -> str:
            async with asyncio.timeout(10):
                message = await self._messages.get()
            return str(message.get("body", b"").decode())

        return self._server.wait(piece())

    def leave(self) -> None:
        """Go away, as a client that is closed does."""

        async def left() -> None:
            self._leaving.set()
            await self._task

        self._server.wait(left())
