"""Routes that are called without FastAPI answer what FastAPI would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.helpers.accounts import signed_in
from tests.helpers.serving import RunningServer

from fracas.server.http.direct_routes import DirectRoutes

REQUESTS: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/api/v1/tickets", {"entry": "nobody"}),
    ("POST", "/api/v1/tickets", {"entry": 5, "kind": "twice", "more": 1}),
    ("POST", "/api/v1/tickets", {}),
    ("POST", "/api/v1/tickets", []),
    ("POST", "/api/v1/tickets", "text"),
    ("POST", "/api/v1/tickets", {"entry": "x" * 301, "salt": ""}),
    ("GET", "/api/v1/tickets", None),
    ("HEAD", "/api/v1/tickets", None),
    ("PUT", "/api/v1/tickets", {}),
    ("GET", "/api/v1/tickets?limit=1", None),
    ("DELETE", "/api/v1/account", {"password": "wrong"}),
    ("POST", "/api/v1/validate", {"scenario": {"ruleset": "squads"}}),
)


class Undirected(DirectRoutes):
    """Hands everything on to FastAPI."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._app(scope, receive, send)


def answers(server: RunningServer, handle: str) -> Iterator[tuple[int, Any, dict[str, str]]]:
    member = signed_in(server, handle)
    for client in (member, server.client(), server.client("frc_" + "x" * 43)):
        for method, path, body in REQUESTS:
            found = client.request(method, path, **({} if body is None else {"json": body}))
            content = found.json() if found.content else None
            if isinstance(content, dict):
                content.pop("request_id", None)
            headers = {name: value for name, value in found.headers.items() if name != "x-request-id"}
            yield found.status_code, content, headers


def test_direct_answers_are_those_of_fastapi(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    found = list(answers(sqlite_server, "ann"))
    assert {status for status, *_ in found} >= {200, 401, 404, 405, 422}
    monkeypatch.setattr(DirectRoutes, "__call__", Undirected.__call__)
    expected = list(answers(sqlite_server, "bob"))
    for place, (direct, plain) in enumerate(zip(found, expected, strict=True)):
        assert direct == plain, REQUESTS[place % len(REQUESTS)]
