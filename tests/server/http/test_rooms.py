"""Routers that skip foreign paths, and routes that encode plain values."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.responses import PlainTextResponse

from fracas.server.http.json_routes import JsonRoute
from fracas.server.http.links import ROOT
from fracas.server.http.rooms import Room


def asked(method: str, path: str) -> httpx.Response:
    """What an application of three rooms answers."""
    things = Room(prefix=ROOT, route_class=JsonRoute)
    pages, rest = Room(), Room()

    @things.patch("/things/{number}", status_code=202)
    async def change(number: int) -> dict[str, Any]:
        return {"number": number, "none": None, "at": datetime(2026, 11, 22, tzinfo=UTC)}

    @pages.get("/")
    async def start() -> PlainTextResponse:
        return PlainTextResponse("start")

    @pages.get("/things/{name}")
    async def show(name: str) -> PlainTextResponse:
        return PlainTextResponse(f"page of {name}")

    @rest.get("/{anything}")
    async def other(anything: str) -> PlainTextResponse:
        return PlainTextResponse(f"other {anything}")

    app = FastAPI()
    for room in (things, pages, rest):
        app.include_router(room)

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
            return await client.request(method, path)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("method", "path", "status", "text"),
    [
        ("GET", "/", 200, "start"),
        ("GET", "/things/one", 200, "page of one"),
        ("GET", "/api", 200, "other api"),
        ("GET", "/none/such", 404, None),
        ("GET", f"{ROOT}/things/7", 405, None),
        ("PATCH", f"{ROOT}/things/x", 422, None),
    ],
)
def test_each_path_finds_its_room(method: str, path: str, status: int, text: str | None) -> None:
    answer = asked(method, path)
    assert answer.status_code == status
    assert text is None or answer.text == text


def test_plain_values_are_encoded_with_the_status_of_the_route() -> None:
    answer = asked("PATCH", f"{ROOT}/things/7")
    assert (answer.status_code, answer.headers["content-type"]) == (202, "application/json")
    assert answer.json() == {"number": 7, "none": None, "at": "2026-11-22T00:00:00Z"}
