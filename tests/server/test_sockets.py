"""Real sockets: slow heads and bodies, too many connections of one address, a stop in order."""

from __future__ import annotations

import json
import socket
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from tests.helpers.accounts import signed_in
from tests.server.conftest import SETTINGS

from fracas.server import sockets
from fracas.server.app import create_app
from fracas.server.database.engine import Database
from fracas.server.run import Server, bound
from fracas.server.settings import Settings


@contextmanager
def listening(sqlite: Database, settings: Settings) -> Iterator[tuple[int, Server]]:
    """A server on a free port of loopback, in a thread."""
    settings = replace(settings, public_url="", port=0)
    found = bound(settings)
    settings = replace(settings, port=found.getsockname()[1])
    ready = threading.Event()
    app = create_app(settings, database=sqlite, preload=False)
    server = Server(app, settings, ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [found]})
    thread.start()
    assert ready.wait(20)
    try:
        yield settings.port, server
    finally:
        server.should_exit = True
        thread.join(20)
        found.close()
        assert not thread.is_alive()


@pytest.fixture
def quick() -> Settings:
    """Settings with short times, so that nothing waits for long."""
    return replace(SETTINGS, header_seconds=0.2, body_seconds=0.2)


def connected(port: int) -> socket.socket:
    found = socket.create_connection(("127.0.0.1", port))
    found.settimeout(10)
    return found


def rest_of(connection: socket.socket) -> bytes:
    """Everything until the server closes the connection."""
    parts = []
    with suppress(ConnectionError):
        while part := connection.recv(65_536):
            parts.append(part)
    return b"".join(parts)


def head(port: int, path: str = "/healthz", more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}\r\n".encode()


def asked(port: int, request: bytes) -> bytes:
    with connected(port) as connection:
        connection.sendall(request)
        return rest_of(connection)


def test_slow_heads_and_bodies_are_cut_off_while_others_are_served(sqlite: Database, quick: Settings):
    with listening(sqlite, quick) as (port, _):
        silent, slow, again = connected(port), connected(port), connected(port)
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: x")
        # A second head on the same connection has the same time as the first.
        again.sendall(head(port))
        answer = b""
        while b"alive" not in answer:
            answer += again.recv(65_536)
        again.sendall(b"GET /hea")
        body = connected(port)
        length = "Content-Type: application/json\r\nContent-Length: 100"
        body.sendall(f"POST /api/v1/validate HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{length}\r\n\r\n{{".encode())
        assert b"200 OK" in asked(port, head(port, more="Connection: close\r\n"))
        assert rest_of(silent) == rest_of(slow) == rest_of(again) == b""
        answer = rest_of(body)
        assert b"408" in answer.split(b"\r\n")[0]
        assert b"/problems/too-slow" in answer
        for each in (silent, slow, again, body):
            each.close()


def test_an_address_holds_at_most_so_many_connections(sqlite: Database):
    with listening(sqlite, replace(SETTINGS, sockets_per_address=3)) as (port, _):
        held = held_open(port, 3)
        answer = asked(port, head(port))
        assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert b"Retry-After: 2\r\n" in answer
        problem = json.loads(answer.partition(b"\r\n\r\n")[2])
        assert problem["type"] == "/problems/unavailable"
        assert "as many connections as it may" in problem["detail"]
        assert asked(port, head(port).replace(b"GET", b"HEAD")).endswith(b"\r\n\r\n")
        held[0].close()
        while b"200 OK" not in asked(port, head(port, more="Connection: close\r\n")):
            continue  # Until the server has noticed that one went away.
        for each in held[1:]:
            each.close()


def held_open(port: int, count: int) -> list[socket.socket]:
    """Connections that were answered and stay open."""
    found = [connected(port) for _ in range(count)]
    for each in found:
        each.sendall(head(port))
        assert b"200 OK" in each.recv(65_536)
    return found


def test_a_connection_that_is_refused_does_not_stay(sqlite: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sockets, "REFUSING_SECONDS", 0.2)
    with listening(sqlite, replace(SETTINGS, sockets_per_address=2)) as (port, _):
        held = held_open(port, 2)
        silent = [connected(port) for _ in range(2)]
        flood = connected(port)
        # Of those that are refused only so many are kept until they are told.
        assert rest_of(flood) == b""
        assert [rest_of(each) for each in silent] == [b"", b""]
        assert asked(port, head(port)).startswith(b"HTTP/1.1 503")
        for each in (*held, *silent, flood):
            each.close()


def test_thirty_connections_of_one_address_are_refused_or_answered_but_none_is_reset(sqlite: Database):
    with listening(sqlite, SETTINGS) as (port, server):
        held = held_open(port, 20)
        found = [connected(port) for _ in range(10)]
        for each in found:
            each.sendall(head(port))
        assert {rest_of(each).split(b"\r\n")[0] for each in found} == {b"HTTP/1.1 503 Service Unavailable"}
        # A class behind one router has more room.
        server.app.state.limits.note_class("127.0.0.1")
        more = held_open(port, 10)
        for each in (*held, *found, *more):
            each.close()


def test_heads_are_bounded(sqlite: Database):
    with listening(sqlite, SETTINGS) as (port, _):
        answer = asked(port, head(port, more="X-Long: " + "x" * 40_000 + "\r\nConnection: close\r\n"))
        assert answer.split(b"\r\n")[0].split()[1] in (b"400", b"431")
        assert b"200 OK" in asked(port, head(port, more="Connection: close\r\n"))


def test_requests_that_are_sent_far_ahead_of_their_answers_are_refused(sqlite: Database):
    with listening(sqlite, SETTINGS) as (port, _):
        found = asked(port, head(port) * 200)
        assert found.count(b"200 OK") <= sockets.MOST_PIPELINED + 1
        assert b"400 Bad Request" in found
        assert b"200 OK" in asked(port, head(port, more="Connection: close\r\n"))


BEGINNINGS = {
    "a path": "GET /",
    "a header": "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ",
    "the length of a part": "POST /api/v1/run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;",
}


@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS)
def test_what_does_not_end_is_cut_off_before_it_fills_the_memory(sqlite: Database, beginning: str):
    """A head, or what stands between the parts of a body, may arrive as slowly as time allows, but not for ever."""
    with listening(sqlite, SETTINGS) as (port, _), connected(port) as connection:
        pieces = [beginning.encode(), *2_000 * [b"x" * 16_384]]
        with pytest.raises(ConnectionError):
            deque(map(connection.sendall, pieces), maxlen=0)


def test_a_stop_ends_streams_and_answers_what_is_open(sqlite: Database):
    with listening(sqlite, SETTINGS) as (port, server):
        context = server.app.state.context

        class Direct:
            clock = context.clock
            write = staticmethod(context.writer.run_now)

            @staticmethod
            def client(token: str, **_: str):
                return type("Held", (), {"token": token})()

        member = signed_in(Direct, "ann")  # type: ignore[arg-type]
        stream = connected(port)
        stream.sendall(head(port, "/api/v1/events", f"Authorization: Bearer {member.token}\r\n"))
        while b"retry: 2000" not in stream.recv(65_536):
            continue
        server.should_exit = True
        assert rest_of(stream).endswith(b"0\r\n\r\n")
        stream.close()


def test_a_port_that_is_taken_is_a_sentence(sqlite: Database):
    from fracas.errors import InputError

    with listening(sqlite, SETTINGS) as (port, _), pytest.raises(InputError, match="Address already in use"):
        bound(replace(SETTINGS, port=port))
    with pytest.raises(InputError, match=r"cannot listen on no\.such"):
        bound(replace(SETTINGS, host="no.such.host.invalid"))


def test_the_lock_of_a_server_is_beside_its_file(sqlite: Database):
    assert Path(f"{sqlite.file}.lock").is_file()
