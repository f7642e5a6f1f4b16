"""Problems: every error answer, in the form of RFC 9457, with the `problems` list of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from fracas.engine.untrusted import without_paths
from fracas.errors import InputError, Problem
from fracas.server_models.answer import InputProblem

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of error: the last part of its `type`, its HTTP status and its title."""

    name: str
    status: int
    title: str


KINDS = {
    each.name: each
    for each in (
        Kind("invalid-request", 400, "The request cannot be read"),
        Kind("signed-out", 401, "Sign in first"),
        Kind("forbidden", 403, "This is not allowed"),
        Kind("not-found", 404, "There is nothing here"),
        Kind("method-not-allowed", 405, "This method is not allowed here"),
        Kind("too-slow", 408, "The request took too long to arrive"),
        Kind("conflict", 409, "This contradicts what is stored"),
        Kind("gone", 410, "This is no longer kept"),
        Kind("too-large", 413, "The request is too large"),
        Kind("unsupported-media-type", 415, "Send application/json"),
        Kind("misdirected", 421, "This server has another name"),
        Kind("invalid-input", 422, "The input is not valid"),
        Kind("over-budget", 422, "This can never fit the budget"),
        Kind("head-too-large", 431, "The head of the request is too large"),
        Kind("too-many-requests", 429, "Too many requests"),
        Kind("fault", 500, "The server failed"),
        Kind("unavailable", 503, "The server cannot do this now"),
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


def input_problem(problem: Problem) -> InputProblem:
    """A problem as answers show it, with the keys that the command line prints."""
    return InputProblem(
        where=problem.where,
        message=problem.message,
        suggestion=problem.suggestion,
        file=problem.file,
        path=problem.path,
    )


def body_of(error: ApiProblem, request_id: str | None, instance: str | None = None) -> dict[str, Any]:
    """The JSON body of an error answer."""
    return {
        "type": f"/problems/{error.kind.name}",
        "title": error.kind.title,
        "status": error.kind.status,
        "detail": error.detail,
        **({} if instance is None else {"instance": instance}),
        "request_id": request_id,
        "problems": [input_problem(problem).as_json() for problem in error.problems],
        **error.more,
    }


def answer(request: Request, error: ApiProblem) -> JSONResponse:
    """The error answer to a request."""
    body = body_of(error, request.scope.get("fracas.request_id"), request.url.path)
    return JSONResponse(body, error.kind.status, headers=error.headers, media_type=MEDIA_TYPE)
