"""Turn every exception into a problem: bad input, unknown routes, wrong methods, faults."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fracas.errors import FaultError, InputError, Problem
from fracas.server.http.problems import KINDS, ApiProblem, answer, of_input_error
from fracas.server.http.request_scope import route_of

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
    found = ApiProblem("invalid-input", "The request is not valid.", problems=validation_problems(error.errors()))
    return answered(request, found)


async def _http_exception(request: Request, error: Any) -> Response:
    kind = _BY_STATUS.get(error.status_code, "fault" if error.status_code >= 500 else "invalid-request")
    detail = KINDS[kind].title + "."
    return answered(request, ApiProblem(kind, detail, headers=dict(error.headers or {})))


def validation_problems(errors: Sequence[Any]) -> list[Problem]:
    """The errors of pydantic as problems. Values are not repeated: one may be a password."""
    problems = []
    for each in errors[:MOST_PROBLEMS]:
        where, *path = each["loc"]
        place = ".".join(str(part)[:LONGEST_SHOWN] for part in path)
        problems.append(Problem(place or str(where), _sentence(each), None))
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
