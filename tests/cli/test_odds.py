"""`fracas odds`: both sides' chances and what an attack will cost."""

from __future__ import annotations

import json

import pytest
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.scenarios import written
from tests.helpers.stacks import attack, stack, unit

import fracas


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


def test_odds_as_text_name_both_sides(fracas_cli, file):
    ended = fracas_cli("odds", file, "-n", 20)
    assert ended.status == DONE
    assert "Red" in ended.out
    assert "Blue" in ended.out
    assert "What each stack loses on average" in ended.out


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
