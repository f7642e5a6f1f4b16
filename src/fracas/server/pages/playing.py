"""Forms of the arena: submit and change entries, enter and leave queues, practise, challenge."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request, Response

from fracas.server.arena.routes import entries as entry_routes
from fracas.server.arena.routes import leagues as league_routes
from fracas.server.arena.routes import matches as match_routes
from fracas.server.arena.routes import queue as queue_routes
from fracas.server.http.authorisation import Needs, Scope, admits
from fracas.server.http.context import principal_of
from fracas.server.http.problems import not_found
from fracas.server.pages.entry_page import show_entry
from fracas.server.pages.forms import Fields, document_of, fields_of
from fracas.server.pages.rendering import Attempt, attempt, go, page
from fracas.server_models.arena import Checked, Entry

router = APIRouter(include_in_schema=False)


@router.get("/entries", **admits(Needs.ACCOUNT))
async def show_entries(request: Request) -> Response:
    """Show your entries and your places in queues."""
    entries = await entry_routes.list_entries(request)
    tickets = await queue_routes.list_tickets(request)
    return page(request, "entries.html", entries=entries.items, tickets=tickets.items)


@router.get("/entries/new", **admits(Needs.ACCOUNT))
async def show_submission(request: Request, league: str = "") -> Response:
    """Show the form for a new entry, with a bot's entry as an example."""
    return await _submission(request, Fields(league=league, ranked="yes"))


@router.post("/entries/new", **admits(Needs.ACCOUNT, scope=Scope.PLAY))
async def submit(request: Request) -> Response:
    """Check or submit an entry. What is wrong with it stands beside it."""
    fields = await fields_of(request)
    if fields["do"] == "check":
        checked = await attempt(lambda: _check(request, fields))
        return await _submission(request, fields, checked)

    async def submitted() -> dict[str, Any]:
        body = entry_routes.NewEntry(
            league=fields["league"],
            title=fields["title"],
            ranked=fields["ranked"] == "yes",
            document=dict(document_of(fields["document"])),
        )
        return _body(await entry_routes.submit(request, body))

    found = await attempt(submitted)
    if found.result is None:
        return await _submission(request, fields, found)
    return go(f"/e/{found.result['entry']}")


async def _check(request: Request, fields: Fields) -> Checked:
    body = entry_routes.EntryDocument(document=dict(document_of(fields["document"])))
    return await league_routes.check(request, fields["league"], body)


async def _submission(request: Request, fields: Fields, tried: Attempt[Any] | None = None) -> Response:
    leagues = (await league_routes.list_leagues(request)).items
    chosen = next((each for each in leagues if each.id == fields["league"]), None)
    if chosen is not None and not fields["document"]:
        fields["document"] = await example_entry(request, chosen.id)
    tried = tried or Attempt()
    return page(
        request,
        "submission.html",
        tried.status,
        leagues=leagues,
        league=chosen,
        fields=fields,
        entry=None,
        checked=tried.result,
        problem=tried.problem,
    )


async def example_entry(request: Request, league: str) -> str:
    """The entry of a league's weakest bot, as somewhere to begin; bots' entries are public."""
    bots = (await league_routes.list_bots(request, league)).items
    if not bots:
        return ""
    identifier = bots[-1].links["entry"].rpartition("/")[2]
    version = await entry_routes.get_version(request, identifier, 1)
    return json.dumps(version.document, indent=2) if version.document else ""


@router.get("/e/{entry}/versions", **admits(Needs.OWNER))
async def show_change(request: Request, entry: str) -> Response:
    """Show the form for a new version of your entry."""
    await _own(request, entry)
    newest = (await entry_routes.list_versions(request, entry)).items[0].document
    return await _change(request, entry, Fields(document=json.dumps(newest, indent=2)))


@router.post("/e/{entry}/versions", **admits(Needs.OWNER, scope=Scope.PLAY))
async def change(request: Request, entry: str) -> Response:
    """Check or submit a new version of your entry."""
    fields = await fields_of(request)
    fields["league"] = (await _own(request, entry)).league
    if fields["do"] == "check":
        return await _change(request, entry, fields, await attempt(lambda: _check(request, fields)))

    async def changed() -> Response:
        body = entry_routes.EntryDocument(document=dict(document_of(fields["document"])))
        return await entry_routes.change(request, entry, body)

    found = await attempt(changed)
    return await _change(request, entry, fields, found) if found.problem else go(f"/e/{entry}")


async def _change(request: Request, entry: str, fields: Fields, tried: Attempt[Any] | None = None) -> Response:
    own = await _own(request, entry)
    league = await league_routes.get_league(request, own.league)
    tried = tried or Attempt()
    return page(
        request,
        "submission.html",
        tried.status,
        leagues=[],
        league=league,
        fields=fields,
        entry=own,
        checked=tried.result,
        problem=tried.problem,
    )


async def _own(request: Request, entry: str) -> Entry:
    """The caller's entry.

    Raises:
        ApiProblem: 404, it is another account's.
    """
    found = await entry_routes.get_entry(request, entry)
    if found.account.handle != principal_of(request).handle:
        raise not_found("no entry of yours")
    return found


async def _then_entry(request: Request, entry: str, tried: Attempt[Any], path: str = "") -> Response:
    """Show the entry, with what was refused; after success, anew or another page."""
    return await show_entry(request, entry, tried.problem) if tried.problem else go(path or f"/e/{entry}")


@router.post("/e/{entry}/title", **admits(Needs.OWNER, scope=Scope.PLAY))
async def rename(request: Request, entry: str) -> Response:
    """Give your entry another title."""
    fields = await fields_of(request)
    tried = await attempt(lambda: entry_routes.edit(request, entry, entry_routes.EntryChange(title=fields["title"])))
    return await _then_entry(request, entry, tried)


@router.post("/e/{entry}/opening", **admits(Needs.OWNER, scope=Scope.PLAY))
async def open_to_challenges(request: Request, entry: str) -> Response:
    """Open your hidden entry to challenges, or close it."""
    fields = await fields_of(request)
    body = entry_routes.EntryChange(open_to_challenges=fields["open"] == "yes")
    return await _then_entry(request, entry, await attempt(lambda: entry_routes.edit(request, entry, body)))


@router.post("/e/{entry}/withdraw", **admits(Needs.OWNER, scope=Scope.PLAY))
async def withdraw(request: Request, entry: str) -> Response:
    """Withdraw your entry."""
    await fields_of(request)
    return await _then_entry(request, entry, await attempt(lambda: entry_routes.withdraw(request, entry)), "/entries")


@router.post("/e/{entry}/queue", **admits(Needs.OWNER, scope=Scope.PLAY))
async def enter(request: Request, entry: str) -> Response:
    """Enter the queue with your entry."""
    fields = await fields_of(request)
    kind: Any = fields["kind"] or "once"

    async def entered() -> Response:
        body = queue_routes.NewTicket(entry=entry, kind=kind, salt=fields["salt"] or None)
        return await queue_routes.enter(request, body)

    return await _then_entry(request, entry, await attempt(entered))


@router.post("/tickets/{ticket}/leave", **admits(Needs.OWNER, scope=Scope.PLAY))
async def leave(request: Request, ticket: str) -> Response:
    """Leave a queue."""
    await fields_of(request)
    await queue_routes.leave(request, ticket)
    return go("/entries")


@router.post("/e/{entry}/practice", **admits(Needs.OWNER, scope=Scope.PLAY))
async def practise(request: Request, entry: str) -> Response:
    """Fight a bot, and look at the match."""
    fields = await fields_of(request)

    async def play() -> dict[str, Any]:
        return _body(await match_routes.practise(request, match_routes.Practice(entry=entry, bot=fields["bot"])))

    tried = await attempt(play)
    return await _then_entry(request, entry, tried, "" if tried.result is None else f"/m/{tried.result['id']}")


@router.post("/e/{entry}/challenge", **admits(Needs.OWNER, scope=Scope.PLAY))
async def challenge(request: Request, entry: str) -> Response:
    """Fight a named rival, and look at the match."""
    fields = await fields_of(request)

    async def play() -> dict[str, Any]:
        return _body(await match_routes.challenge(request, match_routes.Challenge(entry=entry, rival=fields["rival"])))

    tried = await attempt(play)
    return await _then_entry(request, entry, tried, "" if tried.result is None else f"/m/{tried.result['id']}")


def _body(answer: Response) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(bytes(answer.body))
    return found
