"""Send requests: tokens, repeats that do nothing twice, pages of lists, and errors as exceptions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter, ValidationError

from fracas.client.errors import ConnectionFailed, ServerProblem, problem_of
from fracas.client.tokens import new_token
from fracas.server_models.answer import Page

ROOT = "/api/v1"
# How often a request is repeated that got no answer, 429 or 503, and the longest wait in between.
MOST_REPEATS = 4
LONGEST_WAIT = 30.0

Result = TypeVar("Result")


class Transport:
    """One server, and the token that requests show."""

    def __init__(self, http: httpx.Client, token: str | None, wait: Callable[[float], None] = time.sleep) -> None:
        self.http = http
        self.token = token
        self._wait = wait

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    def send(self, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        """Send a request and wait for an answer that does not refuse.

        Whoever creates something sends an Idempotency-Key, so a repeat after a lost answer does nothing twice.

        Raises:
            ServerProblem: the server refused.
            ConnectionFailed: it did not answer.
        """
        headers = self.headers
        is_safe_to_repeat = method in ("GET", "PUT", "DELETE")
        if method == "POST" and self.token is not None:
            headers["Idempotency-Key"] = new_token()
            is_safe_to_repeat = True
        query = {name: value for name, value in query.items() if value is not None}
        options = {} if body is None else {"json": body}
        for repeat in range(MOST_REPEATS + 1):
            pause = 0.2 * 2**repeat
            try:
                answer = self.http.request(method, path, params=query or None, headers=headers, **options)
            except httpx.TransportError as error:
                if repeat == MOST_REPEATS or not is_safe_to_repeat:
                    raise ConnectionFailed(f"{method} {path}: {str(error) or type(error).__name__}") from None
                self._wait(pause)
                continue
            if answer.is_success:
                return answer
            problem = problem_of(answer)
            # 503 may come after the work began; 429 comes before it.
            is_passing = problem.status == 429 or (problem.status == 503 and is_safe_to_repeat)
            wait = pause if problem.retry_after is None else problem.retry_after
            if not is_passing or repeat == MOST_REPEATS or wait > LONGEST_WAIT:
                raise problem
            self._wait(wait)
        raise AssertionError("the last repeat returns or raises")

    def ask(self, model: type[Result], method: str, path: str, body: Any = None, **query: Any) -> Result:
        """Send a request and read its answer as a model.

        Raises:
            ServerProblem: the server refused, or answered something else.
        """
        answer = self.send(method, path, body, **query)
        try:
            return TypeAdapter(model).validate_json(answer.content)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            fault = f"{'.'.join(map(str, first['loc']))}: {first['msg']}".removeprefix(": ")
            detail = f"The answer to {method} {path} is not understood: {fault}. Is the client too old for the server?"
            raise ServerProblem(answer.status_code, "not-understood", detail, {}, None) from None

    def items(self, model: type[Result], path: str, **query: Any) -> Iterator[Result]:
        """All items of a list, page after page.

        Raises:
            ServerProblem: the server refused.
        """
        # A model's type at run time is no type to a type checker.
        page: Page[Result] = self.ask(Page[model], "GET", path, **query)  # type: ignore[valid-type]
        while True:
            yield from page.items
            following = page.links.get("next")
            if following is None:
                return
            page = self.ask(Page[model], "GET", following)  # type: ignore[valid-type]


def path(*parts: str | int) -> str:
    """The path of a resource."""
    return "/".join([ROOT, *(quote(str(part), safe="") for part in parts)])
