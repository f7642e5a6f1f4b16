"""Routes of classes: make one, join it, submit entries to it, and ask for its table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field
from sqlalchemy import Connection

from fracas.errors import InputError
from fracas.server.accounts import store as accounts
from fracas.server.accounts import tokens
from fracas.server.accounts.names import GUEST, display_name, display_name_problems
from fracas.server.arena.classes import service
from fracas.server.arena.entries import check_entry
from fracas.server.arena.routes.common import LONGEST_TEXT, arena_of, league_of, read, running_of
from fracas.server.clock import DAY, iso
from fracas.server.http.answers import ROOT, Body, answers, link, links
from fracas.server.http.authorisation import Needs, Role, Scope, require_scope
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.idempotency import created
from fracas.server.ids import random_code
from fracas.server_models.answer import Page
from fracas.server_models.arena import DOCUMENT, Submitted
from fracas.server_models.classes import SchoolClass
from fracas.server_models.jobs import Job

router = APIRouter(prefix=ROOT)

# A guest's token is valid as long as a school year.
GUEST_LIFE = 366 * DAY
GUEST_LETTERS = 8


class NewClass(Body):
    """A class to make."""

    title: str = Field(max_length=LONGEST_TEXT, examples=["Year 9, blue"])
    league: str = Field(max_length=LONGEST_TEXT, examples=["squads"], description="Whose rules the class plays by.")


class JoinCode(Body):
    """A code that a teacher gave."""

    code: str = Field(max_length=LONGEST_TEXT, examples=["k3q2f7wm"])
    name: str = Field("", max_length=LONGEST_TEXT, examples=["Ann B."], description="What the class calls a guest.")


class ClassEntryBody(Body):
    """An entry for a class."""

    title: str = Field(max_length=LONGEST_TEXT, examples=["My first team"])
    document: dict[str, Any] = Field(examples=[DOCUMENT])


class TableBody(Body):
    """How many battles each pair of the table plays."""

    battles: int = Field(1000, ge=2, le=service.MOST_BATTLES, examples=[1000])


@router.get("/classes", **answers(200, Page[SchoolClass], needs=Needs.ACCOUNT))
async def list_classes(request: Request) -> Page[SchoolClass]:
    """List the classes that you teach or are in."""
    whom = principal_of(request).id
    rows = await read(request, partial(service.classes_of, whom=whom))
    if rows:
        _note_class(request)
    return Page[SchoolClass](items=rows, links=links(self=link("classes")))


@router.post("/classes", **answers(201, SchoolClass, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found",)))
async def make(request: Request, body: NewClass) -> Response:
    """Make a class. Its code lets pupils join for 14 days; they need no account."""
    arena, now, whom = await arena_of(request), running_of(request).now, principal_of(request).id
    await league_of(request, body.league)
    work = partial(service.make_class, arena=arena, teacher=whom, title=body.title, league=body.league, now=now)
    return await created(request, work)


@router.post("/classes/join", **answers(201, SchoolClass, needs=Needs.NOTHING, errors=("conflict", "not-found")))
async def join(request: Request, body: JoinCode) -> Response:
    """Join a class by its code. Without an account you become a guest: keep the token of the answer.

    The name is what the class calls a guest; without one it is called by its handle.
    """
    now, principal = running_of(request).now, principal_of(request)
    if principal.is_somebody:
        require_scope(principal, Scope.PLAY)
    await arena_of(request)
    problems = display_name_problems(body.name)
    if problems:
        raise InputError([replace(each, where="name") for each in problems])

    def work(connection: Connection) -> SchoolClass:
        whom = principal.account
        guest: dict[str, Any] = {}
        if whom is None:
            whom, guest = _new_guest(connection, body.name, now)
        return service.join_class(connection, whom, body.code, now).model_copy(update=guest)

    answer = await created(request, work, location=None)
    _note_class(request)
    return answer


def _note_class(request: Request) -> None:
    """Give the caller's address the room of a class: the caller is in one, or teaches one."""
    context_of(request).limits.note_class(principal_of(request).address)


def _new_guest(connection: Connection, name: str, now: int) -> tuple[str, dict[str, Any]]:
    """Make a guest's account, which its class calls by a name; what the guest has to keep."""
    whom, handle, shown = None, "", display_name(name)
    while whom is None:
        handle = f"{GUEST}{random_code(GUEST_LETTERS)}"
        whom = accounts.create(connection, handle, None, now, role=Role.GUEST, display_name=shown)
    scopes = (Scope.READ, Scope.PLAY)
    token, _ = tokens.issue(connection, whom, tokens.API_KEY, now, life=GUEST_LIFE, scopes=scopes, name="guest")
    return whom, {"handle": handle, "name": shown or handle, "token": token, "token_expires_at": iso(now + GUEST_LIFE)}


@router.get("/classes/{class_id}", **answers(200, SchoolClass, needs=Needs.OWNER))
async def get_class(request: Request, class_id: str) -> SchoolClass:
    """Get a class with its pupils and their entries."""
    whom = principal_of(request).id

    def query(connection: Connection) -> SchoolClass:
        school_class = service.class_of(connection, whom, class_id)
        members = {
            "pupils": service.pupils_of(connection, class_id),
            "entries": service.entries_in(connection, class_id),
        }
        return school_class.model_copy(update=members)

    answer = await read(request, query)
    _note_class(request)
    return answer


@router.delete("/classes/{class_id}", **answers(204, needs=Needs.OWNER, scope=Scope.PLAY))
async def remove(request: Request, class_id: str) -> Response:
    """Delete a class with its entries and tables. Guests who are in no other class are deleted with it."""
    whom, now = principal_of(request).id, running_of(request).now
    work = partial(service.delete_class, teacher=whom, identifier=class_id, now=now)
    await context_of(request).writer.run(work)
    return Response(status_code=204)


@router.post("/classes/{class_id}/code", **answers(201, SchoolClass, needs=Needs.OWNER, scope=Scope.PLAY))
async def renew(request: Request, class_id: str) -> Response:
    """Give a class a new code, valid for 14 days; the old one ends."""
    whom, now = principal_of(request).id, running_of(request).now
    work = partial(service.renew_code, teacher=whom, identifier=class_id, now=now)
    return await created(request, work, location=None)


@router.post("/classes/{class_id}/entries", **answers(201, Submitted, needs=Needs.OWNER, scope=Scope.PLAY))
async def submit(request: Request, class_id: str, body: ClassEntryBody) -> Response:
    """Submit your entry to a class; a second one is a new version of the first."""
    arena, now, whom = await arena_of(request), running_of(request).now, principal_of(request).id
    school_class = await read(request, partial(service.class_of, whom=whom, identifier=class_id))
    checked = await asyncio.to_thread(check_entry, await league_of(request, school_class.league), body.document)

    def work(connection: Connection) -> Submitted:
        return service.submit(connection, arena, whom, class_id, body.title, checked, now)

    return await created(request, work, location="entry")


@router.get("/classes/{class_id}/tables", **answers(200, Page[Job], needs=Needs.OWNER))
async def list_tables(request: Request, class_id: str) -> Page[Job]:
    """List a class's tables, the newest first."""
    whom = principal_of(request).id

    def query(connection: Connection) -> Sequence[Job]:
        service.class_of(connection, whom, class_id)
        return service.tables_of(connection, class_id)

    return Page[Job](items=await read(request, query), links=links(self=link("classes", class_id, "tables")))


@router.post("/classes/{class_id}/tables", **answers(202, Job, needs=Needs.OWNER, scope=Scope.PLAY, rate="run"))
async def ask(request: Request, class_id: str, body: TableBody) -> Response:
    """Ask for the table of all entries of the class against each other, with intervals."""
    arena, now, whom = await arena_of(request), running_of(request).now, principal_of(request).id
    work = partial(service.ask_for_table, arena=arena, teacher=whom, identifier=class_id, battles=body.battles, now=now)
    return await created(request, work, status=202)
