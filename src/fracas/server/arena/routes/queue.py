"""Routes of the queue: list, take and give up places in it."""

from __future__ import annotations

from functools import partial
from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field
from sqlalchemy import Connection

from fracas.server.arena import service
from fracas.server.arena.routes.common import ID_EXAMPLE, LONGEST_TEXT, arena_of, read, running_of
from fracas.server.http.answers import ROOT, Body, answers, link, links
from fracas.server.http.authorisation import Needs, Scope
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.idempotency import created
from fracas.server_models.answer import Page
from fracas.server_models.arena import Ticket

router = APIRouter(prefix=ROOT)


class NewTicket(Body):
    """A place in the queue."""

    entry: str = Field(max_length=LONGEST_TEXT, examples=[ID_EXAMPLE])
    kind: Literal["once", "standing"] = Field("once", examples=["standing"])
    salt: str | None = Field(None, max_length=200, description="A text of your own that goes into the seed.")


@router.get("/tickets", **answers(200, Page[Ticket], needs=Needs.ACCOUNT))
async def list_tickets(request: Request) -> Page[Ticket]:
    """List your places in queues."""
    rows = await read(request, partial(service.own_tickets, account=principal_of(request).id))
    return Page[Ticket](items=rows, links=links(self=link("tickets")))


@router.post("/tickets", **answers(201, Ticket, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found",)))
async def enter(request: Request, body: NewTicket) -> Response:
    """Enter the queue with the newest version of an entry: once, or as a standing entry that fights while you sleep."""
    running, arena, whom = running_of(request), await arena_of(request), principal_of(request).id
    now = running.now
    entered: set[str] = set()

    def work(connection: Connection) -> Ticket:
        made = service.enter_queue(connection, arena, whom, body.entry, now, kind=body.kind, salt=body.salt)
        entered.add(made.league)
        return made

    answer = await created(request, work)
    running.tickets_entered(entered)
    return answer


@router.delete("/tickets/{ticket}", **answers(204, needs=Needs.OWNER, scope=Scope.PLAY, errors=("conflict",)))
async def leave(request: Request, ticket: str) -> Response:
    """Leave a queue. It works until you are paired."""
    work = partial(service.leave_queue, account=principal_of(request).id, ticket_id=ticket)
    await context_of(request).writer.run(work)
    return Response(status_code=204)
