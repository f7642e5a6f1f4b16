"""What the routes of the arena share: its parts of the running server, and common parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Query, Request
from sqlalchemy import Connection

from fracas.server.arena.arena_loop import RunningArena
from fracas.server.arena.day_secrets import SecretError
from fracas.server.arena.domain import Arena
from fracas.server.arena.league import League
from fracas.server.http.answers import MOST_PER_PAGE
from fracas.server.http.context import context_of
from fracas.server.http.problems import ApiProblem, not_found

Result = TypeVar("Result")


LONGEST_TEXT = 300
ID_EXAMPLE = "01kar7ms5rj9e7q2c4xw8v0tzd"
# The most rows of a CSV file.
MOST_ROWS = 10_000


Cursor = Annotated[str | None, Query(max_length=500, description="Where the page begins: the `next` link has it.")]


Limit = Annotated[int, Query(ge=1, le=MOST_PER_PAGE, description="How many items to answer.")]


def running_of(request: Request) -> RunningArena:
    """This room's part of the running server."""
    running: RunningArena = context_of(request).parts["arena"]
    return running


async def arena_of(request: Request) -> Arena:
    """The leagues of the server.

    Raises:
        ApiProblem: 503, the secret file does not open them.
    """
    try:
        return await running_of(request).ready()
    except SecretError:
        detail = "The leagues are closed until the operator mends the secret file."
        raise ApiProblem("unavailable", detail, headers={"Retry-After": "60"}) from None


async def league_of(request: Request, name: str) -> League:
    """A league of the server.

    Raises:
        ApiProblem: 404, there is none.
    """
    arena = await arena_of(request)
    if name not in arena.leagues:
        raise not_found("no league of this name")
    return arena.leagues[name]


async def read(request: Request, query: Callable[[Connection], Result]) -> Result:
    """Run a query."""
    await arena_of(request)
    return await context_of(request).readers.run(query)
