"""Pages of accounts: register, sign in and out, recover, and everything about one's own account."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from fracas.server.accounts import routes as accounts
from fracas.server.accounts import tokens
from fracas.server.accounts.bodies import NewKey
from fracas.server.accounts.cookies import clear_cookie, set_cookie
from fracas.server.http.authorisation import Needs, Principal, Scope, admits
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.problems import ApiProblem
from fracas.server.pages.forms import Fields, Form, count_of, fields_of, on_refusal, values_of
from fracas.server.pages.rendering import go, local_path, page
from fracas.server.pages.rendering import problem_page as problem_page
from fracas.server.tables.ladders import ranks_of
from fracas.server_models.accounts import Session

router = APIRouter(include_in_schema=False)

CameFrom = Annotated[str, Query(max_length=200)]


def _signed_in(request: Request, session: Session, path: str) -> Response:
    assert session.token is not None
    response = go(local_path(path))
    set_cookie(response, context_of(request).settings, session.token)
    return response


@router.get("/register", **admits(Needs.NOTHING))
async def show_registration(request: Request, came_from: CameFrom = "") -> Response:
    """Show the form for a new account."""
    return await _registration(request, Fields(came_from=came_from))


async def _registration(request: Request, fields: Fields, problem: ApiProblem | None = None) -> Response:
    return page(request, "register.html", problem=problem, fields=fields)


@router.post("/register", **admits(Needs.NOTHING))
@on_refusal(_registration)
async def register(request: Request, fields: Form) -> Response:
    """Make an account, sign in, and go where one was; else to what one does first."""
    service, address = accounts.service_of(request), principal_of(request).address
    invitation = fields["invitation"].strip() or None
    session = await service.register(fields["handle"], fields["password"], invitation, address)
    first = "/entries/new" if "arena" in context_of(request).settings.services else "/account"
    return _signed_in(request, session, fields["came_from"].removesuffix("/") or first)


@router.get("/sign-in", **admits(Needs.NOTHING))
async def show_sign_in(request: Request, came_from: CameFrom = "/") -> Response:
    """Show the form for signing in."""
    return await _sign_in(request, Fields(came_from=came_from))


async def _sign_in(request: Request, fields: Fields, problem: ApiProblem | None = None) -> Response:
    came_from = local_path(fields["came_from"] or "/")
    return page(request, "sign_in.html", problem=problem, handle=fields["handle"][:100], came_from=came_from)


@router.post("/sign-in", **admits(Needs.NOTHING))
@on_refusal(_sign_in)
async def sign_in(request: Request, fields: Form) -> Response:
    """Sign in, and go where one was."""
    service = accounts.service_of(request)
    session = await service.sign_in(fields["handle"], fields["password"], principal_of(request))
    return _signed_in(request, session, fields["came_from"])


@router.post("/sign-in/token", **admits(Needs.NOTHING))
async def sign_in_with_token(request: Request, fields: Form) -> Response:
    """Sign in with a token, as guests of classes do: they have no password."""
    text, context = fields["token"].strip(), context_of(request)
    address, service = principal_of(request).address, accounts.service_of(request)
    context.limits.check("failure", address, address=address)
    context.limits.take("password", f"token {address}")
    now = context.clock.now_ms()
    if await context.readers.run(partial(tokens.valid_token, text=text, now=now)) is None:
        service.note_failure(address)
        return await _sign_in(request, fields, ApiProblem("signed-out", "The token is not valid."))
    response = go(local_path(fields["came_from"]))
    set_cookie(response, context.settings, text)
    return response


@router.get("/recover", **admits(Needs.NOTHING))
async def show_recovery(request: Request) -> Response:
    """Show the form for a new password with a code of the operator."""
    return await _recovery(request, Fields())


async def _recovery(request: Request, fields: Fields, problem: ApiProblem | None = None) -> Response:
    return page(request, "recover.html", problem=problem, fields=fields)


@router.post("/recover", **admits(Needs.NOTHING))
@on_refusal(_recovery)
async def recover(request: Request, fields: Form) -> Response:
    """Set a new password with a code, and sign in."""
    service, address = accounts.service_of(request), principal_of(request).address
    session = await service.recover(fields["handle"], fields["code"].strip(), fields["new_password"], address)
    return _signed_in(request, session, "/account")


@router.post("/sign-out", **admits(Needs.ACCOUNT))
async def sign_out(request: Request) -> Response:
    """End this browser's session. A guest's token stays valid elsewhere."""
    await fields_of(request)
    with suppress(ApiProblem):
        await accounts.sign_out(request)
    response = go("/")
    clear_cookie(response, context_of(request).settings)
    return response


@router.get("/account", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def show_account(request: Request, done: Annotated[str, Query(max_length=20)] = "") -> Response:
    """Show your account: name, password, keys, sessions, export, deletion."""
    return await _account(request, done=done)


async def _account(
    request: Request,
    problem: ApiProblem | None = None,
    fields: Fields | None = None,
    *,
    new_key: dict[str, Any] | None = None,
    done: str = "",
) -> Response:
    """The page of the caller's account; passwords among the fields are never shown again."""
    context, whom = context_of(request), principal_of(request)
    has_tables = "tables" in context.settings.services
    return page(
        request,
        "account.html",
        problem=problem,
        account=await accounts.get_account(request),
        keys=(await accounts.list_keys(request)).items,
        sessions=(await accounts.list_sessions(request)).items,
        ranks=await context.readers.run(partial(ranks_of, whom=whom.id)) if has_tables else [],
        current=whom.token,
        new_key=new_key,
        done=done,
    )


@router.post("/account/name", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
@on_refusal(_account)
async def rename(request: Request, fields: Form) -> Response:
    """Change your display name."""
    await accounts.service_of(request).rename(principal_of(request), fields["display_name"])
    return go("/account")


@router.post("/account/password", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
@on_refusal(_account)
async def change_password(request: Request, fields: Form) -> Response:
    """Change your password; all other sessions end."""
    service, caller = accounts.service_of(request), principal_of(request)
    old, new, delete_keys = fields["current_password"], fields["new_password"], fields["delete_keys"] == "yes"
    session = await service.change_password(caller, old, new, delete_keys=delete_keys)
    return _signed_in(request, session, "/account?done=password")


@router.post("/account/keys", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
@on_refusal(_account)
async def create_key(request: Request, fields: Form) -> Response:
    """Make an API key. The page that answers shows it, once."""
    scopes = ["read", "play"] if fields["play"] == "yes" else ["read"]
    days = count_of(fields["days"] or "90", "days")
    body = NewKey(name=fields["name"], scopes=scopes, days=days)
    made = values_of(await accounts.create_key(request, body))
    return await _account(request, new_key={**made, "name": fields["name"]})


@router.post("/account/keys/{key}/delete", **admits(Needs.OWNER, scope=Scope.ACCOUNT))
async def delete_key(request: Request, key: str) -> Response:
    """Delete one of your API keys."""
    await fields_of(request)
    await accounts.delete_key(request, key)
    return go("/account")


@router.post("/account/sessions/end", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def end_sessions(request: Request) -> Response:
    """Sign out everywhere."""
    await fields_of(request)
    await accounts.sign_out_everywhere(request)
    response = go("/")
    clear_cookie(response, context_of(request).settings)
    return response


@router.post("/account/sessions/{session}/end", **admits(Needs.OWNER, scope=Scope.ACCOUNT))
async def end_session(request: Request, session: str) -> Response:
    """End one of your sessions."""
    await fields_of(request)
    await accounts.end_session(request, session)
    return go("/account")


@router.post("/account/delete", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
@on_refusal(_account)
async def delete_account(request: Request, fields: Form) -> Response:
    """Delete your account, confirmed by the password."""
    await accounts.service_of(request).delete(principal_of(request), fields["password"])
    handle, request.state.principal = principal_of(request).handle, Principal()
    response = page(request, "deleted.html", handle=handle)
    clear_cookie(response, context_of(request).settings)
    return response
