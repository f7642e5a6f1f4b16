"""Routes of entries and their versions."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter
from pydantic import Field
from sqlalchemy import Connection

from fracas.server.arena import service
from fracas.server.arena.entries import check_entry
from fracas.server.arena.routes.common import LONGEST_TEXT, arena_of, league_of, read, running_of
from fracas.server.arena.store.entries import entries_of, entry_by_id, version_of, versions_of, visible_entry
from fracas.server.http.answers import ROOT, Body, answers, link, links
from fracas.server.http.authorisation import Needs, Scope
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.idempotency import created
from fracas.server_models.answer import Page
from fracas.server_models.arena import DOCUMENT, Entry, Submitted, Version

router = APIRouter(prefix=ROOT)


class NewEntry(Body):
    """An entry to submit."""

    league: str = Field(max_length=LONGEST_TEXT, examples=["squads"])
    title: str = Field(max_length=LONGEST_TEXT, examples=["Quick and careful"])
    ranked: bool = Field(False, description="Whether it is your ranked entry there; you have one for each league.")
    document: dict[str, Any] = Field(examples=[DOCUMENT], description="GET /leagues/{league}/schema describes it.")


class EntryDocument(Body):
    """The document of an entry."""

    document: dict[str, Any] = Field(examples=[DOCUMENT])


class EntryChange(Body):
    """What to change about an entry; what is left out stays."""

    title: str | None = Field(default=None, max_length=LONGEST_TEXT, examples=["Quick and careful"])
    open_to_challenges: bool | None = Field(
        default=None, description="Whether others may challenge it while its league still hides it.", examples=[True]
    )


VersionNumber = Annotated[int, PathParameter(ge=1, le=service.MOST_VERSIONS, description="From 1.")]


@router.get("/entries", **answers(200, Page[Entry], needs=Needs.ACCOUNT))
async def list_entries(request: Request, league: Annotated[str | None, Query(max_length=100)] = None) -> Page[Entry]:
    """List your entries."""
    whom = principal_of(request).id
    rows = await read(request, partial(entries_of, whom=whom, league=league))
    return Page[Entry](items=rows, links=links(self=link("entries", league=league)))


@router.post("/entries", **answers(201, Submitted, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found",)))
async def submit(request: Request, body: NewEntry) -> Response:
    """Submit an entry. All problems are answered at once."""
    arena, now, whom = await arena_of(request), running_of(request).now, principal_of(request).id
    league = await league_of(request, body.league)
    checked = await asyncio.to_thread(check_entry, league, body.document)

    def work(connection: Connection) -> Submitted:
        return service.submit_entry(connection, arena, whom, body.league, body.title, checked, now, ranked=body.ranked)

    return await created(request, work, location="entry")


@router.get("/entries/{entry}", **answers(200, Entry, needs=Needs.NOTHING, errors=("not-found",)))
async def get_entry(request: Request, entry: str) -> Entry:
    """Get an entry, without its documents."""
    return await read(request, partial(visible_entry, identifier=entry, viewer=principal_of(request).account))


@router.patch("/entries/{entry}", **answers(200, Entry, needs=Needs.OWNER, scope=Scope.PLAY))
async def edit(request: Request, entry: str, body: EntryChange) -> Entry:
    """Give an entry another title, or open it to challenges. Its document changes by a new version."""
    whom = principal_of(request).id
    await arena_of(request)

    def work(connection: Connection) -> Entry:
        service.own_entry(connection, whom, entry)
        if body.title is not None:
            service.rename_entry(connection, whom, entry, body.title)
        if body.open_to_challenges is not None:
            service.open_to_challenges(connection, whom, entry, is_open=body.open_to_challenges)
        return entry_by_id(connection, entry)

    return await context_of(request).writer.run(work)


@router.delete("/entries/{entry}", **answers(204, needs=Needs.OWNER, scope=Scope.PLAY, errors=("conflict",)))
async def withdraw(request: Request, entry: str) -> Response:
    """Withdraw an entry. One that never fought is deleted; what has fought stays readable."""
    whom = principal_of(request).id
    await arena_of(request)
    work = partial(service.withdraw_entry, account=whom, entry_id=entry)
    await context_of(request).writer.run(work)
    return Response(status_code=204)


@router.get("/entries/{entry}/versions", **answers(200, Page[Version], needs=Needs.NOTHING, errors=("not-found",)))
async def list_versions(request: Request, entry: str) -> Page[Version]:
    """List an entry's versions, the newest first. Documents that are hidden from you are null."""
    viewer = principal_of(request).account

    def query(connection: Connection) -> list[Version]:
        return versions_of(connection, visible_entry(connection, entry, viewer), viewer)

    return Page[Version](items=await read(request, query), links=links(self=link("entries", entry, "versions")))


@router.post("/entries/{entry}/versions", **answers(201, Submitted, needs=Needs.OWNER, scope=Scope.PLAY))
async def change(request: Request, entry: str, body: EntryDocument) -> Response:
    """Submit a new version of an entry. Tickets that wait keep the version that they named."""
    arena, now, whom = await arena_of(request), running_of(request).now, principal_of(request).id
    row = await read(request, partial(service.own_entry, account=whom, entry_id=entry))
    checked = await asyncio.to_thread(check_entry, await league_of(request, row.league), body.document)

    def work(connection: Connection) -> Submitted:
        return service.change_entry(connection, arena, whom, entry, checked, now)

    return await created(request, work)


@router.get("/entries/{entry}/versions/{version}", **answers(200, Version, needs=Needs.NOTHING, errors=("not-found",)))
async def get_version(request: Request, entry: str, version: VersionNumber) -> Version:
    """Get a version of an entry; its document once you may read it."""
    viewer = principal_of(request).account

    def query(connection: Connection) -> Version:
        return version_of(connection, visible_entry(connection, entry, viewer), version, viewer)

    return await read(request, query)
