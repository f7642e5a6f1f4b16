"""Bodies that arrive slowly cost nobody else an answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from tests.helpers.serving import RunningServer

from fracas.server.http import bodies
from fracas.server.settings import Settings

VALIDATE = "/api/v1/validate"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, most_connections=2)


def test_reads_go_on_while_bodies_arrive(sqlite_server: RunningServer):
    """With room for two requests, five bodies that do not end leave it to the others."""
    client = sqlite_server.client()

    async def statuses() -> list[int]:
        ends = asyncio.Event()

        async def slow() -> AsyncIterator[bytes]:
            yield b'{"scenario": '
            await ends.wait()
            yield b"{}}"

        posts = [asyncio.create_task(client.http.post(VALIDATE, content=slow(), headers=JSON)) for _ in range(5)]
        await asyncio.sleep(0)
        read = await client.http.get("/api/v1/rulesets")
        ends.set()
        await asyncio.gather(*posts)
        return [read.status_code]

    assert sqlite_server.wait(statuses()) == [200]


def test_all_bodies_together_are_bounded(sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    client = sqlite_server.client()
    monkeypatch.setattr(bodies, "MOST_HELD", 100)
    answer = client.request("POST", VALIDATE, content=b" " * 101, headers=JSON)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    # What was held is given back.
    for _ in range(5):
        assert client.request("POST", VALIDATE, content=b'{"scenario": {}}', headers=JSON).status_code == 200
    assert client.get("/api/v1/rulesets").status_code == 200
