"""Idempotency-Key: a repeated request gets the first answer and does nothing again.

The answer is stored in the command's own transaction, so it is there exactly if the command took effect.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from blake3 import blake3
from sqlalchemy import Connection, delete, select
from starlette.requests import Request
from starlette.responses import Response

from fracas.errors import Problem
from fracas.server.clock import DAY
from fracas.server.database.tables import idempotency
from fracas.server.database.upsert import insert_if_absent
from fracas.server.http.context import context_of, principal_of
from fracas.server.http.problems import ApiProblem
from fracas.server_models.answer import Answer

Model = TypeVar("Model", bound=Answer)

HEADER = "Idempotency-Key"
LONGEST_KEY = 100
KEPT = DAY


async def created(
    request: Request,
    make: Callable[[Connection], Model],
    *,
    status: int = 201,
    location: str | None = "self",
    secret: Sequence[str] = (),
) -> Response:
    """Run a command that creates something, once per account and Idempotency-Key, and answer with what it made.

    Without the header, or for nobody, the command simply runs. An exception undoes the command and stores nothing.

    Args:
        request: whose key it is.
        make: the command.
        status: of the answer.
        location: which of the answer's links goes into the Location header.
        secret: keys of the answer that are not stored: a repeated request gets null there.

    Raises:
        ApiProblem: 409, the key was used for another request; 422, the key is too long.
    """
    context, principal = context_of(request), principal_of(request)
    key = request.headers.get(HEADER)

    def headers_of(body: Mapping[str, Any]) -> dict[str, str]:
        return {} if location is None else {"Location": body["links"][location]}

    if key is None or principal.account is None:
        body = (await context.writer.run(make)).as_json()
        return _response(status, body, headers_of(body))
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        problem = Problem(HEADER, f"must be 1 to {LONGEST_KEY} printable characters", "send a random UUID")
        raise ApiProblem("invalid-input", "The Idempotency-Key is not valid.", problems=[problem])
    account, asked = principal.account, _hash_of(request, await request.body())
    now = context.clock.now_ms()

    def once(connection: Connection) -> Response:
        mine = (idempotency.c.account == account) & (idempotency.c.key == key)
        connection.execute(delete(idempotency).where(mine, idempotency.c.created_at <= now - KEPT))
        # Taking the row first makes a second process wait for this transaction.
        values = {"account": account, "key": key, "request_hash": asked, "status": 0, "body": b"", "created_at": now}
        if not insert_if_absent(connection, idempotency, values):
            known = connection.execute(select(idempotency).where(mine)).one()
            if bytes(known.request_hash) != asked:
                raise ApiProblem("conflict", "This Idempotency-Key was used for another request.")
            body, headers = json.loads(known.body)
            return _response(known.status, body, {**headers, "Idempotent-Replayed": "true"})
        body = make(connection).as_json()
        stored = msgspec.json.encode([{**body, **dict.fromkeys(secret)}, headers_of(body)])
        connection.execute(idempotency.update().where(mine).values(status=status, body=stored))
        return _response(status, body, headers_of(body))

    return await context.writer.run(once)


def forget_old(connection: Connection, now: int) -> int:
    """Delete stored answers older than a day; return how many."""
    return int(connection.execute(delete(idempotency).where(idempotency.c.created_at <= now - KEPT)).rowcount)


def _hash_of(request: Request, body: bytes) -> bytes:
    what = f"{request.method} {request.url.path}?{request.url.query}\n".encode()
    return blake3(what + body).digest()


def _response(status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> Response:
    return Response(msgspec.json.encode(body), status, dict(headers), "application/json")
