"""Who makes a request, and what each route needs.

A route says what it needs where it is declared. The authorisation table is read off the routes, and the check of each
request, the OpenAPI document and the tests are made from it. A route that says nothing stops the server at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from fastapi import APIRouter
from starlette.requests import HTTPConnection

from fracas.server.http.problems import ApiProblem, not_found

Handler = TypeVar("Handler", bound=Callable[..., Any])


class Role(StrEnum):
    """What an account is. The words are stored in the database."""

    NOBODY = "nobody"
    PLAYER = "player"
    OPERATOR = "operator"
    BOT = "bot"
    GUEST = "guest"


class Scope(StrEnum):
    """What a token allows. Sessions allow everything that the account may do; an API key only what it was made for."""

    READ = "read"
    """Read what is the account's own."""
    PLAY = "play"
    """Submit entries, queue, challenge, practise."""
    ACCOUNT = "account"
    """Change the account, its password and its tokens. No API key has it."""
    ADMIN = "admin"
    """What operators may do. No API key has it."""


KEY_SCOPES = (Scope.READ, Scope.PLAY)


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller of a request."""

    account: str | None = None
    """The account's id; None for nobody."""
    handle: str | None = None
    role: Role = Role.NOBODY
    scopes: frozenset[str] = frozenset()
    token: str | None = None
    """The id of the token that was shown, not the token."""
    address: str = ""
    """The peer's address, or what a trusted proxy says; IPv6 by /64."""

    @property
    def is_somebody(self) -> bool:
        """Whether the caller has shown a valid token."""
        return self.account is not None

    @property
    def subject(self) -> str:
        """Whom limits and budgets count: the account, or else the address."""
        return f"account:{self.account}" if self.account is not None else f"address:{self.address}"

    @property
    def id(self) -> str:
        """The account's id.

        Raises:
            RuntimeError: the route lets in nobody, and nobody came.
        """
        if self.account is None:
            raise RuntimeError("nobody has no id")
        return self.account


class Needs(StrEnum):
    """Whom a route answers."""

    NOTHING = "nothing"
    """Anyone, signed in or not."""
    ACCOUNT = "account"
    """Anyone with an account; the answer is about the caller or public."""
    OWNER = "owner"
    """The account that owns what the path names. For all others it does not exist."""
    OPERATOR = "operator"
    """Operators. For all others it does not exist."""


class Caller(StrEnum):
    """The callers of the authorisation matrix."""

    NOBODY = "nobody"
    OTHER = "another account"
    OWNER = "owner"
    OPERATOR = "operator"


# The status that refuses each caller; None: not refused.
REFUSED: Mapping[Needs, Mapping[Caller, int | None]] = {
    Needs.NOTHING: {Caller.NOBODY: None, Caller.OTHER: None, Caller.OWNER: None, Caller.OPERATOR: None},
    Needs.ACCOUNT: {Caller.NOBODY: 401, Caller.OTHER: None, Caller.OWNER: None, Caller.OPERATOR: None},
    Needs.OWNER: {Caller.NOBODY: 401, Caller.OTHER: 404, Caller.OWNER: None, Caller.OPERATOR: 404},
    Needs.OPERATOR: {Caller.NOBODY: 401, Caller.OTHER: 404, Caller.OWNER: 404, Caller.OPERATOR: None},
}


@dataclass(frozen=True, slots=True)
class Access:
    """A row of the table: a method and a path, as written at the route, and what they need."""

    method: str
    path: str
    needs: Needs
    scope: Scope
    rate: str
    """Which rate limit counts the request: read, write, run or password (http/rate_limits.py)."""


# Where a route keeps what it needs.
ACCESS = "x-access"


def admits(needs: Needs, *, scope: Scope = Scope.READ, rate: str = "") -> dict[str, Any]:
    """The keyword arguments of a route that say what it needs: `@router.get("/x", **admits(Needs.ACCOUNT))`.

    Args:
        needs: whom it answers.
        scope: what a token must allow.
        rate: which rate limit counts it. Default: read for GET, else write.
    """
    return {"openapi_extra": {ACCESS: (needs, scope, rate)}}


SOCKET = "WEBSOCKET"
"""The method of a WebSocket's route in the table."""


def socket_route(
    router: APIRouter, path: str, *, needs: Needs, scope: Scope = Scope.READ, rate: str = "read"
) -> Callable[[Handler], Handler]:
    """Declare a WebSocket's route and what it needs: `@socket_route(router, "/x", needs=Needs.NOTHING)`."""

    def declare(handler: Handler) -> Handler:
        router.add_api_websocket_route(path, handler)
        route: Any = router.routes[-1]
        route.openapi_extra = admits(needs, scope=scope, rate=rate)["openapi_extra"]
        route.methods = {SOCKET}
        return handler

    return declare


class Table:
    """What all routes need, by method and path."""

    def __init__(self, routes: Iterable[Any]) -> None:
        """Read the table off routes.

        Raises:
            RuntimeError: a route does not say what it needs, or is there twice.
        """
        self.rows: dict[tuple[str, str], Access] = {}
        for route in routes:
            path, said = str(route.path), (getattr(route, "openapi_extra", None) or {}).get(ACCESS)
            # A mounted application has no methods.
            for method in set(getattr(route, "methods", None) or {"GET"}) - {"HEAD"}:
                if said is None:
                    raise RuntimeError(f"the route {method} {path} does not say what it needs")
                if (method, path) in self.rows:
                    raise RuntimeError(f"there are two routes {method} {path}")
                needs, scope, rate = said
                rate = rate or ("read" if method == "GET" else "write")
                self.rows[method, path] = Access(method, path, needs, scope, rate)

    def row(self, method: str, path: str) -> Access:
        """The row of a route; HEAD is answered as GET."""
        return self.rows["GET" if method == "HEAD" else method, path]


def admit(access: Access, principal: Principal) -> None:
    """Refuse a caller whose role or token does not reach a route. Ownership is checked where the thing is looked up.

    Raises:
        ApiProblem: 401 for nobody, 403 for a token without the scope, 404 for those who must not know.
    """
    if access.needs is Needs.NOTHING:
        return
    if not principal.is_somebody:
        raise ApiProblem("signed-out", "This needs an account.", headers={"WWW-Authenticate": 'Bearer realm="fracas"'})
    if access.needs is Needs.OPERATOR and principal.role is not Role.OPERATOR:
        raise not_found()
    require_scope(principal, access.scope)


def require_scope(principal: Principal, scope: Scope) -> None:
    """Refuse a token without a scope.

    Raises:
        ApiProblem: 403.
    """
    if scope.value not in principal.scopes:
        raise ApiProblem("forbidden", f'This token does not have the scope "{scope.value}".')


def route_path(request: HTTPConnection) -> str:
    """The path of a request's route as written, such as `/api/v1/entries/{entry}`."""
    path = getattr(request.scope.get("route"), "path", None)
    return str(request.url.path if path is None else path)
