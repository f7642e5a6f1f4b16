"""Tournaments over HTTP and on pages, in a league of squads and in one of a game."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.client.conftest import connect  # noqa: F401
from tests.helpers.serving import RunningServer
from tests.server.arena.test_game_leagues import FERRYMAN, TAILOR, packages  # noqa: F401
from tests.server.arena.test_game_leagues import LEAGUE as GAME_LEAGUE
from tests.server.arena.test_routes import LEAGUE, OTHER, ROOT, TEAM, signed_up, submitted, tick

from fracas.client import Client, ServerProblem
from fracas.server.arena.match_player import MatchPlayer
from fracas.server.arena.proofs.check import check_arena
from fracas.server.clock import HOUR, MINUTE, iso
from fracas.server.settings import Settings

HTML = {"Accept": "text/html"}
FORM = {**HTML, "Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def settings(settings: Settings, tmp_path: Path, packages: Path) -> Settings:  # noqa: F811
    folder = tmp_path / "leagues"
    folder.mkdir()
    (folder / "open.toml").write_text(LEAGUE.format(id="open", ruleset="squads", reveal="after_match"))
    (folder / "throws.toml").write_text(GAME_LEAGUE)
    return replace(settings, leagues=str(folder), games=("roshambo",))


def test_a_client_makes_enters_and_follows_a_tournament(connect, sqlite_server: RunningServer):  # noqa: F811
    people: list[Client] = [connect() for _ in range(5)]
    handles = ("ann", "bob", "cid", "dee", "eve")
    for client, handle in zip(people, handles, strict=True):
        client.register(handle, "correct horse battery")
    ann, *others = people
    cup = ann.tournaments.make("Friday cup", "throws", "elimination", best_of=3, pause_minutes=10)
    assert (cup.state, cup.entrants, cup.rounds, cup.starts_at) == ("entering", 0, None, None)
    for client, document in zip(people, (TAILOR, FERRYMAN) * 3, strict=False):
        entry = client.arena.submit("throws", "Mine", document, ranked=True).entry
        assert client.tournaments.enter(cup.id, entry).state == "entering"
    with pytest.raises(ServerProblem, match="no tournament of yours"):
        others[0].tournaments.start(cup.id)
    assert [each.entry is None for each in ann.tournaments.entrants(cup.id)] == [False, True, True, True, True]
    started = ann.tournaments.start(cup.id)
    assert (started.state, started.round, started.rounds, started.entrants) == ("running", 1, 3, 5)
    others[3].tournaments.leave(cup.id)
    for _ in range(4):
        tick(sqlite_server)
        sqlite_server.clock.step(11 * MINUTE)
    over = ann.tournaments.get(cup.id)
    assert (over.state, over.round) == ("over", 3)
    bracket = ann.tournaments.bracket(cup.id)
    assert [round.name for round in bracket.rounds] == ["Quarter-finals", "Semi-finals", "Final"]
    assert [person.handle for person in bracket.people] == list(handles)
    (final,) = bracket.rounds[2].pairings
    assert final.points is not None
    winner = final.first if final.points[0] > final.points[1] else final.second
    ranks = ann.tournaments.entrants(cup.id)
    assert (ranks[0].seed, ranks[0].rank) == (winner, 1)
    played = [match for round in bracket.rounds for pairing in round.pairings for match in pairing.matches]
    assert {ann.arena.match(match).kind for match in played} == {"tournament"}
    assert ann.arena.replay(played[0], 0)
    assert ann.tournaments.bracket(cup.id, round=2).rounds == bracket.rounds[1:2]
    assert [each.id for each in ann.tournaments.all("throws", state="over")] == [cup.id]
    told = [each["type"] for each in ann._transport.send("GET", f"{ROOT}/account/export").json()["events"]]
    assert {"tournament.round", "tournament.result", "tournament.over", "match.resolved"} <= set(told)
    with pytest.raises(ServerProblem, match="is over"):
        ann.tournaments.cancel(cup.id)
    arena = sqlite_server.wait(sqlite_server.context.parts["arena"].ready())
    report = sqlite_server.read(lambda connection: check_arena(connection, arena))
    assert (report.tournaments, report.faults) == (1, [])


def test_pages_from_the_form_to_the_bracket(sqlite_server: RunningServer):
    ann, bob = (signed_up(sqlite_server, name) for name in ("ann", "bob"))
    first, second = submitted(ann), submitted(bob, document=OTHER)
    fields = {"title": "<Cup>", "league": "open", "format": "swiss", "best_of": "2", "pause_minutes": "0"}
    refused = ann.request("POST", "/tournaments", data=fields, headers=FORM)
    assert refused.status_code == 422
    assert "must be an odd number" in refused.text
    at = iso(sqlite_server.clock.now_ms() + HOUR).replace("T", " ")[:16]
    made = ann.request("POST", "/tournaments", data={**fields, "best_of": "1", "starts_at": at}, headers=FORM)
    assert made.status_code == 303
    path = made.headers["location"]
    assert "&lt;Cup&gt;" in sqlite_server.client().get("/tournaments", headers=HTML).text
    for client, entry in ((ann, first), (bob, second)):
        assert re.search(rf'<option value="{entry}"', client.get(path, headers=HTML).text)
        assert client.request("POST", f"{path}/enter", data={"entry": entry}, headers=FORM).status_code == 303
    assert "You organise it" not in bob.get(path, headers=HTML).text
    sqlite_server.clock.step(2 * HOUR)
    tick(sqlite_server)
    shown = sqlite_server.client().get(path, headers=HTML).text
    assert "The winner is" in shown or "Over since" in shown
    (match,) = set(re.findall(r'href="(/m/\w+)"', shown))
    assert f'<a href="{path}">tournament</a> match 1 of' in sqlite_server.client().get(match, headers=HTML).text
    again = ann.request("POST", f"{path}/start", data={}, headers=FORM)
    assert (again.status_code, "this tournament is over" in again.text) == (409, True)
    assert bob.request("POST", f"{path}/cancel", data={}, headers=FORM).status_code == 404


def test_making_twice_with_one_key_makes_one(sqlite_server: RunningServer):
    ann = signed_up(sqlite_server, "ann")
    body = {"title": "Cup", "league": "open", "format": "swiss", "starts_at": "soon"}
    refused = ann.post(f"{ROOT}/tournaments", body)
    assert refused.json()["problems"][0]["where"] == "starts_at"
    del body["starts_at"]
    found = [ann.post(f"{ROOT}/tournaments", body, headers={"Idempotency-Key": "k"}) for _ in range(2)]
    assert [each.status_code for each in found] == [201, 201]
    assert len(ann.get(f"{ROOT}/tournaments").json()["items"]) == 1
    assert found[0].headers["location"] == found[0].json()["links"]["self"]
    listed = ann.get(f"{ROOT}/tournaments", params={"limit": 1, "league": "open"}).json()
    assert listed["items"][0]["id"] == found[0].json()["id"]
    assert submitted(ann, document=TEAM)


def test_a_game_that_fails_three_times_decides_its_pairing(sqlite_server: RunningServer, monkeypatch, tmp_path: Path):
    ann, bob = (signed_up(sqlite_server, name) for name in ("ann", "bob"))
    cup = ann.post(f"{ROOT}/tournaments", {"title": "Cup", "league": "open", "format": "elimination"}).json()["id"]
    for client, document in ((ann, TEAM), (bob, OTHER)):
        client.post(f"{ROOT}/tournaments/{cup}/entrants", {"entry": submitted(client, document=document)})
    assert ann.post(f"{ROOT}/tournaments/{cup}/start").json()["state"] == "running"

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(MatchPlayer, "ready", broken)
    for _ in range(2):
        tick(sqlite_server)
        assert ann.get(f"{ROOT}/tournaments/{cup}").json()["state"] == "running"
    tick(sqlite_server)
    tick(sqlite_server)
    assert ann.get(f"{ROOT}/tournaments/{cup}").json()["state"] == "over"
    (pairing,) = ann.get(f"{ROOT}/tournaments/{cup}/bracket").json()["rounds"][0]["pairings"]
    assert (pairing["how"], pairing["points"], pairing["matches"]) == ("failed", [2, 0], [])
    assert len(list((tmp_path / "fracas.failed").glob("*.txt"))) == 1
