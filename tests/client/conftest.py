"""Clients of a server that runs in the same process."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from tests.helpers.serving import RunningServer
from tests.server.conftest import (  # noqa: F401
    clock,
    empty_sqlite,
    few_bots,
    one_database,
    postgresql,
    settings,
    sqlite,
    sqlite_server,
)

from fracas.client import Client


class InProcess(httpx.BaseTransport):
    """Hands the requests of a plain httpx client to an application, without sockets."""

    def __init__(self, server: RunningServer) -> None:
        self._server = server
        self._inner = httpx.ASGITransport(server.app, client=("192.0.2.7", 50_000))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._server.wait(self._inner.handle_async_request(request))
        return httpx.Response(answer.status_code, headers=answer.headers, content=self._server.wait(answer.aread()))


@pytest.fixture
def connect(sqlite_server: RunningServer) -> Callable[[], Client]:  # noqa: F811
    """Makes clients of one server."""

    def made() -> Client:
        http = httpx.Client(transport=InProcess(sqlite_server), base_url=sqlite_server.settings.url)
        return Client(http=http)

    return made
