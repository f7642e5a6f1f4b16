"""What the resolver answers: content, runs, explanations, bundles, verifications, budgets."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from typing import Any

import pytest
from tests.helpers.accounts import signed_in
from tests.helpers.serving import RunningServer

import fracas
from fracas.rulesets import registry
from fracas.server.clock import HOUR
from fracas.server.http.authorisation import Principal
from fracas.server.http.problems import ApiProblem
from fracas.server.resolver import budgets, service, threads

API = "/api/v1"
RELICS = {"ruleset": "relics", "left": {"items": ["horned_helm"]}, "right": {"items": ["horned_helm"]}}
SOLVED = {"ruleset": "titans", "players": [{"titan": "x", "policy": "equilibrium"}, {"titan": "x", "policy": "greedy"}]}


@pytest.fixture
def client(sqlite_server):
    return sqlite_server.client()


@pytest.mark.parametrize("name", registry.NAMES)
def test_content_of_every_ruleset_can_be_walked_by_links(client, name):
    ruleset = client.get(f"{API}/rulesets/{name}").json()
    for kind in ("scenario", "content", "strategy", "replay", "bundle", "roster"):
        assert "$defs" in client.get(ruleset["links"][f"schema_{kind}"]).json()
    kinds = client.get(ruleset["links"]["content"]).json()["items"]
    first = kinds[0]
    page = client.get(first["links"]["self"] + "?limit=2").json()
    seen = [entry["id"] for entry in page["items"]]
    while "next" in page["links"]:
        page = client.get(page["links"]["next"]).json()
        seen += [entry["id"] for entry in page["items"]]
    assert len(seen) == len(set(seen)) == first["entries"]
    assert seen == sorted(seen)
    entry = client.get(page["items"][-1]["links"]["self"]).json()
    assert entry["id"] == seen[-1]


def test_modifiers_go_on_week_by_week(client):
    page = client.get(f"{API}/modifiers?date=2026-11-20&weeks=2").json()
    assert [week["from"] for week in page["items"]] == ["2026-11-16", "2026-11-23"]
    assert client.get(page["links"]["next"]).json()["items"][0]["from"] == "2026-11-30"
    assert client.get(f"{API}/modifiers").json()["items"][0]["from"] == "2026-11-23"
    for query in ("date=x", "date=9999-01-01", "weeks=0", "weeks=999"):
        assert client.get(f"{API}/modifiers?{query}").status_code == 422


@pytest.mark.parametrize("name", ["squads", "relics", "titans"])
def test_a_run_is_what_the_library_plays_and_verifies(client, name):
    document: Any = {"squads": SQUADS, "relics": RELICS, "titans": TITANS}[name]
    body = {"scenario": document, "seed": "tuesday", "stream": 3, "include": ["events", "story", "replay"]}
    answer = client.post(f"{API}/run", body)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    battle = fracas.run(document, seed="tuesday", stream=3)
    assert found["digest"] == battle.digest
    assert found["events"] == json.loads(json.dumps([event.as_json() for event in battle.events]))
    assert found["story"] == battle.story().splitlines()
    verified = client.post(f"{API}/verify", found["replay"])
    assert verified.json() == {"matches": True, "explanation": "", "digest": battle.digest}
    found["replay"]["result"]["rounds"] += 1
    assert client.post(f"{API}/verify", found["replay"]).json()["matches"] is False


SQUADS = {
    "ruleset": "squads",
    "sides": [{"units": ["scout", "bronze_knight"]}, {"units": ["scout", "bronze_knight"]}],
}
TITANS = {
    "ruleset": "titans",
    "players": [{"titan": "stone_warden", "policy": "greedy"}, {"titan": "hammerfall", "policy": "random"}],
}


def test_a_bundle_verifies(client):
    answer = client.post(f"{API}/compile", {"scenario": RELICS})
    assert answer.json()["format"] == "fracas-bundle"
    assert client.post(f"{API}/verify", answer.json()).json()["matches"] is True


def test_validation_lists_everything(client):
    assert client.post(f"{API}/validate", {"scenario": RELICS}).json()["valid"] is True
    bad = {"ruleset": "relics", "left": {"items": ["horned_helmet"]}, "rite": {}}
    found = client.post(f"{API}/validate", {"scenario": bad}).json()
    assert found["valid"] is False
    assert {"scenario: rite", "scenario: left.items.0"} <= {each["where"] for each in found["problems"]}
    assert client.post(f"{API}/run", {"scenario": bad}).json()["problems"] == found["problems"]


def test_lint_finds_what_is_probably_a_mistake(client):
    found = client.post(f"{API}/lint", {"scenario": {**RELICS, "right": {}}}).json()["findings"]
    assert [each["rule"] for each in found] == ["empty-build"]


def test_explain_evaluates_conditions_and_hits(client):
    unit = {"scenario": SQUADS, "unit": "1.scout", "when": "self.hp_pct < 50"}
    found = client.post(f"{API}/explain", unit).json()
    assert (found["unit"], found["value"]) == ("1.scout", False)
    changed = client.post(f"{API}/explain", {**unit, "state": {"units.1.scout.hp": 10}}).json()
    assert changed["value"] is True
    hits = client.post(f"{API}/explain", {"scenario": SQUADS, "hit": ["1.scout", "2"]}).json()["hits"]
    assert {hit["actor"] for hit in hits} == {"1.scout"}
    for wrong in (
        {},
        {"unit": "1.scout", "hit": ["a", "b"]},
        {"hit": ["1.scout", "2"], "when": "x"},
        {"unit": "1.scout"},
        {"unit": "9.x", "when": "self.hp_pct < 50"},
        {"unit": "1.scout", "when": "self.hp_pct <"},
        {"unit": "1.scout", "when": "self.hp_pct < 50", "round": "x"},
        {"unit": "1.scout", "when": "self.hp_pct < 50", "state": {"units.1.scout.nothing": 1}},
        {"unit": "1.scout", "when": "self.hp_pct < 50", "state": {f"a{n}": 1 for n in range(51)}},
        {"hit": ["1.scout", "nobody"]},
    ):
        assert client.post(f"{API}/explain", {"scenario": SQUADS, **wrong}).status_code == 422, wrong


@pytest.mark.parametrize(
    "body", [{}, {"format": "fracas-replay"}, {"format": "fracas-bundle"}, {"format": "fracas-duel"}, {"x": [1] * 999}]
)
def test_what_is_no_replay_gets_problems_without_a_path(client, body):
    answer = client.post(f"{API}/verify", body)
    assert answer.status_code == 422
    assert "/" not in "".join(each["where"] + each["message"] for each in answer.json()["problems"])


@pytest.mark.parametrize("content", [b"[]", b"{", b"\xff", b"[" * 100_000])
def test_replays_are_parsed_like_any_body(client, content):
    answer = client.request("POST", f"{API}/verify", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422


def test_only_accounts_may_have_duels_solved(sqlite_server):
    for path in ("run", "validate", "lint", "compile"):
        assert sqlite_server.client().post(f"{API}/{path}", {"scenario": SOLVED}).status_code == 403
    replay = {"format": "fracas-replay", "ruleset": "titans", "scenario": SOLVED}
    assert sqlite_server.client().post(f"{API}/verify", replay).status_code == 403
    member = signed_in(sqlite_server, "ann")
    assert member.post(f"{API}/run", {"scenario": SOLVED}).status_code == 422
    assert not service.is_solved({"ruleset": "squads", "x": "equilibrium"})
    assert not service.is_solved(["equilibrium"])


def test_a_budget_is_reserved_settled_and_used_up(settings, sqlite, clock):
    with RunningServer(replace(settings, budget=0.00004), sqlite, clock) as server:
        client = server.client()
        before = client.get(f"{API}/budget").json()
        assert before["limit"] == {"battles": 2, "cpu_seconds": 0.0}
        answer = client.post(f"{API}/run", {"scenario": RELICS})
        body = answer.json()
        assert (answer.status_code, body["type"]) == (422, "/problems/over-budget")
        assert body["price"] == {"battles": 1, "cpu_seconds": 0.013}
        assert body["limit"] == before["limit"]
    # Fifty battles' worth of time, and the price of one at a time.
    with RunningServer(replace(settings, budget=0.001), sqlite, clock) as server:
        client = server.client()
        statuses = [client.post(f"{API}/run", {"scenario": RELICS}).status_code for _ in range(3)]
        assert statuses[0] == 200
        server.write(lambda connection: None)
        used = client.get(f"{API}/budget").json()["used"]
        assert used["battles"] == statuses.count(200)
        spent = budgets.Price(0, 1_000_000)
        now = clock.now_ms()
        caller = Principal(address="192.0.2.1")
        allowance = budgets.allowance_of(caller, server.settings, now)
        assert allowance is not None
        server.write(lambda c: budgets.settle(c, caller, allowance, budgets.Price(0, 0), spent.cpu_ms))
        answer = client.post(f"{API}/run", {"scenario": RELICS})
        assert (answer.status_code, answer.headers["retry-after"]) == (429, str(HOUR // 1_000))
        assert answer.json()["left"]["cpu_seconds"] == 0
        assert server.client(address="192.0.2.2").post(f"{API}/run", {"scenario": RELICS}).status_code == 200
        clock.step(HOUR)
        assert client.post(f"{API}/run", {"scenario": RELICS}).status_code == 200
        clock.step(3 * 24 * HOUR)
        assert server.write(lambda c: budgets.forget_old(c, clock.now_ms())) == 3


def test_work_that_takes_too_long_keeps_its_thread_and_is_counted(sqlite_server, monkeypatch):
    release = threading.Event()
    took: list[float] = []
    part = sqlite_server.context.parts["resolver"]

    async def too_long():
        return await part.threads.run(lambda: release.wait(10), 0.01, took.append)

    with pytest.raises(ApiProblem, match="took longer than") as caught:
        sqlite_server.wait(too_long())
    assert caught.value.kind.status == 503
    assert took == []
    release.set()
    part.threads.stop()
    assert len(took) == 1


def test_a_full_queue_is_told_to_come_back(sqlite_server):
    part = sqlite_server.context.parts["resolver"]
    part.threads._taken = threads.AT_A_TIME + threads.MOST_WAITING
    answer = sqlite_server.client().post(f"{API}/validate", {"scenario": RELICS})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    part.threads._taken = 0


def test_prices_are_never_below_the_shipped_figure():
    prices = budgets.Prices()
    shipped = prices.of_battle("relics")
    prices.measured("relics", 0.001)
    assert prices.of_battle("relics") == shipped
    assert prices.of_battle("titans", is_solved=True).cpu_ms > budgets.EQUILIBRIUM_MS
    prices.measured("relics", 500)
    assert prices.of_battle("relics").cpu_ms > 500
    assert prices.of_battle("no such ruleset").cpu_ms > 500
