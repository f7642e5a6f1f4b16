"""`fracas odds`: both sides' chances and what an attack will cost."""

from __future__ import annotations

import json

import pytest
from tests.helpers.commands import BAD_INPUT, INTERRUPTED
from tests.helpers.scenarios import written
from tests.helpers.stacks import attack, stack, unit

import fracas
from fracas.lab.exact.state_enumeration import ONE

SMALL = "tests/golden/odds/squads/two-scouts-and-a-knight.toml"


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def file(tmp_path):
    return written(tmp_path, json.dumps(attack()), "small.json")


def test_odds_are_those_of_a_simulation(fracas_cli, file):
    document = fracas_cli("odds", file, "-n", 60, "--format", "json").json
    results = fracas.simulate(file, n=60)
    assert document["method"] == "simulation"
    assert document["battles"] == 60
    first, second = document["sides"]
    assert [first["win"]["share"], second["win"]["share"]] == list(results.shares)
    assert [first["win"]["interval95"], second["win"]["interval95"]] == [list(each) for each in results.interval95]
    assert (first["loss"], second["loss"]) == (second["win"], first["win"])


def test_draws_are_told_by_their_reasons(fracas_cli, tmp_path):
    toothless = stack("blue-one", "blue", (1, 1), unit(moves=["healing"]))
    stacks = [stack("red-one", "red", (1, 0), unit(attack=1, damage=1)), toothless]
    file = written(tmp_path, json.dumps(attack(stacks=stacks)), "slow.json")
    document = fracas_cli("odds", file, "-n", 40, "--format", "json").json
    shares = [side["win"]["share"] for side in document["sides"]] + [
        draw["share"] for draw in document["draws"].values()
    ]
    assert sum(shares) == pytest.approx(1)
    assert set(document["draws"]) == {"repelled"}


def test_losses_add_up(fracas_cli, file):
    statistics = fracas_cli("odds", file, "-n", 60, "--format", "json").json["statistics"]
    assert set(statistics) == {"stacks", "units", "attackers_left", "defenders_left"}
    stacks = {row["id"]: row for row in statistics["stacks"]}
    for row in statistics["units"]:
        of_stack = stacks[row["id"].partition(".")[0]]
        assert row["share"] == of_stack["units_lost"]
        assert row["health_lost"] == of_stack["health_lost"] <= row["health"]
    for name in ("attackers_left", "defenders_left"):
        assert sum(row["share"] for row in statistics[name]) == pytest.approx(1)


def test_an_attack_without_luck_is_certain(fracas_cli, tmp_path):
    document = attack(stacks=[stack("red-one", "red", (1, 0))], tiles={"1,1": {"owner": "blue"}})
    file = written(tmp_path, json.dumps(document), "empty.json")
    told = fracas_cli("odds", file, "--format", "json").json
    assert told["deterministic"]
    assert told["sides"][0]["win"] == {"share": 1.0, "interval95": [1.0, 1.0]}


def test_odds_of_other_rulesets_are_there_as_well(fracas_cli):
    document = fracas_cli("odds", "examples/squads/first-battle.toml", "-n", 20, "--format", "json").json
    assert [side["name"] for side in document["sides"]] == ["Your Company", "Bridge Robbers"]


def test_amounts_that_contradict_each_other_are_refused(fracas_cli, file):
    ended = fracas_cli("odds", file, "-n", 20, "--precision", "1", "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors[0]["where"] == "-n, --precision"


def test_odds_are_exact_where_all_ways_fit(fracas_cli):
    document = fracas_cli("odds", SMALL, "--format", "json").json
    assert document["method"] == "exact"
    assert document["battles"] == 0
    share = document["sides"][0]["win"]["share"]
    assert document["sides"][0]["win"]["interval95"] == [share, share]
    assert document["sides"][1]["loss"] == document["sides"][0]["win"]
    assert document["exact"]["budget"] == 10**6
    assert document["exact"]["decided"] == 1.0
    assert 0 < document["exact"]["error"] < 1e-8
    assert document["exact"]["stopped"] is None
    assert document["reasons"] == {"wiped_out": 1.0}
    found = fracas.odds(SMALL)
    assert found.sides[0].win.share == share


def test_a_budget_that_is_too_small_is_said(fracas_cli, monkeypatch):
    monkeypatch.setattr("fracas.lab.simulation.simulate.DEFAULT_BATTLES", 30)
    document = fracas_cli("odds", SMALL, "--budget", 40, "--format", "json").json
    assert document["method"] == "simulation"
    assert document["exact"]["stopped"] == "there are more than 40 states"
    ended = fracas_cli("odds", SMALL, "--budget", 40)
    assert "not exact: there are more than 40 states" in ended.out


def test_what_is_certain_all_the_same_is_said(fracas_cli, monkeypatch):
    monkeypatch.setattr("fracas.lab.simulation.simulate.DEFAULT_BATTLES", 30)
    ended = fracas_cli("odds", SMALL, "--budget", 130)
    told = " ".join(ended.out.split())
    assert "Red wins with 16.42% to 74.83% and Blue wins with 25.17% to 83.58%" in told


@pytest.mark.parametrize("asked", [("--simulate",), ("-n", 30)])
def test_simulations_can_be_asked_for(fracas_cli, asked, monkeypatch):
    monkeypatch.setattr("fracas.lab.simulation.simulate.DEFAULT_BATTLES", 30)
    document = fracas_cli("odds", SMALL, *asked, "--format", "json").json
    assert document["method"] == "simulation"
    assert document["exact"] is None


@pytest.mark.parametrize(
    ("asked", "where", "message"),
    [
        (("--budget", 0), "--budget", "0 is out of range: 1 to 10,000,000"),
        (("--budget", 10**8), "--budget", "100,000,000 is out of range: 1 to 10,000,000"),
        (("--budget", 5, "--simulate"), "--budget", "is for exact odds"),
        (("--budget", 5, "-n", 10), "--budget", "is for exact odds"),
        (("--budget", 5, "--precision", 1), "--budget", "is for exact odds"),
        (("-n", 0), "-n", "0 is out of range"),
        (("--threads", 0), "--threads", "0 is out of range"),
    ],
)
def test_bad_input_is_told(fracas_cli, asked, where, message):
    ended = fracas_cli("odds", SMALL, *asked, "--format", "json")
    assert ended.status == BAD_INPUT
    assert [error["where"] for error in ended.errors] == [where]
    assert message in ended.errors[0]["message"]


def test_an_interruption_gives_bounds(fracas_cli, monkeypatch):
    def interrupt(ways, *rest):
        ways.endings[1, 0, 3] = ONE // 4
        raise KeyboardInterrupt

    monkeypatch.setattr("fracas.lab.exact.state_enumeration._enumerate", interrupt)
    ended = fracas_cli("odds", SMALL)
    assert ended.status == INTERRUPTED
    assert "25.00% decided when interrupted" in ended.out
    assert "at least 25.00% and at most 100.00%" in " ".join(ended.out.split())
