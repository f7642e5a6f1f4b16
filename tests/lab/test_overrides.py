"""Values set in a scenario that is loaded already: files that they name are found where it stands."""

from __future__ import annotations

import pickle
import tomllib
from pathlib import Path

import pytest
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import problems_of

import fracas
from fracas.engine.overrides import parse_override
from fracas.lab.studies.overrides import with_overrides, with_part

DUEL = """ruleset = "squads"
id = "coin-toss"
sides = [{ name = "Red", units = ["scout"] }, { name = "Blue", units = ["scout"] }]
"""
NAMED = "sides.0.strategy=plans/mine.toml"


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    (tmp_path / "plans").mkdir()
    (tmp_path / "plans" / "mine.toml").write_text('target_priority = ["highest_threat"]\n')
    (tmp_path / "duel.toml").write_text(DUEL)
    return tmp_path / "duel.toml"


def from_file(file: Path) -> fracas.Scenario:
    return fracas.load(file)


def from_mapping(file: Path) -> fracas.Scenario:
    return fracas.load(tomllib.loads(DUEL), folder=file.parent)


def pickled(file: Path) -> fracas.Scenario:
    found: fracas.Scenario = pickle.loads(pickle.dumps(fracas.load(file)))
    return found


def with_another_part(file: Path) -> fracas.Scenario:
    return with_part(fracas.load(file), 2, "strategy", file.parent / "plans" / "mine.toml")


def changed(file: Path) -> fracas.Scenario:
    return with_overrides(fracas.load(file), [parse_override("sides.1.units.0.attack=30")])


@pytest.mark.parametrize("made", [from_file, from_mapping, pickled, with_another_part, changed])
def test_a_strategy_file_is_set_in_a_loaded_scenario(file, made, monkeypatch):
    scenario = made(file)
    monkeypatch.chdir("/")
    found = with_overrides(scenario, [parse_override(NAMED)])
    assert found.document["sides"][0]["strategy"]["targetPriority"] == ["highest_threat"]
    assert scenario.document["sides"][0]["strategy"] != found.document["sides"][0]["strategy"]
    again = with_overrides(found, [parse_override(NAMED.replace(".0.", ".1."))])
    assert again.document["sides"][1]["strategy"]["targetPriority"] == ["highest_threat"]


def test_one_of_a_pickled_scenario_is_compared_and_swept(file):
    scenario = pickled(file)
    path, _, name = NAMED.partition("=")
    assert fracas.compare(scenario, overrides={path: name}, n=8).pairs
    assert len(fracas.sweep(scenario, {path: [name, "blank_page"]}, n=8).points) == 2


def test_a_policy_file_is_set_in_a_loaded_duel(file):
    (file.parent / "policy.toml").write_text('rules = [{ do = "defend" }]\n')
    duel = tomllib.loads((ROOT / "examples" / "titans" / "bastion-striker.toml").read_text())
    scenario = pickle.loads(pickle.dumps(fracas.load(duel, folder=file.parent)))
    found = with_overrides(scenario, [parse_override("players.0.policy=policy.toml")])
    assert found.document["players"][0]["policy"]["rules"][0]["do"] == "defend"


def test_a_mapping_without_a_folder_reads_no_file(file, monkeypatch):
    monkeypatch.chdir(file.parent)
    scenario = fracas.load(tomllib.loads(DUEL))
    for each in (scenario, pickle.loads(pickle.dumps(scenario))):
        problems = problems_of(with_overrides, each, [parse_override(NAMED)])
        assert "is a file, but this scenario has no folder" in problems[0].message
