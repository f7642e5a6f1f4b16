"""Whether the server lives, is ready, and what it counts."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from fracas.server.database import schema
from fracas.server.database.figures import figures, size_of
from fracas.server.http.answers import answers
from fracas.server.http.authorisation import Needs
from fracas.server.http.context import context_of
from fracas.server.http.origins import refuse_strangers
from fracas.server_models.health import Health, Readiness

router = APIRouter()


@router.get("/healthz", **answers(200, Health, needs=Needs.NOTHING))
async def check_health() -> Health:
    """Tell whether the process answers."""
    return Health(status="alive")


@router.get("/readyz", **answers(200, Readiness, needs=Needs.NOTHING))
async def check_readiness(request: Request) -> Response:
    """Tell whether rules are loaded, the schema fits, the database can be written, and every room does its work."""
    context = context_of(request)
    found = await context.readers.run(schema.current)
    has_rules = context.rules_loaded.is_set()
    reasons = [] if has_rules else ["rules are being loaded"]
    if (problem := await context.readers.run(schema.problem)) is not None:
        reasons.append(problem)
    elif not context.is_started:
        reasons.append("the server is starting")
    elif (problem := await context.pulse.problem()) is not None:
        reasons.append(problem)
    reasons += context.troubles.values()
    reason = {"reason": "; ".join(reasons)} if reasons else {}
    answer = Readiness(status="not ready" if reasons else "ready", schema_number=found, rules=has_rules, **reason)
    return JSONResponse(answer.as_json(), 503 if reasons else 200)


@router.get(
    "/metrics",
    **answers(
        200, needs=Needs.NOTHING, example="# HELP fracas_requests_total", media_type="text/plain", errors=("not-found",)
    ),
)
async def read_metrics(request: Request) -> Response:
    """Read the metrics, in the text format of Prometheus. Only this machine may, unless --expose-metrics is set."""
    refuse_strangers(request)
    context = context_of(request)
    metrics = context.metrics
    if context.schema_problem is None:
        # So that the time of the last write says something where nobody asks whether the server is ready.
        await context.pulse.problem()
        now = context.clock.now_ms()
        for name, values in (await context.readers.run(lambda connection: figures(connection, now))).items():
            metrics.set_of_leagues(name, values)
        metrics.database_size.set(await context.readers.run(size_of))
    return Response(metrics.as_text(), media_type="text/plain; version=0.0.4")
