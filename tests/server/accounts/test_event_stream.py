"""The event stream: numbered events, resumed where a client stopped, ended when its token ends."""

from __future__ import annotations

import json

import pytest
from tests.helpers.accounts import signed_in
from tests.helpers.serving import OpenStream, RunningServer

from fracas.server.database import streams
from fracas.server.http import server_events

PATH = "/api/v1/events"


@pytest.fixture
def member(server: RunningServer):
    return signed_in(server, "ann")


def append(server: RunningServer, account: str, *kinds: str) -> None:
    now = server.clock.now_ms()
    server.write(lambda c: streams.append(c, [(account, kind, {"x": kind}) for kind in kinds], now))


def opened(server, member, **headers: str) -> OpenStream:
    found = OpenStream(server, PATH, member.token, **headers)
    assert found.status == 200
    assert found.text() == "retry: 2000\n\n"
    return found


def parsed(text: str) -> tuple[int, str, dict]:
    lines = dict(line.partition(": ")[::2] for line in text.strip().split("\n"))
    return int(lines["id"]), lines["event"], json.loads(lines["data"])


def test_a_stream_tells_what_comes_after_it_was_opened(server, member):
    append(server, member.account, "old")
    stream = opened(server, member)
    server.wait(settle())
    append(server, member.account, "matched", "resolved")
    append(server, "somebody else", "secret")
    assert [parsed(stream.text()) for _ in range(2)] == [
        (2, "matched", {"x": "matched", "at": "2026-11-23T00:00:00.000Z"}),
        (3, "resolved", {"x": "resolved", "at": "2026-11-23T00:00:00.000Z"}),
    ]
    stream.leave()


def test_a_stream_resumes_after_the_last_id(server, member):
    append(server, member.account, "one", "two", "three")
    stream = opened(server, member, **{"Last-Event-ID": "1"})
    assert [parsed(stream.text())[:2] for _ in range(2)] == [(2, "two"), (3, "three")]
    stream.leave()
    by_query = OpenStream(server, f"{PATH}?last=2", member.token)
    by_query.text()
    assert parsed(by_query.text())[0] == 3
    by_query.leave()


@pytest.mark.parametrize("last", ["0", "7"])
def test_a_client_that_missed_too_much_is_told_to_read_again(server, member, last):
    append(server, member.account, "one", "two")
    server.clock.step(streams.KEPT + 1)
    server.write(lambda c: streams.forget_old(c, server.clock.now_ms()))
    append(server, member.account, "three")
    stream = opened(server, member, **{"Last-Event-ID": last})
    assert parsed(stream.text())[:2] == (3, "reset")
    append(server, member.account, "four")
    assert parsed(stream.text())[:2] == (4, "four")
    stream.leave()


def test_a_quiet_stream_shows_that_it_lives(server, member, monkeypatch):
    monkeypatch.setattr(server_events, "COMMENT_SECONDS", 0.01)
    stream = opened(server, member)
    assert stream.text() == ": still here\n\n"
    stream.leave()


def test_an_account_has_at_most_five_streams(server, member):
    many = [opened(server, member) for _ in range(5)]
    assert member.get(PATH).status_code == 429
    for stream in many:
        stream.leave()
    opened(server, member).leave()
    assert server.context.parts["accounts"].streams.count == 0


def test_signing_out_and_stopping_end_the_stream(server, member):
    stream = opened(server, member)
    member.delete("/api/v1/sessions/current")
    assert stream.text() == ""
    other = signed_in(server, "zoe")
    stream = opened(server, other)
    server.wait(settle())
    server.context.parts["accounts"].streams.close()
    assert stream.text() == ""


@pytest.mark.parametrize("last", ["-1", "x", "99999999999", "1.5"])
def test_a_wrong_last_id_is_refused(server, member, last):
    assert member.get(PATH, headers={"Last-Event-ID": last}).status_code == 422


async def settle() -> None:
    """Let the stream read the database once."""
    import asyncio

    for _ in range(5):
        await asyncio.sleep(0.01)
