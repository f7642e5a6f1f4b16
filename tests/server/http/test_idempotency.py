"""A repeated request with the same Idempotency-Key gets the first answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import func, select
from starlette.requests import Request
from tests.helpers.accounts import signed_in

from fracas.server import ids
from fracas.server.clock import DAY
from fracas.server.database.tables import audit, idempotency
from fracas.server.http.authorisation import Principal, Role
from fracas.server.http.idempotency import created, forget_old
from fracas.server.http.problems import ApiProblem
from fracas.server_models.answer import Answer


def ask(server, account: str | None, key: str | None, body: bytes, command):
    """Run a command as a route would, with a request of an account."""
    headers = [] if key is None else [(b"idempotency-key", key.encode())]
    scope = {"type": "http", "method": "POST", "path": "/x", "query_string": b"", "headers": headers, "app": server.app}
    scope |= {"server": ("fracas.test", 80), "scheme": "http", "root_path": ""}

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    request = Request(scope, receive)
    request.state.principal = Principal(account, "ann", Role.PLAYER)
    return server.wait(created(request, command))


class Made(Answer):
    id: str
    links: dict[str, str]


def note(connection) -> Made:
    row: dict[str, Any] = {"id": ids.new_id(1), "who": "x", "what": "made", "subject": "", "at": 1}
    connection.execute(audit.insert(), row)
    return Made(id=row["id"], links={"self": f"/x/{row['id']}"})


def made(server) -> int:
    return int(server.read(lambda c: c.execute(select(func.count()).select_from(audit)).scalar_one()))


def test_the_same_request_is_answered_again_and_does_nothing(server):
    first = ask(server, "a", "key", b"{}", note)
    again = ask(server, "a", "key", b"{}", note)
    assert (first.status_code, first.body) == (again.status_code, again.body)
    assert again.headers["location"] == first.headers["location"]
    assert "idempotent-replayed" in again.headers
    assert made(server) == 1
    ask(server, "b", "key", b"{}", note)
    ask(server, "a", "other", b"{}", note)
    ask(server, "a", None, b"{}", note)
    ask(server, None, "key", b"{}", note)
    assert made(server) == 5


def test_another_request_with_the_key_is_a_conflict(server):
    ask(server, "a", "key", b"{}", note)
    with pytest.raises(ApiProblem) as caught:
        ask(server, "a", "key", b'{"x": 1}', note)
    assert caught.value.kind.status == 409
    assert made(server) == 1


def test_a_request_that_failed_may_be_tried_again(server):
    def fail(connection):
        note(connection)
        raise ApiProblem("conflict", "no")

    with pytest.raises(ApiProblem):
        ask(server, "a", "key", b"{}", fail)
    assert made(server) == 0
    assert ask(server, "a", "key", b"{}", note).status_code == 201


def test_keys_are_kept_for_a_day(server):
    ask(server, "a", "key", b"{}", note)
    server.clock.step(DAY)
    ask(server, "a", "key", b'{"x": 1}', lambda connection: Made(id="", links={"self": ""}))
    server.clock.step(DAY)
    assert server.write(lambda connection: forget_old(connection, server.clock.now_ms())) == 1
    assert server.read(lambda connection: connection.execute(select(idempotency)).all()) == []


@pytest.mark.parametrize("key", ["", "x" * 101, "a\tb"])
def test_wrong_keys(server, key):
    with pytest.raises(ApiProblem) as caught:
        ask(server, "a", key, b"{}", note)
    assert caught.value.kind.status == 422


def test_sixteen_at_once_do_it_once(server):
    member = signed_in(server, "ann")

    async def all_at_once():
        import asyncio

        body = {"name": "bot", "scopes": ["read"]}
        asked = (member.http.post("/api/v1/keys", json=body, headers={"Idempotency-Key": "k"}) for _ in range(16))
        return await asyncio.gather(*asked)

    answers = server.wait(all_at_once())
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sum(answer.json()["token"] is not None for answer in answers) == 1


def test_writers_in_threads_give_each_id_once():
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: ids.new_id(5), range(400)))
    assert len(set(made)) == 400
    assert all(map(ids.is_id, made))
    assert ids.new_id(5) < ids.new_id(5) < ids.new_id(6)
