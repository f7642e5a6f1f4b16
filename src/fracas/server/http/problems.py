"""Problems: every error answer, in the form of RFC 9457, with the `problems` list of the command line.

Every exception becomes one: bad input, unknown routes, wrong methods, faults.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from fracas.engine.untrusted import without_paths
from fracas.errors import FaultError, InputError, Problem
from fracas.server_models.answer import InputProblem

MEDIA_TYPE = "application/problem+json"
NO_ROUTE = "none"


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """A kind of error: the last part of its `type`, its HTTP status and its title."""

    name: str
    status: int
    title: str


KINDS = {
    each.name: each
    for each in (
        ErrorKind("invalid-request", 400, "The request cannot be read"),
        ErrorKind("signed-out", 401, "Sign in first"),
        ErrorKind("forbidden", 403, "This is not allowed"),
        ErrorKind("not-found", 404, "There is nothing here"),
        ErrorKind("method-not-allowed", 405, "This method is not allowed here"),
        ErrorKind("too-slow", 408, "The request took too long to arrive"),
        ErrorKind("conflict", 409, "This contradicts what is stored"),
        ErrorKind("gone", 410, "This is no longer kept"),
        ErrorKind("too-large", 413, "The request is too large"),
        ErrorKind("unsupported-media-type", 415, "Send application/json"),
        ErrorKind("misdirected", 421, "This server has another name"),
        ErrorKind("invalid-input", 422, "The input is not valid"),
        ErrorKind("over-budget", 422, "This can never fit the budget"),
        ErrorKind("head-too-large", 431, "The head of the request is too large"),
        ErrorKind("too-many-requests", 429, "Too many requests"),
        ErrorKind("fault", 500, "The server failed"),
        ErrorKind("unavailable", 503, "The server cannot do this now"),
    )
}


class ApiProblem(Exception):
    """An error answer. Raised anywhere below a route, also in commands, which it undoes."""

    def __init__(
        self,
        kind: str,
        detail: str,
        *,
        problems: Iterable[Problem] = (),
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        self.kind = KINDS[kind]
        self.detail = detail
        self.problems = tuple(problems)
        self.headers = dict(headers or {})
        self.more = dict(more or {})
        super().__init__(detail)


def not_found(what: str = "nothing of this name") -> ApiProblem:
    """The answer for what does not exist, and for what the caller must not know to exist."""
    return ApiProblem("not-found", f"There is {what} here.")


def too_many(detail: str, retry_after: float) -> ApiProblem:
    """The answer for a caller who has to wait; `retry_after` in seconds."""
    return ApiProblem("too-many-requests", detail, headers={"Retry-After": str(max(1, round(retry_after + 0.5)))})


def of_input_error(error: InputError) -> ApiProblem:
    """Turn the problems of bad input into an answer. No message keeps a path of this machine."""
    count = len(error.problems)
    detail = "There is one problem." if count == 1 else f"There are {count} problems."
    return ApiProblem("invalid-input", detail, problems=map(without_paths, error.problems))


def route_of(scope: Any) -> str:
    """The route as it is written, which logs and metrics name; a path may hold what is private."""
    return str(getattr(scope.get("route"), "path", NO_ROUTE))


def input_problem(problem: Problem) -> InputProblem:
    """A problem as answers show it, with the keys that the command line prints."""
    return InputProblem(**problem.as_json())


def body_of(error: ApiProblem, request_id: str | None, instance: str | None = None) -> dict[str, Any]:
    """The JSON body of an error answer."""
    return {
        "type": f"/problems/{error.kind.name}",
        "title": error.kind.title,
        "status": error.kind.status,
        "detail": error.detail,
        **({} if instance is None else {"instance": instance}),
        "request_id": request_id,
        "problems": [problem.as_json() for problem in error.problems],
        **error.more,
    }


def answer(request: Request, error: ApiProblem) -> JSONResponse:
    """The error answer to a request."""
    body = body_of(error, request.scope.get("fracas.request_id"), request.url.path)
    return JSONResponse(body, error.kind.status, headers=error.headers, media_type=MEDIA_TYPE)


log = logging.getLogger("fracas.server.requests")
_BY_STATUS = {400: "invalid-request", 404: "not-found", 405: "method-not-allowed", 413: "too-large"}
# When to come back after a failure of the database.
RETRY_SECONDS = 10
MOST_PROBLEMS = 100
LONGEST_SHOWN = 200


def add_error_handlers(app: FastAPI) -> None:
    """Answer the exceptions of all routes with problems."""
    app.add_exception_handler(ApiProblem, _api_problem)
    app.add_exception_handler(InputError, _input_error)
    app.add_exception_handler(FaultError, _fault_error)
    app.add_exception_handler(OperationalError, _database_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_exception)


def answered(request: Request, error: ApiProblem) -> Response:
    """The answer to a request that failed: a page to somebody who looks at pages, else a problem as JSON."""
    show = getattr(request.app.state, "problem_page", None)
    wants_page = "text/html" in request.headers.get("accept", "")
    if show is not None and wants_page and not request.url.path.startswith("/api/"):
        found: Response = show(request, error)
        return found
    return answer(request, error)


async def _api_problem(request: Request, error: Any) -> Response:
    return answered(request, error)


async def _input_error(request: Request, error: Any) -> Response:
    return answered(request, of_input_error(error))


async def _fault_error(request: Request, error: Any) -> Response:
    # The battle hit a limit of the engine: the document asks for too much, the server is well.
    return answer(
        request, ApiProblem("invalid-input", "The battle cannot be played.", problems=[Problem("", str(error))])
    )


async def _database_error(request: Request, error: Any) -> Response:
    # The disk is full or fails, another program holds the file, PostgreSQL is gone. Its text is for the log only.
    more = {"request_id": request.scope.get("fracas.request_id"), "route": route_of(request.scope)}
    log.error("the database failed", exc_info=error, extra=more)
    detail = "The database does not work. The log has more under this request id."
    return answered(request, ApiProblem("unavailable", detail, headers={"Retry-After": str(RETRY_SECONDS)}))


async def _validation_error(request: Request, error: Any) -> Response:
    problem = ApiProblem("invalid-input", "The request is not valid.", problems=validation_problems(error.errors()))
    return answered(request, problem)


async def _http_exception(request: Request, error: Any) -> Response:
    kind = _BY_STATUS.get(error.status_code, "fault" if error.status_code >= 500 else "invalid-request")
    detail = KINDS[kind].title + "."
    return answered(request, ApiProblem(kind, detail, headers=dict(error.headers or {})))


def validation_problems(errors: Sequence[Any]) -> list[Problem]:
    """The errors of pydantic as problems. Values are not repeated: one may be a password."""
    problems = []
    for each in errors[:MOST_PROBLEMS]:
        where, *path = each["loc"]
        key = ".".join(str(part)[:LONGEST_SHOWN] for part in path)
        problems.append(Problem(key or str(where), _sentence(each), None))
    return problems


def _sentence(error: Any) -> str:
    kind = error["type"]
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "there is no such key here"
    if kind == "json_invalid":
        return "is not valid JSON"
    text = str(error["msg"])
    text = text.removeprefix("Value error, ").replace("Input should", "should").replace("String should", "should")
    return text[:1].lower() + text[1:LONGEST_SHOWN]
