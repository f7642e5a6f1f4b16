"""One address with many names: what it may do, and what a class behind one router may."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.helpers.accounts import PASSWORD, signed_in
from tests.helpers.serving import Client, RunningServer
from tests.server.arena.test_routes import LEAGUE

from fracas.server.clock import HOUR, MINUTE
from fracas.server.http.rate_limits import CLASS_ROOM, RATES, RateLimits
from fracas.server.settings import Settings

API = "/api/v1"
SCHOOL, ELSEWHERE = "198.51.100.7", "198.51.100.8"


@pytest.fixture
def settings(settings: Settings, tmp_path) -> Settings:
    """With limits, and one small league."""
    (tmp_path / "leagues").mkdir()
    (tmp_path / "leagues" / "open.toml").write_text(LEAGUE.format(id="open", ruleset="squads", reveal="after_match"))
    return replace(settings, rate_limit=1.0, leagues=str(tmp_path / "leagues"))


def registered(server: RunningServer, count: int, begin: int = 0, address: str = SCHOOL) -> list[int]:
    """The statuses of registrations under many names from one address."""
    client = server.client(address=address)
    return [
        client.post(f"{API}/accounts", {"handle": f"name-{number}", "password": PASSWORD}).status_code
        for number in range(begin, begin + count)
    ]


def class_code(server: RunningServer) -> tuple[Client, str, str]:
    """A teacher at home, the class, and its code."""
    teacher = signed_in(server, "teacher", address=ELSEWHERE)
    made = teacher.post(f"{API}/classes", {"title": "Year 9", "league": "open"}).json()
    return teacher, made["id"], made["code"]


def test_an_address_registers_ten_names_and_is_then_told_when_to_come_again(sqlite_server: RunningServer):
    assert registered(sqlite_server, 30) == [201] * 10 + [429] * 20
    answer = sqlite_server.client(address=SCHOOL).post(f"{API}/accounts", {"handle": "more", "password": PASSWORD})
    assert int(answer.headers["retry-after"]) <= 7
    assert registered(sqlite_server, 1, 30, ELSEWHERE) == [201]


def test_a_class_registers_thirty_names_behind_one_router(sqlite_server: RunningServer):
    _, _, code = class_code(sqlite_server)
    assert registered(sqlite_server, 12)[-1] == 429
    # One pupil shows the code, and the others need not wait.
    assert sqlite_server.client(address=SCHOOL).post(f"{API}/classes/join", {"code": code}).status_code == 201
    assert registered(sqlite_server, 30, 100) == [201] * 30
    # Two hours after the last of the class was seen it is an address like any other.
    sqlite_server.clock.step(2 * HOUR + MINUTE)
    assert registered(sqlite_server, 12, 200) == [201] * 10 + [429] * 2


def test_thirty_guests_join_and_read_behind_one_router(sqlite_server: RunningServer):
    teacher, identifier, code = class_code(sqlite_server)
    # The teacher opens the class's page in the room.
    here = sqlite_server.client(teacher.token, address=SCHOOL)
    assert here.get(f"/classes/{identifier}").status_code == 200
    guests = []
    for _ in range(30):
        client = sqlite_server.client(address=SCHOOL)
        assert [client.get("/classes").status_code for _ in range(5)] == [200] * 5
        answer = client.post(f"{API}/classes/join", {"code": code})
        assert answer.status_code == 201, answer.text
        guests.append(answer.json()["token"])
    assert len(set(guests)) == 30


@pytest.mark.parametrize("seen", ["a wrong code", "an account", "a class elsewhere"])
def test_nobody_else_has_the_room_of_a_class(sqlite_server: RunningServer, seen: str):
    _, identifier, code = class_code(sqlite_server)
    if seen == "a wrong code":
        client = sqlite_server.client(address=SCHOOL)
        assert client.post(f"{API}/classes/join", {"code": "wrong"}).status_code == 404
    elif seen == "an account":
        client = signed_in(sqlite_server, "stranger", address=SCHOOL)
        assert client.get(f"{API}/classes/{identifier}").status_code == 404
        assert client.get(f"{API}/classes").json()["items"] == []
    else:
        sqlite_server.client(address=ELSEWHERE).post(f"{API}/classes/join", {"code": code})
    assert registered(sqlite_server, 12)[-1] == 429


def test_another_process_learns_of_a_class_from_its_guests(sqlite_server: RunningServer):
    """Limits are counted by each process; a guest has a token because of a class's code."""
    _, _, code = class_code(sqlite_server)
    token = sqlite_server.client(address=SCHOOL).post(f"{API}/classes/join", {"code": code}).json()["token"]
    limits = sqlite_server.context.limits
    limits._of_classes.clear()
    assert limits.room(SCHOOL) == 1
    assert sqlite_server.client(token, address=SCHOOL).get(f"{API}/account").status_code == 200
    assert limits.room(SCHOOL) == CLASS_ROOM


def test_tries_of_a_password_are_no_more_where_a_class_is(sqlite_server: RunningServer):
    sqlite_server.context.limits.note_class(SCHOOL)
    client = sqlite_server.client(address=SCHOOL)
    tries = [client.post(f"{API}/sessions", {"handle": "ann", "password": PASSWORD}).status_code for _ in range(12)]
    assert tries == [401] * int(RATES["password"].burst) + [429] * 2


def test_addresses_of_classes_are_bounded(settings: Settings, clock, monkeypatch: pytest.MonkeyPatch):
    from fracas.server.http import rate_limits

    monkeypatch.setattr(rate_limits, "MOST_CLASS_ADDRESSES", 2)
    limits = RateLimits(settings, clock)
    for address in ("a", "b", "a", "c"):
        limits.note_class(address)
    assert [limits.room(each) for each in "abc"] == [CLASS_ROOM, 1, CLASS_ROOM]
