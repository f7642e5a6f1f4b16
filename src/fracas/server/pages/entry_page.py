"""The page of one entry, which several forms show again with what they were refused for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from fastapi import Request
from fastapi.responses import HTMLResponse

from fracas.server.arena.proofs import published
from fracas.server.arena.routes import entries as entry_routes
from fracas.server.arena.routes import leagues as league_routes
from fracas.server.arena.routes import queue as queue_routes
from fracas.server.arena.routes.common import arena_of, read
from fracas.server.http.context import principal_of
from fracas.server.http.problems import ApiProblem
from fracas.server.pages.forms import Fields
from fracas.server.pages.rendering import page
from fracas.server_models.arena import Bot, Ticket

# Matches whose proofs are shown.
_LATEST = 10


async def show_entry(
    request: Request, entry: str, problem: ApiProblem | None = None, fields: Fields | None = None
) -> HTMLResponse:
    """Show an entry: its versions as far as the caller may read them; to its author, what can be done with it."""
    view = await entry_routes.get_entry(request, entry)
    versions = (await entry_routes.list_versions(request, entry)).items
    is_mine = view.account.handle == principal_of(request).handle
    tickets: list[Ticket] = []
    bots: Sequence[Bot] = ()
    hides = False
    if is_mine:
        tickets = [each for each in (await queue_routes.list_tickets(request)).items if each.entry == entry]
        if view.league in (leagues := (await arena_of(request)).leagues):
            hides = leagues[view.league].hides_entries
            bots = (await league_routes.list_bots(request, view.league)).items
    return page(
        request,
        "entry.html",
        problem=problem,
        entry=view,
        versions=versions,
        is_mine=is_mine,
        tickets=tickets,
        bots=bots,
        hides=hides,
        proofs=await read(request, partial(published.proofs_of_entry, entry_id=entry, limit=_LATEST)),
    )
