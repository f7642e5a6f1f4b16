"""Routes of guilds and their wars."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field
from sqlalchemy import Connection

from fracas.server.arena.guilds import service, views
from fracas.server.arena.routes.common import (
    ID_EXAMPLE,
    LONGEST_TEXT,
    Cursor,
    Limit,
    arena_of,
    league_of,
    read,
    running_of,
)
from fracas.server.arena.wars.views import war_by_id, wars_before
from fracas.server.http.answers import ROOT, Body, answers, cut_page, link, links, read_cursor
from fracas.server.http.authorisation import Needs, Scope
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.idempotency import created
from fracas.server_models.answer import Page
from fracas.server_models.guilds import Guild, War

router = APIRouter(prefix=ROOT)

Text = Annotated[str | None, Query(max_length=100)]


class NewGuild(Body):
    """A guild to found."""

    name: str = Field(max_length=LONGEST_TEXT, examples=["The Lanterns"])
    league: str = Field(max_length=LONGEST_TEXT, examples=["squads"], description="Whose rules its wars go by.")


class GuildCode(Body):
    """A code that a guild's owner gave."""

    code: str = Field(max_length=LONGEST_TEXT, examples=["k3q2f7wm"])


class NewOwner(Body):
    """The member who is to own a guild."""

    handle: str = Field(max_length=LONGEST_TEXT, examples=["bob"])


class Naming(Body):
    """An entry of your own."""

    entry: str = Field(max_length=LONGEST_TEXT, examples=[ID_EXAMPLE])


@router.get("/guilds", **answers(200, Page[Guild], needs=Needs.NOTHING))
async def list_guilds(request: Request, league: Text = None, cursor: Cursor = None, limit: Limit = 50) -> Page[Guild]:
    """List guilds by their names."""
    decoded = read_cursor(cursor, str, str)
    after = None if decoded is None else (decoded[0], decoded[1])
    rows = await read(request, partial(views.guilds_after, limit=limit + 1, league=league, after=after))
    shown, following = cut_page(rows, limit, lambda row: (row.name.casefold(), row.id))
    path = partial(link, "guilds", league=league, limit=limit)
    more = None if following is None else path(cursor=following)
    return Page[Guild](items=shown, links=links(self=path(cursor=cursor), next=more))


@router.post("/guilds", **answers(201, Guild, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found",)))
async def found_guild(request: Request, body: NewGuild) -> Response:
    """Found a guild, which you own. Its code lets others join."""
    arena, now, whom = await arena_of(request), running_of(request).now, principal_of(request).id
    await league_of(request, body.league)
    found = partial(service.found_guild, arena=arena, whom=whom, name=body.name, league=body.league, now=now)
    return await _made(request, found)


@router.post("/guilds/join", **answers(201, Guild, needs=Needs.ACCOUNT, scope=Scope.PLAY, errors=("not-found",)))
async def join_guild(request: Request, body: GuildCode) -> Response:
    """Join a guild by its code. You can be in one guild at a time."""
    await arena_of(request)
    now, whom = running_of(request).now, principal_of(request).id
    return await _made(request, partial(service.join_guild, whom=whom, code=body.code, now=now))


@router.get("/guilds/mine", **answers(200, Guild, needs=Needs.ACCOUNT, errors=("not-found",)))
async def get_own_guild(request: Request) -> Guild:
    """Get the guild that you are in."""
    return await read(request, partial(views.own_guild, whom=principal_of(request).id))


@router.get("/guilds/{guild}", **answers(200, Guild, needs=Needs.NOTHING, errors=("not-found",)))
async def get_guild(request: Request, guild: str) -> Guild:
    """Get a guild with its members. What they named for its wars is for members only, the code for the owner only."""
    return await read(request, partial(views.guild_by_id, identifier=guild, viewer=principal_of(request).account))


@router.delete("/guilds/{guild}", **answers(204, needs=Needs.OWNER, scope=Scope.PLAY))
async def dissolve_guild(request: Request, guild: str) -> Response:
    """Dissolve your guild. A war that is locked or runs goes on."""
    work = partial(service.dissolve, whom=principal_of(request).id, identifier=guild, now=running_of(request).now)
    return await _done(request, work)


@router.post("/guilds/{guild}/code", **answers(201, Guild, needs=Needs.OWNER, scope=Scope.PLAY))
async def renew_code(request: Request, guild: str) -> Response:
    """Give your guild a new code; the old one ends."""
    return await _changed(request, guild, partial(service.renew_code, whom=principal_of(request).id, identifier=guild))


@router.post("/guilds/{guild}/owner", **answers(201, Guild, needs=Needs.OWNER, scope=Scope.PLAY))
async def hand_over(request: Request, guild: str, body: NewOwner) -> Response:
    """Hand your guild over to another member."""
    whom, now = principal_of(request).id, running_of(request).now
    work = partial(service.hand_over, whom=whom, identifier=guild, handle=body.handle, now=now)
    return await _changed(request, guild, work)


@router.delete("/guilds/{guild}/members/{handle}", **answers(204, needs=Needs.OWNER, scope=Scope.PLAY))
async def remove_member(request: Request, guild: str, handle: str) -> Response:
    """Leave your guild, or remove a member from a guild that you own.

    If the owner leaves, the guild is the longest member's; without members it is dissolved.
    """
    whom, now = principal_of(request).id, running_of(request).now
    return await _done(request, partial(service.remove_member, whom=whom, identifier=guild, handle=handle, now=now))


@router.put("/guilds/{guild}/entry", **answers(200, Guild, needs=Needs.OWNER, scope=Scope.PLAY, errors=("conflict",)))
async def name_entry(request: Request, guild: str, body: Naming) -> Guild:
    """Name an entry of your own for the wars of your guild, in place of the one that you named before.

    Its newest version is locked each Sunday at 20:00 UTC, until you take it back.
    """
    whom = principal_of(request).id
    work = partial(service.name_entry, whom=whom, identifier=guild, entry_id=body.entry)

    def named(connection: Connection) -> Guild:
        work(connection)
        return views.guild_by_id(connection, guild, whom)

    return await context_of(request).writer.run(named)


@router.delete("/guilds/{guild}/members/{handle}/entry", **answers(204, needs=Needs.OWNER, scope=Scope.PLAY))
async def take_back(request: Request, guild: str, handle: str) -> Response:
    """Take back what you named for wars, or what a member of a guild that you own named."""
    whom = principal_of(request).id
    return await _done(request, partial(service.take_back, whom=whom, identifier=guild, handle=handle))


async def _made(request: Request, command: Callable[..., str]) -> Response:
    """Run a command that returns the id of a guild, and answer with the guild."""
    whom = principal_of(request).id
    return await created(request, lambda connection: views.guild_by_id(connection, command(connection), whom))


async def _changed(request: Request, guild: str, command: Callable[..., Any]) -> Response:
    """Run a command, and answer with the guild that it changed."""
    whom = principal_of(request).id

    def work(connection: Connection) -> Guild:
        command(connection)
        return views.guild_by_id(connection, guild, whom)

    return await created(request, work, location=None)


async def _done(request: Request, command: Callable[..., Any]) -> Response:
    await context_of(request).writer.run(command)
    return Response(status_code=204)


@router.get("/wars", **answers(200, Page[War], needs=Needs.NOTHING))
async def list_wars(
    request: Request, league: Text = None, guild: Text = None, cursor: Cursor = None, limit: Limit = 50
) -> Page[War]:
    """List wars, the newest week first; also the byes, in which a guild has no rival."""
    decoded = read_cursor(cursor, str, str)
    before = None if decoded is None else (decoded[0], decoded[1])
    query = partial(wars_before, limit=limit + 1, league=league, of_guild=guild, before=before)
    shown, following = cut_page(await read(request, query), limit, lambda row: (row.week, row.id))
    path = partial(link, "wars", league=league, guild=guild, limit=limit)
    more = None if following is None else path(cursor=following)
    return Page[War](items=shown, links=links(self=path(cursor=cursor), next=more))


@router.get("/wars/{war}", **answers(200, War, needs=Needs.NOTHING, errors=("not-found",)))
async def get_war(request: Request, war: str) -> War:
    """Get a war: both guilds, their entries, all matches with the points after each, and its story."""
    return await read(request, partial(war_by_id, identifier=war))
