"""Routes that are called without FastAPI: those of a fixed path that take the request, and at most a JSON body.

FastAPI finds a route by comparing paths, and then opens contexts and resolves dependencies for each request. On a route
that is asked a thousand times a second this costs more than the work. A direct route has the same checks and the same
answers: it differs in time only. All routes stay FastAPI's too, which describes them.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from fracas.server.http.answers import Body
from fracas.server.http.asgi import App, Receive, Scope, Send
from fracas.server.http.bodies import PARSED
from fracas.server.http.json_routes import JsonRoute

Check = Callable[[Request], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Direct:
    """A route that can be called directly."""

    route: Any
    """What FastAPI knows it by; logs and metrics name it."""
    call: Callable[..., Awaitable[Response]]
    body: tuple[str, TypeAdapter[Any]] | None
    """The parameter of the body, and what it must be."""


class DirectRoutes:
    """Answers what a direct route answers, and hands everything else on."""

    def __init__(self, app: App, routes: Iterable[Any], check: Check) -> None:
        self._app, self._check = app, check
        self._routes: Mapping[tuple[str, str], _Direct] = dict(_direct_routes(routes))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope.get("root_path"):
            await self._app(scope, receive, send)
            return
        found = self._routes.get((scope["method"], scope["path"]))
        # What has a query, or a body that was not read here, is left to FastAPI.
        if found is None or scope["query_string"] or (found.body is not None and PARSED not in scope):
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive, send)
        scope["route"] = found.route
        try:
            response = await self._answer(found, request)
        except Exception as error:
            response = await _answer_to(request, error)
        await response(scope, receive, send)

    async def _answer(self, found: _Direct, request: Request) -> Response:
        await self._check(request)
        if found.body is None:
            return await found.call(request=request)
        name, kind = found.body
        try:
            body = kind.validate_python(request.scope[PARSED], from_attributes=True)
        except ValidationError as error:
            problems = [{**each, "loc": ("body", *each["loc"])} for each in error.errors(include_url=False)]
            raise RequestValidationError(problems) from None
        return await found.call(request=request, **{name: body})


async def _answer_to(request: Request, error: Exception) -> Response:
    """What the application's handlers make of an exception; others are faults.

    Raises:
        Exception: the error itself, if nobody handles its kind.
    """
    handlers = request.app.exception_handlers
    for kind in type(error).__mro__:
        if kind in handlers:
            found: Response = await handlers[kind](request, error)
            return found
    raise error


def _direct_routes(contexts: Iterable[Any]) -> Iterable[tuple[tuple[str, str], _Direct]]:
    """The routes of an application that can be called directly, by method and path."""
    for context in contexts:
        route = getattr(context, "original_route", context)
        if not isinstance(route, JsonRoute) or "{" in route.path:
            continue
        found = _direct(route)
        if found is not None:
            for method in route.methods or ():
                yield (method, route.path), found


def _direct(route: JsonRoute) -> _Direct | None:
    """How to call a route directly; None if it takes more than the request and one body."""
    if route.dependencies:
        return None
    bodies = _bodies(route.endpoint)
    return None if bodies is None else _Direct(route, route.endpoint, next(iter(bodies.items()), None))


@cache
def _bodies(endpoint: Callable[..., Any]) -> Mapping[str, TypeAdapter[Any]] | None:
    """What a function takes besides the request, at most one body; None if it takes anything else.

    Each is read once: every application of a process has the same functions.
    """
    parameters = dict(inspect.signature(endpoint, eval_str=True).parameters)
    if parameters.pop("request", None) is None or len(parameters) > 1:
        return None
    kinds = {name: parameter.annotation for name, parameter in parameters.items()}
    if not all(isinstance(kind, type) and issubclass(kind, Body) for kind in kinds.values()):
        return None
    return {name: TypeAdapter(kind) for name, kind in kinds.items()}
