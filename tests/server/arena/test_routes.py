"""The arena over HTTP: from an account to a rated match, and what each caller may see of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.helpers import soak
from tests.helpers.serving import Client, RunningServer

from fracas.server.arena.arena_loop import RunningArena
from fracas.server.arena.proofs.day_file import LeagueDayFile
from fracas.server.arena.proofs.league_day import verify_document
from fracas.server.clock import DAY, HOUR, MINUTE, SECOND
from fracas.server.settings import Settings

# What these do with SQL is done on both databases by others.
DATABASES = soak.some(("sqlite", "postgresql"), 1)

ROOT = "/api/v1"
LEAGUE = """
id = "{id}"
title = "Test"
ruleset = "{ruleset}"
points = 100
max_copies = 3
window = 10000
reveal = "{reveal}"
bots = "squads"
[size]
most = 5
"""
TEAM = {"units": ["scout", "bronze_knight", "novice_cleric"]}
OTHER = {"units": ["apprentice_wizard", "bronze_knight"], "strategy": "finish_the_weak"}


@pytest.fixture
def settings(settings: Settings, tmp_path: Path) -> Settings:
    folder = tmp_path / "leagues"
    folder.mkdir()
    for name, reveal in (("open", "after_match"), ("hidden", "season_end")):
        (folder / f"{name}.toml").write_text(LEAGUE.format(id=name, ruleset="squads", reveal=reveal))
    return replace(settings, leagues=str(folder))


def signed_up(server: RunningServer, handle: str) -> Client:
    answer = server.client().post(f"{ROOT}/accounts", {"handle": handle, "password": "correct horse battery"})
    assert answer.status_code == 201, answer.text
    return server.client(answer.json()["token"])


def submitted(client: Client, league: str = "open", document: Any = TEAM, **more: Any) -> str:
    body = {"league": league, "title": "A team", "ranked": True, "document": document, **more}
    answer = client.post(f"{ROOT}/entries", body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["entry"])


def tick(server: RunningServer) -> int:
    running: RunningArena = server.context.parts["arena"]
    return server.wait(running.tick())


def fought(server: RunningServer, league: str = "open") -> tuple[Client, Client, dict[str, Any]]:
    """Two accounts that have fought a ranked match, and the match."""
    ann, bo = signed_up(server, "ann"), signed_up(server, "bob")
    for client, document in ((ann, TEAM), (bo, OTHER)):
        answer = client.post(f"{ROOT}/tickets", {"entry": submitted(client, league, document), "salt": "mine"})
        assert answer.status_code == 201, answer.text
        server.clock.step(SECOND)
    assert tick(server) == 1
    (found,) = ann.get(f"{ROOT}/matches").json()["items"]
    return ann, bo, found


def test_from_an_account_to_the_leaderboard(server: RunningServer):
    ann, _, found = fought(server)
    nobody = server.client()
    assert found["number"] == 1
    assert [side["account"]["handle"] for side in found["sides"]] == ["ann", "bob"]
    assert all(side["revealed"] and side["rated"] for side in found["sides"])
    table = nobody.get(f"{ROOT}/leagues/open/leaderboard").json()["items"]
    assert [row["rank"] for row in table] == [1, 2]
    around = nobody.get(f"{ROOT}/leagues/open/leaderboard", params={"around": "bob"}).json()["items"]
    assert [row["account"] for row in around] == [row["account"] for row in table]
    text = nobody.get(f"{ROOT}/leagues/open/leaderboard.csv").text
    assert text.startswith("rank,handle,")
    assert text.count("\n") == 3
    assert nobody.get(f"{ROOT}/matches.csv", params={"account": "ann"}).text.count("\n") == 2
    profile = nobody.get(f"{ROOT}/profiles/ann").json()
    assert profile["ratings"][0]["matches"] == 1
    assert len(profile["entries"]) == 1
    assert ann.get(f"{ROOT}/tickets").json()["items"] == []
    assert nobody.get(f"{ROOT}/leagues/open/head").json()["head"] == found["chain"]


def test_a_leg_is_played_again_and_its_replay_verifies(sqlite_server: RunningServer, tmp_path: Path):
    _, _, found = fought(sqlite_server)
    nobody = sqlite_server.client()
    match = nobody.get(f"{ROOT}/matches/{found['id']}").json()
    for number, stored in enumerate(match["legs"]):
        leg = nobody.get(f"{ROOT}/matches/{found['id']}/legs/{number}").json()
        assert leg["places"] == ([1, 2] if number == 0 else [2, 1])
        won = {0: 1, leg["places"][0] if leg["winner"] == 1 else leg["places"][1]: 2}.get(1, 0) if leg["winner"] else 1
        assert won == stored["result"]
        assert leg["rounds"] == stored["rounds"]
        file = tmp_path / f"{number}.json"
        file.write_bytes(nobody.get(leg["links"]["replay"]).content)
        from fracas.replay.verify import verify_replay

        assert verify_replay(file).matches
        events = nobody.get(leg["links"]["events"]).json()["items"]
        assert events[-1]["kind"] == "outcome"
    assert nobody.get(f"{ROOT}/matches/{found['id']}/legs/2").status_code == 404


def test_a_hidden_entry_shows_to_its_author_alone(sqlite_server: RunningServer):
    ann, bo, found = fought(sqlite_server, "hidden")
    nobody = sqlite_server.client()
    entry = found["sides"][0]["entry"]
    path = f"{ROOT}/entries/{entry}/versions/1"
    assert ann.get(path).json()["document"] == TEAM
    for client in (bo, nobody):
        version = client.get(path).json()
        assert version["document"] is version["digest"] is version["salt"] is None
    leg = f"{ROOT}/matches/{found['id']}/legs/0"
    for client, hidden in ((ann, [2]), (bo, [1]), (nobody, [1, 2])):
        body = client.get(leg).json()
        assert body["hidden_sides"] == hidden
        assert "digest" not in body
        assert "replay" not in body["links"]
        assert client.get(f"{leg}/replay").status_code == 404
        shown = client.get(f"{leg}/events").json()["items"]
        reasons = [event for event in shown if event["kind"] == "choice" and "ultimate" in event]
        assert bool(reasons) == (len(hidden) == 1)


def test_others_do_not_know_of_an_entry_that_never_fought(sqlite_server: RunningServer):
    ann, bo = signed_up(sqlite_server, "ann"), signed_up(sqlite_server, "bob")
    entry = submitted(ann)
    for path in (f"{ROOT}/entries/{entry}", f"{ROOT}/entries/{entry}/versions", f"{ROOT}/entries/{entry}/versions/1"):
        assert ann.get(path).status_code == 200
        assert bo.get(path).status_code == 404
        assert sqlite_server.client().get(path).status_code == 404
    assert bo.post(f"{ROOT}/entries/{entry}/versions", {"document": TEAM}).status_code == 404
    assert bo.request("PATCH", f"{ROOT}/entries/{entry}", json={"title": "mine"}).status_code == 404
    assert bo.delete(f"{ROOT}/entries/{entry}").status_code == 404
    assert ann.request("PATCH", f"{ROOT}/entries/{entry}", json={"title": "Other"}).json()["title"] == "Other"
    assert ann.delete(f"{ROOT}/entries/{entry}").status_code == 204
    assert ann.get(f"{ROOT}/entries/{entry}").status_code == 404


def test_problems_of_an_entry_are_answered_together(sqlite_server: RunningServer):
    ann = signed_up(sqlite_server, "ann")
    body = {"league": "open", "title": "x", "ranked": True, "document": {"units": ["scoot", "nobody"]}}
    answer = ann.post(f"{ROOT}/entries", body)
    assert answer.status_code == 422
    assert {problem["path"] for problem in answer.json()["problems"]} == {"units.0", "units.1"}
    assert ann.post(f"{ROOT}/entries", {**body, "league": "nowhere"}).status_code == 404
    found = sqlite_server.client().post(f"{ROOT}/leagues/open/check", {"document": TEAM}).json()
    assert found["cost"] == 0
    submitted(ann)
    assert ann.post(f"{ROOT}/entries", {**body, "document": TEAM}).status_code == 409


def test_a_queue_is_entered_once_and_left(sqlite_server: RunningServer):
    ann = signed_up(sqlite_server, "ann")
    entry = submitted(ann)
    key = {"Idempotency-Key": "k1"}
    first = ann.post(f"{ROOT}/tickets", {"entry": entry, "kind": "standing"}, headers=key)
    again = ann.post(f"{ROOT}/tickets", {"entry": entry, "kind": "standing"}, headers=key)
    assert first.json() == again.json()
    assert ann.post(f"{ROOT}/tickets", {"entry": entry}).status_code == 409
    assert ann.delete(first.json()["links"]["self"]).status_code == 204
    assert ann.delete(first.json()["links"]["self"]).status_code == 404


def test_practice_is_at_once_unrated_and_private(server: RunningServer):
    ann, bo = signed_up(server, "ann"), signed_up(server, "bob")
    bots = server.client().get(f"{ROOT}/leagues/open/bots").json()["items"]
    assert len(bots) == 2
    answer = ann.post(f"{ROOT}/practice", {"entry": submitted(ann), "bot": bots[0]["handle"]})
    assert answer.status_code == 201, answer.text
    found = answer.json()
    assert (found["kind"], found["number"], found["sides"][0]["rated"]) == ("practice", None, False)
    path = f"{ROOT}/matches/{found['id']}"
    assert ann.get(path).status_code == 200
    assert "replay" not in bo.get(path).json().get("links", {})
    assert bo.get(path).status_code == 404
    assert bo.get(f"{path}/legs/0").status_code == 404
    assert server.client().get(f"{ROOT}/matches").json()["items"] == []
    assert server.client().get(f"{ROOT}/leagues/open/leaderboard").json()["items"] == []
    assert ann.get(f"{ROOT}/matches/{found['id']}/legs/0").json()["hidden_sides"] == []


def test_a_challenge_is_told_to_the_rival(sqlite_server: RunningServer):
    ann, bo = signed_up(sqlite_server, "ann"), signed_up(sqlite_server, "bob")
    entry = submitted(ann)
    assert ann.post(f"{ROOT}/challenges", {"entry": entry, "rival": "bob"}).status_code == 409
    submitted(bo, document=OTHER)
    assert ann.post(f"{ROOT}/challenges", {"entry": entry, "rival": "ann"}).status_code == 422
    assert ann.post(f"{ROOT}/challenges", {"entry": entry, "rival": "cyd"}).status_code == 404
    found = ann.post(f"{ROOT}/challenges", {"entry": entry, "rival": "bob"}).json()
    assert bo.get(found["links"]["self"]).status_code == 200
    assert ann.get(f"{ROOT}/matches/{found['id']}/legs/0").json()["hidden_sides"] == [2]


def test_a_standing_entry_fights_while_its_author_sleeps(sqlite_server: RunningServer):
    ann = signed_up(sqlite_server, "ann")
    entry = submitted(ann)
    ann.post(f"{ROOT}/tickets", {"entry": entry, "kind": "standing"})
    made = 0
    for _ in range(4):
        sqlite_server.clock.step(31 * MINUTE)
        made += tick(sqlite_server)
    assert made == 4
    assert [row["state"] for row in ann.get(f"{ROOT}/tickets").json()["items"]] == ["standing"]


def test_a_day_is_published_the_next_day_and_verifies(server: RunningServer):
    _, _, found = fought(server)
    nobody = server.client()
    path = f"{ROOT}/leagues/open/days/{found['day']}"
    committed = nobody.get(f"{ROOT}/leagues/open/head").json()["commitment"]
    server.clock.step(HOUR)
    tick(server)
    assert nobody.get(f"{ROOT}/leagues/open/head").json()["published"][0]["head"] == found["chain"]
    assert nobody.get(path).status_code == 404
    server.clock.step(DAY)
    tick(server)
    document = msgspec.json.decode(nobody.get(path).content, type=LeagueDayFile)
    assert document.commitment == committed
    verified = verify_document(document, "day")
    assert verified.matches, verified.difference
    assert (verified.matches_checked, verified.replayed) == (1, 1)
    assert nobody.get(f"{ROOT}/leagues/open/days").json()["items"][-1]["matches"] == 1
