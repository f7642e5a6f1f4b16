"""Forms of the arena: submit and change entries, enter and leave queues, practise, challenge."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from fracas.files.toml_writer import toml_text
from fracas.server.arena.routes import entries as entry_routes
from fracas.server.arena.routes import leagues as league_routes
from fracas.server.arena.routes import matches as match_routes
from fracas.server.arena.routes import queue as queue_routes
from fracas.server.http.authorisation import Needs, Scope, admits
from fracas.server.http.context import principal_of
from fracas.server.http.problems import ApiProblem, not_found
from fracas.server.pages.entry_page import show_entry
from fracas.server.pages.forms import Fields, Form, document_of, fields_of, on_refusal, values_of
from fracas.server.pages.rendering import Editor, go, page
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


async def _submission(
    request: Request, fields: Fields, problem: ApiProblem | None = None, checked: Checked | None = None
) -> Response:
    leagues = (await league_routes.list_leagues(request)).items
    chosen = next((each for each in leagues if each.id == fields["league"]), None)
    if chosen is not None and not fields["document"]:
        fields["document"] = await example_entry(request, chosen.id)
    more: dict[str, Any] = {"leagues": leagues, "league": chosen, "entry": None}
    editor = None if chosen is None else Editor.of(request, chosen, f"a new entry of {chosen.id}")
    return page(request, "submission.html", problem=problem, fields=fields, checked=checked, editor=editor, **more)


@router.post("/entries/new", **admits(Needs.ACCOUNT, scope=Scope.PLAY))
@on_refusal(_submission)
async def submit(request: Request, fields: Form) -> Response:
    """Check or submit an entry. What is wrong with it stands beside it."""
    document = document_of(fields["document"])
    if fields["do"] == "check":
        return await _submission(request, fields, checked=await _checked(request, fields["league"], document))
    body = entry_routes.NewEntry(
        league=fields["league"], title=fields["title"], ranked=fields["ranked"] == "yes", document=document
    )
    return go(f"/e/{values_of(await entry_routes.submit(request, body))['entry']}")


async def _checked(request: Request, league: str, document: dict[str, Any]) -> Checked:
    return await league_routes.check(request, league, entry_routes.EntryDocument(document=document))


async def example_entry(request: Request, league: str) -> str:
    """The entry of a league's weakest bot, as somewhere to begin; bots' entries are public."""
    bots = (await league_routes.list_bots(request, league)).items
    if not bots:
        return ""
    identifier = bots[-1].links["entry"].rpartition("/")[2]
    version = await entry_routes.get_version(request, identifier, 1)
    return toml_text(version.document) if version.document else ""


@router.get("/e/{entry}/versions", **admits(Needs.OWNER))
async def show_change(request: Request, entry: str) -> Response:
    """Show the form for a new version of your entry."""
    await own_entry(request, entry)
    newest = (await entry_routes.list_versions(request, entry)).items[0].document
    return await _change(request, entry, Fields(document=toml_text(newest or {})))


async def _change(
    request: Request, entry: str, fields: Fields, problem: ApiProblem | None = None, checked: Checked | None = None
) -> Response:
    own = await own_entry(request, entry)
    league = await league_routes.get_league(request, own.league)
    editor = Editor.of(request, league, f"entry {entry}", entry, own.versions)
    more: dict[str, Any] = {"leagues": [], "league": league, "entry": own, "editor": editor}
    return page(request, "submission.html", problem=problem, fields=fields, checked=checked, **more)


@router.post("/e/{entry}/versions", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(_change)
async def change(request: Request, entry: str, fields: Form) -> Response:
    """Check or submit a new version of your entry."""
    fields["league"] = (await own_entry(request, entry)).league
    document = document_of(fields["document"])
    if fields["do"] == "check":
        return await _change(request, entry, fields, checked=await _checked(request, fields["league"], document))
    await entry_routes.change(request, entry, entry_routes.EntryDocument(document=document))
    return go(f"/e/{entry}")


async def own_entry(request: Request, entry: str) -> Entry:
    """The caller's entry.

    Raises:
        ApiProblem: 404, it is another account's.
    """
    view = await entry_routes.get_entry(request, entry)
    if view.account.handle != principal_of(request).handle:
        raise not_found("no entry of yours")
    return view


@router.post("/e/{entry}/title", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(show_entry)
async def rename(request: Request, entry: str, fields: Form) -> Response:
    """Give your entry another title."""
    await entry_routes.edit(request, entry, entry_routes.EntryChange(title=fields["title"]))
    return go(f"/e/{entry}")


@router.post("/e/{entry}/opening", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(show_entry)
async def open_to_challenges(request: Request, entry: str, fields: Form) -> Response:
    """Open your hidden entry to challenges, or close it."""
    await entry_routes.edit(request, entry, entry_routes.EntryChange(open_to_challenges=fields["open"] == "yes"))
    return go(f"/e/{entry}")


@router.post("/e/{entry}/withdraw", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(show_entry)
async def withdraw(request: Request, entry: str, fields: Form) -> Response:
    """Withdraw your entry."""
    await entry_routes.withdraw(request, entry)
    return go("/entries")


@router.post("/e/{entry}/queue", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(show_entry)
async def enter(request: Request, entry: str, fields: Form) -> Response:
    """Enter the queue with your entry."""
    kind: Any = fields["kind"] or "once"
    await queue_routes.enter(request, queue_routes.NewTicket(entry=entry, kind=kind, salt=fields["salt"] or None))
    return go(f"/e/{entry}")


@router.post("/tickets/{ticket}/leave", **admits(Needs.OWNER, scope=Scope.PLAY))
async def leave(request: Request, ticket: str) -> Response:
    """Leave a queue."""
    await fields_of(request)
    await queue_routes.leave(request, ticket)
    return go("/entries")


@router.post("/e/{entry}/practice", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(show_entry)
async def practise(request: Request, entry: str, fields: Form) -> Response:
    """Fight a bot, and look at the match."""
    fought = await match_routes.practise(request, match_routes.Practice(entry=entry, bot=fields["bot"]))
    return go(f"/m/{values_of(fought)['id']}")


@router.post("/e/{entry}/challenge", **admits(Needs.OWNER, scope=Scope.PLAY))
@on_refusal(show_entry)
async def challenge(request: Request, entry: str, fields: Form) -> Response:
    """Fight a named rival, and look at the match."""
    fought = await match_routes.challenge(request, match_routes.Challenge(entry=entry, rival=fields["rival"]))
    return go(f"/m/{values_of(fought)['id']}")
