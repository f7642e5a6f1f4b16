"""Routes of profiles."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request
from sqlalchemy import Connection

from fracas.server.arena.routes.common import arena_of, read
from fracas.server.arena.seasons.season import all_seasons
from fracas.server.arena.store.entries import entries_of
from fracas.server.arena.store.leaderboards import rating_of
from fracas.server.arena.store.people import Person, account_by_handle
from fracas.server.http.answers import ROOT, answers, link, links
from fracas.server.http.authorisation import Needs
from fracas.server.http.context import principal_of
from fracas.server_models.arena import Profile, RatedSeason

router = APIRouter(prefix=ROOT)


async def account_of(request: Request, handle: str) -> Person:
    """An account by its handle.

    Raises:
        ApiProblem: 404, there is none.
    """
    return await read(request, partial(account_by_handle, handle=handle))


@router.get("/profiles/{handle}", **answers(200, Profile, needs=Needs.NOTHING, errors=("not-found",)))
async def get_profile(request: Request, handle: str) -> Profile:
    """Get what an account shows: its ratings in all leagues and seasons, and the entries that have fought."""
    arena, viewer = await arena_of(request), principal_of(request).account

    def query(connection: Connection) -> Profile:
        whom = account_by_handle(connection, handle)
        ratings = [
            RatedSeason(league=name, season=season.no, **vars(row))
            for name in arena.leagues
            for season in all_seasons(connection, name)
            if (row := rating_of(connection, name, season.no, whom.id)) is not None and row.matches
        ]
        entries = entries_of(connection, whom.id, known_only=whom.id != viewer)
        paths = links(self=link("profiles", whom.handle), matches=link("matches", account=whom.handle))
        return Profile(account=whom, ratings=ratings, entries=entries, links=paths)

    return await read(request, query)
