"""Pages of accounts: register, sign in and out, recover, and everything about one's own account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection

from fracas.server.accounts import routes as accounts
from fracas.server.accounts import tokens
from fracas.server.accounts.cookies import clear_cookie, set_cookie
from fracas.server.accounts.service import NewSession
from fracas.server.clock import iso
from fracas.server.http.authorisation import Needs, Principal, Scope, admits
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.problems import ApiProblem
from fracas.server.pages.forms import Fields, count_of, fields_of
from fracas.server.pages.rendering import Attempt, attempt, go, local_path, page
from fracas.server.pages.rendering import problem_page as problem_page

router = APIRouter(include_in_schema=False)

CameFrom = Annotated[str, Query(max_length=200)]


def _signed_in(request: Request, session: NewSession, path: str) -> Response:
    found = go(local_path(path))
    set_cookie(found, context_of(request).settings, session.token)
    return found


@router.get("/register", **admits(Needs.NOTHING))
async def show_registration(request: Request, came_from: CameFrom = "") -> Response:
    """Show the form for a new account."""
    return page(request, "register.html", problem=None, fields=Fields(came_from=came_from))


@router.post("/register", **admits(Needs.NOTHING))
async def register(request: Request) -> Response:
    """Make an account, sign in, and go where one was; else to what one does first."""
    fields = await fields_of(request)
    service, address = accounts.part_of(request).accounts, principal_of(request).address
    invitation = fields["invitation"].strip() or None
    tried = await attempt(lambda: service.register(fields["handle"], fields["password"], invitation, address))
    if tried.result is None:
        return page(request, "register.html", tried.status, problem=tried.problem, fields=fields)
    first = "/entries/new" if "arena" in context_of(request).settings.services else "/account"
    return _signed_in(request, tried.result, fields["came_from"].removesuffix("/") or first)


@router.get("/sign-in", **admits(Needs.NOTHING))
async def show_sign_in(request: Request, came_from: CameFrom = "/") -> Response:
    """Show the form for signing in."""
    return page(request, "sign_in.html", problem=None, handle="", came_from=local_path(came_from))


@router.post("/sign-in", **admits(Needs.NOTHING))
async def sign_in(request: Request) -> Response:
    """Sign in, and go where one was."""
    fields = await fields_of(request)
    service, caller = accounts.part_of(request).accounts, principal_of(request)
    tried = await attempt(lambda: service.sign_in(fields["handle"], fields["password"], caller))
    if tried.result is None:
        return _sign_in_again(request, fields, tried)
    return _signed_in(request, tried.result, fields["came_from"])


@router.post("/sign-in/token", **admits(Needs.NOTHING))
async def sign_in_with_token(request: Request) -> Response:
    """Sign in with a token, as guests of classes do: they have no password."""
    fields = await fields_of(request)
    text, context = fields["token"].strip(), context_of(request)
    address, service = principal_of(request).address, accounts.part_of(request).accounts
    context.limits.check("failure", address, address=address)
    context.limits.take("password", f"token {address}")
    known = None
    if tokens.is_token(text):
        key, now = tokens.hash_of(text), context.clock.now_ms()
        known = await context.readers.run(lambda connection: tokens.look_up(connection, key))
        known = known if known is not None and known.expires_at > now else None
    if known is None:
        service.note_failure(address)
        return _sign_in_again(request, fields, Attempt(problem=ApiProblem("signed-out", "The token is not valid.")))
    found = go(local_path(fields["came_from"]))
    set_cookie(found, context.settings, text)
    return found


def _sign_in_again(request: Request, fields: Fields, tried: Attempt[Any]) -> Response:
    came_from = local_path(fields["came_from"] or "/")
    status, problem = tried.status, tried.problem
    return page(request, "sign_in.html", status, problem=problem, handle=fields["handle"][:100], came_from=came_from)


@router.get("/recover", **admits(Needs.NOTHING))
async def show_recovery(request: Request) -> Response:
    """Show the form for a new password with a code of the operator."""
    return page(request, "recover.html", problem=None, fields=Fields())


@router.post("/recover", **admits(Needs.NOTHING))
async def recover(request: Request) -> Response:
    """Set a new password with a code, and sign in."""
    fields = await fields_of(request)
    service, address = accounts.part_of(request).accounts, principal_of(request).address
    code = fields["code"].strip()
    tried = await attempt(lambda: service.recover(fields["handle"], code, fields["new_password"], address))
    if tried.result is None:
        return page(request, "recover.html", tried.status, problem=tried.problem, fields=fields)
    return _signed_in(request, tried.result, "/account")


@router.post("/sign-out", **admits(Needs.ACCOUNT))
async def sign_out(request: Request) -> Response:
    """End this browser's session. A guest's token stays valid elsewhere."""
    await fields_of(request)
    caller = principal_of(request)
    await attempt(lambda: accounts.part_of(request).accounts.sign_out(caller, caller.token))
    found = go("/")
    clear_cookie(found, context_of(request).settings)
    return found


@router.get("/account", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def show_account(request: Request, done: Annotated[str, Query(max_length=20)] = "") -> Response:
    """Show your account: name, password, keys, sessions, export, deletion."""
    return await _account(request, done=done)


async def _account(request: Request, problem: ApiProblem | None = None, **values: Any) -> Response:
    return page(
        request,
        "account.html",
        200 if problem is None else problem.kind.status,
        account=await accounts.get_account(request),
        keys=(await accounts.list_keys(request)).items,
        sessions=(await accounts.list_sessions(request)).items,
        current=principal_of(request).token,
        problem=problem,
        new_key=values.get("new_key"),
        done=values.get("done"),
    )


@router.post("/account/name", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def rename(request: Request) -> Response:
    """Change your display name."""
    fields, service = await fields_of(request), accounts.part_of(request).accounts
    tried = await attempt(lambda: service.rename(principal_of(request), fields["display_name"]))
    return await _account(request, tried.problem) if tried.problem else go("/account")


@router.post("/account/password", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def change_password(request: Request) -> Response:
    """Change your password; all other sessions end."""
    fields, service = await fields_of(request), accounts.part_of(request).accounts
    caller, delete_keys = principal_of(request), fields["delete_keys"] == "yes"
    tried = await attempt(
        lambda: service.change_password(
            caller, fields["current_password"], fields["new_password"], delete_keys=delete_keys
        )
    )
    if tried.result is None:
        return await _account(request, tried.problem)
    return _signed_in(request, tried.result, "/account?done=password")


@router.post("/account/keys", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def create_key(request: Request) -> Response:
    """Make an API key. The page that answers shows it, once."""
    fields, service = await fields_of(request), accounts.part_of(request).accounts
    scopes = ["read", "play"] if fields["play"] == "yes" else ["read"]

    async def made() -> dict[str, str]:
        days = count_of(fields["days"] or "90", "days")
        make, expires = service.new_key(principal_of(request), fields["name"], scopes, days)
        text, _ = await context_of(request).writer.run(_command(make))
        return {"name": fields["name"], "token": text, "expires_at": iso(expires)}

    tried = await attempt(made)
    return await _account(request, tried.problem, new_key=tried.result)


def _command(make: Any) -> Callable[[Connection], tuple[str, str]]:
    command: Callable[[Connection], tuple[str, str]] = make
    return command


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
    found = go("/")
    clear_cookie(found, context_of(request).settings)
    return found


@router.post("/account/sessions/{session}/end", **admits(Needs.OWNER, scope=Scope.ACCOUNT))
async def end_session(request: Request, session: str) -> Response:
    """End one of your sessions."""
    await fields_of(request)
    await accounts.end_session(request, session)
    return go("/account")


@router.post("/account/delete", **admits(Needs.ACCOUNT, scope=Scope.ACCOUNT))
async def delete_account(request: Request) -> Response:
    """Delete your account, confirmed by the password."""
    fields, service = await fields_of(request), accounts.part_of(request).accounts

    async def deleted() -> bool:
        await service.delete(principal_of(request), fields["password"])
        return True

    tried = await attempt(deleted)
    if tried.problem is not None:
        return await _account(request, tried.problem)
    handle, request.state.principal = principal_of(request).handle, Principal()
    found = page(request, "deleted.html", handle=handle)
    clear_cookie(found, context_of(request).settings)
    return found
