"""HEAD of every route over a real socket: the head of what GET answers, no body, no fault."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tests.helpers.serving import RunningServer
from tests.server.arena.test_authorisation import made
from tests.server.arena.test_routes import LEAGUE
from tests.server.conftest import SETTINGS
from tests.server.test_sockets import listening

from fracas.server.clock import SteppingClock
from fracas.server.database.engine import Database
from fracas.server.http.middleware import AnswerHead

# Their heads differ from one request to the next.
CHANGING = {"date", "x-request-id", "etag", "last-modified", "set-cookie"}


def test_every_route_answers_head_as_get_without_the_body(
    tmp_path_factory: pytest.TempPathFactory, open_new: Callable[[Path], Database], caplog: pytest.LogCaptureFixture
):
    folder = tmp_path_factory.mktemp("heads")
    (folder / "leagues").mkdir()
    (folder / "leagues" / "open.toml").write_text(LEAGUE.format(id="open", ruleset="squads", reveal="after_match"))
    settings = replace(SETTINGS, secret_file=str(folder / "secret"), leagues=str(folder / "leagues"), budget=0)
    database = open_new(folder)
    try:
        with RunningServer(settings, database, SteppingClock()) as running:
            owner = made(running)
        values = {**owner.values, "ruleset": "relics", "kind": "items", "name": "pages.css"}
        with (
            caplog.at_level(logging.INFO),
            listening(database, settings) as (port, server),
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
        ):
            client.headers["Authorization"] = f"Bearer {owner.client.token}"
            rows = server.app.state.access.rows
            paths = sorted(path for method, path in rows if method == "GET")
            assert len(paths) > 60
            for path in paths:
                asked = re.sub(r"\{(\w+)(?::path)?\}", lambda found: values.get(found[1], "none"), path)
                answer = client.head(asked)
                assert answer.content == b"", path
                if path == "/api/v1/events":
                    # Its answer to GET does not end.
                    assert answer.status_code == 200
                    continue
                whole = client.get(asked)
                assert answer.status_code == whole.status_code, path
                heads = [{name for name in each.headers if name not in CHANGING} for each in (answer, whole)]
                assert heads[0] - {"transfer-encoding"} == heads[1] - {"transfer-encoding"}, path
                if "/metrics" not in path:
                    assert answer.headers.get("content-length") == whole.headers.get("content-length"), path
    finally:
        database.close()
    complaints = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert complaints == []
    named = {getattr(record, "route", None) for record in caplog.records if getattr(record, "method", None) == "HEAD"}
    assert set(paths) <= named


def test_a_head_that_reaches_the_web_server_as_get_is_noticed(
    sqlite: Database, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    """The planted fault: what the server did once, answering HEAD as GET in the scope that the web server sees."""

    async def renamed(self, scope, receive, send):
        scope["method"] = "GET"
        await self._app(scope, receive, lambda message: send({**message, "body": b""}))

    monkeypatch.setattr(AnswerHead, "__call__", renamed)
    with listening(sqlite, SETTINGS) as (port, _), suppress(httpx.HTTPError):
        httpx.head(f"http://127.0.0.1:{port}/healthz")
    assert any("Content-Length" in (record.exc_text or record.getMessage()) for record in caplog.records)
