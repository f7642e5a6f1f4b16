"""A database that cannot be written: a problem that says when to come back, its cause in the log, and reads go on."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from tests.helpers.accounts import signed_in
from tests.helpers.serving import RunningServer

from fracas.server.clock import SteppingClock
from fracas.server.database.engine import Database
from fracas.server.logs import JsonLines
from fracas.server.settings import Settings

API = "/api/v1"


@pytest.fixture
def server(settings: Settings, sqlite: Database, clock: SteppingClock) -> Iterator[RunningServer]:
    """On SQLite, which can be told to write nothing."""
    with RunningServer(settings, sqlite, clock) as running:
        yield running


# Called directly; FastAPI calls what has a query.
@pytest.mark.parametrize("path", ["account", "account?x=1"])
def test_what_cannot_be_written_is_a_problem(server: RunningServer, caplog: pytest.LogCaptureFixture, path: str):
    client = signed_in(server, "member")
    driver: Any = server.write(lambda connection: connection.connection.driver_connection)
    driver.execute("PRAGMA query_only = ON")
    with caplog.at_level(logging.ERROR, "fracas.server"):
        answer = client.patch(f"{API}/{path}", {"display_name": "Bob"})
    assert (answer.status_code, answer.json()["type"]) == (503, "/problems/unavailable")
    assert int(answer.headers["retry-after"]) > 0
    assert "readonly" not in answer.text
    (line,) = [json.loads(JsonLines().format(record)) for record in caplog.records]
    assert line["request_id"] == answer.json()["request_id"]
    assert "attempt to write a readonly database" in line["traceback"]
    assert client.get(f"{API}/account").status_code == 200
    driver.execute("PRAGMA query_only = OFF")
    assert client.patch(f"{API}/{path}", {"display_name": "Bob"}).status_code == 200
