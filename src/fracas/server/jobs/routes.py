"""Routes of jobs: how far they are, their results, cancelling them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from fracas.server.arena.classes import service
from fracas.server.arena.refusals import Missing
from fracas.server.arena.routes.common import read
from fracas.server.database import documents
from fracas.server.http.answers import ROOT, Document, answers
from fracas.server.http.authorisation import Needs, Scope
from fracas.server.http.context import Context, context_of, in_background, principal_of
from fracas.server.ids import random_id
from fracas.server.jobs.runner import JobRunner
from fracas.server_models.classes import Job

router = APIRouter(prefix=ROOT)

RESULT_EXAMPLE = {"command": "matchups", "ruleset": "squads", "battles": 19_000, "shares": [[None, 0.6], [0.4, None]]}


@asynccontextmanager
async def lifespan(context: Context) -> AsyncIterator[None]:
    """Work on jobs while the server runs; what is not done at its end waits for the next start."""
    runner = JobRunner(context, random_id())
    context.parts["jobs"] = runner
    async with in_background(context, runner.loop):
        yield


@router.get("/jobs/{job}", **answers(200, Job, needs=Needs.OWNER))
async def get_job(request: Request, job: str) -> Job:
    """Get how far a job is."""
    whom = principal_of(request).id
    return await read(request, partial(service.job_of, whom=whom, identifier=job))


@router.get("/jobs/{job}/result", **answers(200, Document, needs=Needs.OWNER, example=RESULT_EXAMPLE))
async def get_result(request: Request, job: str) -> Response:
    """Get the result of a job that is done: for a table, what `fracas lab matchups --format json` prints."""
    whom = principal_of(request).id

    def query(connection: Connection) -> bytes:
        found = service.job_of(connection, whom, job)
        if found.result is None:
            raise Missing("result")
        return documents.get_bytes(connection, found.result)

    return Response(await read(request, query), media_type="application/json")


@router.delete("/jobs/{job}", **answers(204, needs=Needs.OWNER, scope=Scope.PLAY))
async def cancel(request: Request, job: str) -> Response:
    """Cancel a job. Its process ends within seconds; one that is done stays."""
    context = context_of(request)
    work = partial(service.cancel_job, teacher=principal_of(request).id, identifier=job, now=context.clock.now_ms())
    await context.writer.run(work)
    return Response(status_code=204)
