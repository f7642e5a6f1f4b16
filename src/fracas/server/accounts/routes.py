"""Routes of accounts: registration, sessions, passwords, API keys, one's data, the event stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import JSONResponse

from fracas.server.accounts import bodies, tokens
from fracas.server.accounts.event_stream import AccountNews
from fracas.server.accounts.service import Accounts
from fracas.server.http.answers import (
    LONGEST_CURSOR,
    MOST_PER_PAGE,
    ROOT,
    Document,
    answers,
    cut_page,
    link,
    links,
    read_cursor,
)
from fracas.server.http.authorisation import Needs, Scope
from fracas.server.http.context import Context, context_of, principal_of
from fracas.server.http.idempotency import created
from fracas.server.http.server_events import EventStreams
from fracas.server_models.accounts import Account, NewKey, Note, Session, Token
from fracas.server_models.answer import Page

router = APIRouter(prefix=ROOT)


@dataclass(frozen=True)
class AccountsPart:
    """What this room keeps while the server runs."""

    accounts: Accounts
    streams: EventStreams


@asynccontextmanager
async def lifespan(context: Context) -> AsyncIterator[None]:
    """Start the password threads and the event streams, and stop them."""
    accounts = Accounts(context)
    streams = EventStreams("You have 5 event streams open.")
    context.listeners.add(streams.hear)
    context.on_stop.append(streams.close)
    context.metrics.streams.set_function(lambda: streams.count)
    context.parts["accounts"] = AccountsPart(accounts, streams)
    yield
    streams.close()
    accounts.passwords.stop()


def part_of(request: Request) -> AccountsPart:
    """This room's part of the running server."""
    part: AccountsPart = context_of(request).parts["accounts"]
    return part


def service_of(request: Request) -> Accounts:
    """What accounts can do."""
    return part_of(request).accounts


@router.post("/accounts", **answers(201, Session, needs=Needs.NOTHING, errors=("conflict",)))
async def register(request: Request, body: bodies.Registration) -> Session:
    """Register an account and sign in."""
    address = principal_of(request).address
    return await service_of(request).register(body.handle, body.password, body.invitation, address)


@router.post("/sessions", **answers(201, Session, needs=Needs.NOTHING))
async def sign_in(request: Request, body: bodies.SignIn) -> Session:
    """Sign in. A session that the request shows ends."""
    return await service_of(request).sign_in(body.handle, body.password, principal_of(request))


@router.get("/sessions", **answers(200, Page[Token], needs=Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def list_sessions(request: Request) -> Page[Token]:
    """List your sessions."""
    items = await service_of(request).tokens(principal_of(request), tokens.SESSION)
    return Page[Token](items=items, links=links(self=link("sessions")))


@router.delete("/sessions", **answers(204, needs=Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def sign_out_everywhere(request: Request) -> Response:
    """Sign out everywhere: end all your sessions. API keys stay."""
    return await _sign_out(request, None)


@router.delete("/sessions/current", **answers(204, needs=Needs.ACCOUNT, scope=Scope.ACCOUNT, errors=("not-found",)))
async def sign_out(request: Request) -> Response:
    """Sign out: end the session of this request."""
    return await _sign_out(request, principal_of(request).token)


@router.delete("/sessions/{session}", **answers(204, needs=Needs.OWNER, scope=Scope.ACCOUNT))
async def end_session(request: Request, session: str) -> Response:
    """End one of your sessions."""
    return await _sign_out(request, session)


async def _sign_out(request: Request, session: str | None) -> Response:
    await service_of(request).sign_out(principal_of(request), session)
    return Response(status_code=204)


@router.post("/recovery", **answers(201, Session, needs=Needs.NOTHING))
async def recover(request: Request, body: bodies.Recovery) -> Session:
    """Set a new password with a recovery code, and sign in. All other sessions and all API keys end."""
    address = principal_of(request).address
    return await service_of(request).recover(body.handle, body.code, body.new_password, address)


@router.get("/account", **answers(200, Account, needs=Needs.ACCOUNT))
async def get_account(request: Request) -> Account:
    """Get your account."""
    return await service_of(request).account_of(principal_of(request))


@router.patch("/account", **answers(200, Account, needs=Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def change_account(request: Request, body: bodies.AccountChange) -> Account:
    """Change your display name."""
    return await service_of(request).rename(principal_of(request), body.display_name)


@router.delete("/account", **answers(204, needs=Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def delete_account(request: Request, body: bodies.Confirmation) -> Response:
    """Delete your account. Its name disappears from matches; their results and proofs stay."""
    await service_of(request).delete(principal_of(request), body.password)
    return Response(status_code=204)


@router.put(
    "/account/password", **answers(200, Session, needs=Needs.ACCOUNT, scope=Scope.ACCOUNT, errors=("conflict",))
)
async def change_password(request: Request, body: bodies.PasswordChange) -> Session:
    """Change your password. All sessions end, with `delete_keys` all API keys too; the answer holds a new session."""
    accounts, caller = service_of(request), principal_of(request)
    old, new = body.current_password, body.new_password
    return await accounts.change_password(caller, old, new, delete_keys=body.delete_keys)


@router.get(
    "/account/export",
    **answers(
        200,
        Document,
        needs=Needs.ACCOUNT,
        scope=Scope.ACCOUNT,
        rate="write",
        example={"account": {"handle": "ann"}, "entries": []},
    ),
)
async def export_account(request: Request) -> Response:
    """Export everything that is stored about you, as one JSON document."""
    data = await service_of(request).export(principal_of(request))
    return JSONResponse(data, headers={"Content-Disposition": 'attachment; filename="fracas-account.json"'})


@router.get("/keys", **answers(200, Page[Token], needs=Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def list_keys(request: Request) -> Page[Token]:
    """List your API keys."""
    items = await service_of(request).tokens(principal_of(request), tokens.API_KEY)
    return Page[Token](items=items, links=links(self=link("keys")))


@router.post("/keys", **answers(201, NewKey, needs=Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def create_key(request: Request, body: bodies.NewKey) -> Response:
    """Make an API key: a token for programs, at most five. The answer shows it once."""
    make = service_of(request).new_key(principal_of(request), body.name, body.scopes, body.days)
    return await created(request, make, secret=("token",))


@router.delete("/keys/{key}", **answers(204, needs=Needs.OWNER, scope=Scope.ACCOUNT))
async def delete_key(request: Request, key: str) -> Response:
    """Delete one of your API keys."""
    await service_of(request).revoke_key(principal_of(request), key)
    return Response(status_code=204)


_STREAM_EXAMPLE = 'retry: 2000\n\nid: 7\nevent: match.resolved\ndata: {"match": "…"}\n\n'


@router.get("/events", **answers(200, needs=Needs.ACCOUNT, example=_STREAM_EXAMPLE, media_type="text/event-stream"))
async def follow_events(
    request: Request,
    last_event_id: Annotated[str | None, Header(pattern="^[0-9]{1,10}$")] = None,
    last: Annotated[int | None, Query(ge=0, le=2**31, description="The same, for clients without headers.")] = None,
) -> Response:
    """Follow your events as server-sent events, from Last-Event-ID on, or new ones only.

    An event `reset` says that older events are no longer kept; read again what you show. Events are kept seven days.
    """
    caller = principal_of(request)
    after = int(last_event_id) if last_event_id is not None else last
    news = AccountNews(context_of(request).readers, caller.id, after)
    return part_of(request).streams.answer(caller, f"stream:{caller.id}", news)


@router.get("/admin/audit", **answers(200, Page[Note], needs=Needs.OPERATOR, scope=Scope.ADMIN))
async def list_audit(
    request: Request,
    cursor: Annotated[str | None, Query(max_length=LONGEST_CURSOR)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_PER_PAGE)] = 50,
) -> Page[Note]:
    """List what operators and accounts did, newest first."""
    before = read_cursor(cursor, str)
    rows = await service_of(request).audit(before[0] if before else None, limit + 1)
    shown, following = cut_page(rows, limit, lambda row: (row.id,))
    more = link("admin", "audit", cursor=following, limit=limit) if following else None
    return Page[Note](items=shown, links=links(self=link("admin", "audit"), next=more))


@router.put(
    "/admin/suspensions/{handle}", **answers(204, needs=Needs.OPERATOR, scope=Scope.ADMIN, errors=("conflict",))
)
async def suspend(request: Request, handle: str, body: bodies.Suspension) -> Response:
    """Suspend an account, with a reason that its owner reads."""
    await service_of(request).suspend(principal_of(request), handle, body.reason)
    return Response(status_code=204)


@router.delete(
    "/admin/suspensions/{handle}", **answers(204, needs=Needs.OPERATOR, scope=Scope.ADMIN, errors=("conflict",))
)
async def allow(request: Request, handle: str) -> Response:
    """Let a suspended account in again."""
    await service_of(request).suspend(principal_of(request), handle, None)
    return Response(status_code=204)
