"""Whether the server lives, is ready, and what it counts."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse

from fracas.server.database import schema
from fracas.server.http.answers import answers
from fracas.server.http.authorisation import Access, Needs
from fracas.server.http.context import context_of
from fracas.server.http.origins import refuse_strangers
from fracas.server.http.rooms import Room

router = Room()

ACCESS = (
    Access("GET", "/healthz", Needs.NOTHING),
    Access("GET", "/readyz", Needs.NOTHING),
    Access("GET", "/metrics", Needs.NOTHING),
)


@router.get("/healthz", **answers(200, example={"status": "alive"}))
async def check_health() -> dict[str, str]:
    """Tell whether the process answers."""
    return {"status": "alive"}


@router.get("/readyz", **answers(200, example={"status": "ready", "schema": 1, "rules": True}))
async def check_readiness(request: Request) -> Response:
    """Tell whether rules are loaded and the database has a schema that this program knows."""
    context = context_of(request)
    found = await context.readers.run(schema.current)
    problem = await context.readers.run(schema.problem)
    is_ready = context.rules_loaded.is_set() and context.is_started and problem is None
    body: dict[str, Any] = {
        "status": "ready" if is_ready else "not ready",
        "schema": found,
        "rules": context.rules_loaded.is_set(),
    }
    if problem is not None:
        body["reason"] = problem
    return JSONResponse(body, 200 if is_ready else 503)


@router.get(
    "/metrics", **answers(200, example="# HELP fracas_requests_total", media_type="text/plain", errors=("not-found",))
)
async def read_metrics(request: Request) -> Response:
    """Read the metrics, in the text format of Prometheus. Only this machine may, unless --expose-metrics is set."""
    refuse_strangers(request)
    return Response(context_of(request).metrics.as_text(), media_type="text/plain; version=0.0.4")
