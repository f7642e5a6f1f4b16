"""`fracas lab solve`: the matrix, the mixes, the value with its error, exploitability, a policy that can be played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.helpers import titans_fights as support
from tests.helpers.commands import BAD_INPUT, DONE

import fracas


@pytest.fixture
def scenario(tmp_path):
    strike = support.ability("strike", {"type": "damage", "amount": 3}, cost=50)
    ada = support.titan(strike, hp=5, attack=3, defense=1, speed=6)
    bo = support.titan(strike, hp=4, attack=3, defense=2, speed=9)
    document = support.document(ada, bo, ["random"], rest_charge=50, defend_charge=50, round_cap=20)
    file = tmp_path / "tiny.json"
    file.write_text(json.dumps(document))
    return file


def test_a_duel_is_solved_for_people(fracas_cli, scenario):
    ended = fracas_cli("lab", "solve", scenario)
    assert ended.status == DONE
    assert "Ada's chance to win" in ended.out
    assert "the best mixes" in ended.out
    assert "error below" in ended.out
    assert "checked: in no state does another choice gain more" in ended.out
    assert "exploitability of Ada's policy: Bo can win" in ended.out
    assert "more than the value, error about" in ended.out
    assert "exploitability of Bo" not in ended.out


def test_a_duel_is_solved_for_programs(fracas_cli, scenario):
    found = fracas_cli("lab", "solve", scenario, "--format", "json", "--state", "players.0.charge=50").json
    assert found["choices"][0] == ["attack", "defend", "rest", "strike"]
    assert found["choices"][1] == ["attack", "defend", "rest"]
    assert len(found["matrix"]) == 4
    assert all(0 <= chance <= 1 for row in found["matrix"] for chance in row)
    assert sum(found["mixes"][0].values()) == pytest.approx(1)
    assert found["is_exact"]
    assert 0 < found["value_error"] < 0.005
    assert found["reply_gain"] < 1e-6
    assert found["exploitability"][0] > 0
    assert found["exploitability"][1] is None
    assert 0 < found["exploitability_error"][0] < 0.005
    assert found["exploitability_error"][1] is None
    mean = sum(
        first * second * found["matrix"][row][column]
        for row, first in enumerate(found["mixes"][0].values())
        for column, second in enumerate(found["mixes"][1].values())
    )
    assert mean == pytest.approx(found["value"])


def test_a_grid_that_cannot_be_made_coarser_has_an_unknown_error(fracas_cli, scenario):
    document = json.loads(scenario.read_text())
    for player in document["players"]:
        player["titan"]["hp"] = 30
    document["options"]["rest_charge"] = 10
    scenario.write_text(json.dumps(document))
    found = fracas_cli("lab", "solve", scenario, "--states", "800", "--format", "json").json
    assert (found["is_exact"], found["value_error"]) == (False, None)
    assert found["states"][0] == found["states"][1]
    told = fracas_cli("lab", "solve", scenario, "--states", "800").out
    assert "error unknown: the grid of" in told
    assert "error about" not in told
    document["players"][1]["policy"] = "equilibrium"
    assert "value error" in str(fracas.load(document).warnings[0])


def test_an_agent_is_measured_in_place_of_the_files_policies(fracas_cli, scenario, tmp_path):
    """The one of version 1 is what a scenario may name too: then the answer is the same."""
    trained = json.loads(Path("examples/envs/policies/titans.json").read_text())
    (tmp_path / "trained.json").write_text(json.dumps(trained))
    both = [f"--set=players.{player}.policy=trained.json" for player in (0, 1)]
    asked = ("lab", "solve", scenario, "--states", "500", "--format", "json")
    named, agent = fracas_cli(*asked, *both).json, fracas_cli(*asked, "--agent", tmp_path / "trained.json").json
    assert agent["exploitability"] == pytest.approx(named["exploitability"], abs=1e-9)
    later = fracas_cli("lab", "solve", scenario, "--states", "500", "--agent", "examples/envs/policies/titans-v2.json")
    assert "exploitability of the agent as Bo: Ada can win" in later.out
    ended = fracas_cli("lab", "solve", scenario, "--agent", "examples/envs/policies/squads.json")
    assert ended.status == BAD_INPUT
    assert "squads.json: plays squads; the duel is of titans" in ended.err


def test_the_policy_that_is_written_plays(fracas_cli, scenario, tmp_path):
    out = tmp_path / "solved.json"
    ended = fracas_cli("lab", "solve", scenario, "--player", "Bo", "--out", out)
    assert ended.status == DONE
    assert "solved.json" in ended.err
    document = json.loads(scenario.read_text())
    document["players"][1]["policy"] = "solved.json"
    played = tmp_path / "played.json"
    played.write_text(json.dumps(document))
    again = fracas_cli("lab", "solve", played, "--format", "json").json
    assert again["exploitability"][1] < 0.05
    assert fracas_cli("validate", out).status == DONE
    shares = fracas.simulate(played, n=400).shares
    assert shares[1] > 1 - again["value"] - 0.1


def test_the_bare_name_plays_and_says_how_well(fracas_cli, scenario, tmp_path):
    document = json.loads(scenario.read_text())
    document["players"][1]["policy"] = "equilibrium"
    loaded = fracas.load(document)
    assert "value error" in str(loaded.warnings[0])
    assert loaded.document["players"][1]["policy"]["solved"]["own_hp"] == 4
    assert fracas.load(document).document == loaded.document
    assert fracas.load(loaded.document).warnings == ()
    assert fracas.run(loaded).winner in (0, 1, 2)


def test_nothing_is_solved_where_nothing_may_be_compiled(scenario, monkeypatch, tmp_path, fracas_cli):
    monkeypatch.setenv("FRACAS_JIT", "0")
    ended = fracas_cli("lab", "solve", scenario)
    assert (ended.status, "FRACAS_JIT" in ended.err) == (BAD_INPUT, True)
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path))
    document = json.loads(scenario.read_text())
    document["players"][0]["policy"] = "equilibrium"
    with pytest.raises(fracas.InputError, match="FRACAS_JIT"):
        fracas.load(document)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--state", "players.0.hp=9"), "from 1 to 5"),
        (("--state", "players.0.speed=9"), "not a path of the state"),
        (("--player", "Cy"), "no such player"),
        (("--states", "3"), "out of range"),
        (("--out", "/no/such/folder/x.json"), "cannot be written"),
    ],
)
def test_what_cannot_be_solved_is_refused(fracas_cli, scenario, options, words):
    ended = fracas_cli("lab", "solve", scenario, *options)
    assert ended.status == BAD_INPUT
    assert words in ended.err


def test_another_rulesets_scenario_cannot_be_solved(fracas_cli):
    assert fracas_cli("lab", "solve", "examples/squads/first-battle.toml").status == BAD_INPUT


def test_solving_says_how_far_it_is(scenario):
    from fracas.rulesets.titans.analysis.solution import solve_duel

    loaded = fracas.load(scenario)
    told = []
    solve_duel(loaded.compiled, loaded.document, steps=lambda *step: told.append(step))
    counts = [done for done, _, _ in told]
    assert len(told) > 10
    assert counts == sorted(counts)
    assert {whole for _, whole, _ in told} == {counts[-1]}
    assert all(text.startswith("round ") for _, _, text in told)
