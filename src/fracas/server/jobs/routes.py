"""Routes of jobs: how far they are, their results, cancelling them. `jobs/asking.py` has those that ask for one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, TypeVar

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import HTMLResponse
from sqlalchemy import Connection

from fracas.server.arena.refusals import Missing
from fracas.server.database import documents
from fracas.server.http.answers import ROOT, Document, answers, link, links
from fracas.server.http.authorisation import Needs, Scope, require_scope
from fracas.server.http.context import Context, context_of, in_background, principal_of
from fracas.server.http.server_events import EventStreams
from fracas.server.ids import random_id
from fracas.server.jobs import service
from fracas.server.jobs.progress_stream import JobNews
from fracas.server.jobs.runner import JobRunner
from fracas.server_models.answer import Page
from fracas.server_models.jobs import Job

Result = TypeVar("Result")

router = APIRouter(prefix=ROOT)

RESULT_EXAMPLE = {"command": "matchups", "ruleset": "squads", "battles": 19_000, "shares": [[None, 0.6], [0.4, None]]}
_STREAM_EXAMPLE = 'id: 7\nevent: progress\ndata: {"state": "running", "progress": 0.42, "step": "Red : Blue"}\n\n'


@asynccontextmanager
async def lifespan(context: Context) -> AsyncIterator[None]:
    """Work on jobs while the server runs; what is not done at its end goes on at the next start."""
    runner, streams = JobRunner(context, random_id()), EventStreams("You follow 5 jobs already.")
    context.parts["jobs"], context.parts["job_streams"] = runner, streams
    context.listeners.add(streams.hear)
    context.on_stop.append(streams.close)
    async with in_background(context, runner.loop):
        yield


async def _read(request: Request, query: Callable[[Connection], Result]) -> Result:
    return await context_of(request).readers.run(query)


@router.get("/jobs", **answers(200, Page[Job], needs=Needs.ACCOUNT))
async def list_jobs(request: Request) -> Page[Job]:
    """List your jobs, the newest first, at most 100."""
    items = await _read(request, partial(service.jobs_of, whom=principal_of(request).id))
    return Page[Job](items=items, links=links(self=link("jobs")))


@router.get("/jobs/{job}", **answers(200, Job, needs=Needs.NOTHING, errors=("not-found",)))
async def get_job(request: Request, job: str) -> Job:
    """Get how far a job is. A job that was asked for without an account is shown to whoever knows its id."""
    return await _read(request, partial(service.job_of, whom=principal_of(request).account, identifier=job))


_FOLLOWS = answers(
    200, needs=Needs.NOTHING, example=_STREAM_EXAMPLE, media_type="text/event-stream", errors=("not-found",)
)
_FOLLOWS["responses"][204] = {"description": "The client has the last event"}


@router.get("/jobs/{job}/events", **_FOLLOWS)
async def follow_job(
    request: Request,
    job: str,
    last_event_id: Annotated[str | None, Header(pattern="^[0-9]{1,10}$")] = None,
) -> Response:
    """Follow a job as server-sent events, at least two a second while it runs.

    Each event is the whole job; its id is the job's `version`. The stream ends after the event `ended`; whoever has
    that one gets 204.
    """
    caller = principal_of(request)
    found = await get_job(request, job)
    last = -1 if last_event_id is None else int(last_event_id)
    if found.is_over and last == found.version:
        return Response(status_code=204)
    streams: EventStreams = context_of(request).parts["job_streams"]
    return streams.answer(caller, f"job:{job}", JobNews(context_of(request).readers, caller.account, job, last))


@router.get(
    "/jobs/{job}/result",
    **answers(200, Document, needs=Needs.NOTHING, example=RESULT_EXAMPLE, errors=("not-found",)),
)
async def get_result(request: Request, job: str) -> Response:
    """Get the result of a job that is done: what the command prints with --format json, without `timing`."""
    whom = principal_of(request).account

    def query(connection: Connection) -> bytes:
        found = service.job_of(connection, whom, job)
        if found.result is None:
            raise Missing("result")
        return documents.get_bytes(connection, found.result)

    return Response(await _read(request, query), media_type="application/json")


@router.get(
    "/jobs/{job}/report",
    **answers(
        200, needs=Needs.NOTHING, example="<!doctype html>…", media_type="text/html", errors=("not-found", "fault")
    ),
)
async def get_report(request: Request, job: str) -> Response:
    """Get the result of a job that is done as a page: one HTML file, as `fracas report` makes it."""
    return HTMLResponse(await report_of(request, job), headers={"Cache-Control": "private, no-store"})


async def report_of(request: Request, job: str) -> str:
    """The page of a result.

    Raises:
        ApiProblem: 404, there is no such job, or it has none.
    """
    whom = principal_of(request).account

    def query(connection: Connection) -> str:
        found = service.job_of(connection, whom, job)
        if found.page is None:
            raise Missing("page of a result")
        return str(documents.get(connection, found.page))

    return await _read(request, query)


@router.delete("/jobs/{job}", **answers(204, needs=Needs.NOTHING, errors=("not-found",)))
async def cancel(request: Request, job: str) -> Response:
    """Cancel a job. Its process ends within seconds; one that is done stays."""
    context, caller = context_of(request), principal_of(request)
    if caller.is_somebody:
        require_scope(caller, Scope.PLAY)
    work = partial(service.cancel, whom=caller.account, identifier=job, now=context.clock.now_ms())
    await context.writer.run(work)
    return Response(status_code=204)
