"""Who makes a request, and what each route needs.

The authorisation table is data: the check of each request and the tests are made from it. Each room lists its routes as
`ACCESS`. A route without a row stops the server at the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from starlette.requests import Request
from starlette.routing import Mount

from fracas.server.http.problems import ApiProblem, not_found


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
    """One row: a method and a path, as written at the route, and what they need."""

    method: str
    path: str
    needs: Needs
    scope: Scope = Scope.READ
    rate: str = "read"
    """Which rate limit counts the request: read, write, run or password (http/rate_limits.py)."""


class Table:
    """All rows, by method and path."""

    def __init__(self, rows: Iterable[Access]) -> None:
        self.rows: dict[tuple[str, str], Access] = {}
        for row in rows:
            if (row.method, row.path) in self.rows:
                raise RuntimeError(f"the authorisation table has {row.method} {row.path} twice")
            self.rows[row.method, row.path] = row

    def check(self, routes: Iterable[Any]) -> None:
        """Compare the table with the routes of an application, each with its path and methods.

        Raises:
            RuntimeError: a route has no row, or a row has no route.
        """
        there = {(method, str(route.path)) for route in routes for method in _methods(route)}
        missing, left_over = there - self.rows.keys(), self.rows.keys() - there
        if missing:
            raise RuntimeError(f"routes without a row in the authorisation table: {_listed(missing)}")
        if left_over:
            raise RuntimeError(f"rows of the authorisation table without a route: {_listed(left_over)}")

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


def route_path(request: Request) -> str:
    """The path of a request's route as written, such as `/api/v1/entries/{entry}`."""
    path = getattr(request.scope.get("route"), "path", None)
    return str(request.url.path if path is None else path)


def _methods(route: Any) -> set[str]:
    if isinstance(route, Mount):
        return {"GET"}
    return set(getattr(route, "methods", None) or {"GET"}) - {"HEAD"}


def _listed(keys: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{method} {path}" for method, path in sorted(keys))
