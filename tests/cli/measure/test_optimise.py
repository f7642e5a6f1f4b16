"""`fracas optimise`."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED
from tests.helpers.fields import Field
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import duel, written

import fracas
from fracas.lab.search import candidate_race as searching
from fracas.lab.search.scenario_rewriter import rewritten
from fracas.lab.simulation.scores import with_document
from fracas.rulesets.contract.analysis import SideRef

QUICK = ("--stages", "3%,1%", "--budget", 100_000)


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def file(tmp_path):
    return written(tmp_path, json.dumps(duel()), "duel.json")


@pytest.fixture
def field(monkeypatch):
    """Chances in place of battles: side 1 wins more often if it is flanking."""

    def put(stop_after=None, gain=0.2):
        def chance(document):
            return 0.5 + (gain if document["sides"][0]["strategy"]["formation"] == "flanking" else 0)

        played = Field(chance, stop_after)
        monkeypatch.setattr(searching, "play_scores", played)
        return played

    return put


def test_what_changed_the_gain_and_the_verdict_are_told(field, fracas_cli, file):
    field()
    answer = fracas_cli("optimise", file, *QUICK, "--trials", 60)
    document = fracas_cli("optimise", file, *QUICK, "--trials", 60, "--format", "json").json
    lines = answer.out.splitlines()
    assert answer.status == DONE
    assert lines[1] == "strategy of Side 1 against Side 2"
    assert 'search seed "duel/optimise"' in lines[2]
    assert [change["knob"] for change in document["changes"]] == ["formation"]
    assert any(line.split()[:3] == ["formation", "balanced", "flanking"] for line in lines)
    assert document["final"]["gain"] == pytest.approx(0.2, abs=0.01)
    assert document["better"] is True
    assert [stage["half_width"] for stage in document["stages"]] == [0.03, 0.01]


def test_equal_commands_print_equal_bytes(field, fracas_cli, file):
    field()
    first, second = (fracas_cli("optimise", file, *QUICK, "--trials", 12, "--format", "json").out for _ in range(2))
    assert first == second
    assert first != fracas_cli("optimise", file, *QUICK, "--trials", 12, "--search-seed", "x", "--format", "json").out


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_the_saved_file_is_the_improved_scenario(field, fracas_cli, file, tmp_path, ending):
    field()
    path = tmp_path / f"better.{ending}"
    answer = fracas_cli("optimise", file, *QUICK, "--trials", 60, "--save", path, "--format", "json")
    assert f"wrote {path}" in answer.err
    saved = fracas.load(path)
    assert saved.document == answer.json["document"]
    assert saved.document["sides"][0]["strategy"]["formation"] == "flanking"
    assert fracas_cli("run", path).status == DONE
    assert fracas_cli("content", "lint", path).err == ""


def test_nothing_better_saves_nothing(field, fracas_cli, file, tmp_path):
    field(gain=-0.2)
    path = tmp_path / "better.toml"
    answer = fracas_cli("optimise", file, *QUICK, "--trials", 12, "--save", path)
    assert answer.status == DONE
    assert "No strategy was found that beats the present one" in answer.out
    assert f"found nothing better, so {path} was not written" in answer.err
    assert not Path(path).exists()


def test_opponents_come_from_files_sides_and_rosters(field, fracas_cli, file):
    field()
    roster = ROOT / "examples" / "squads" / "rosters" / "formations.toml"
    options = ("--trials", 40, "--against", file, f"{file}:2", "--held-out", roster)
    document = fracas_cli("optimise", file, *QUICK, *options, "--format", "json").json
    assert len(document["opponents"]) == 2
    assert document["held_out"] == ["Balanced", "Aggressive", "Defensive", "Flanking"]
    assert [row["held_out"] for row in document["final"]["opponents"]] == [False] * 2 + [True] * 4
    text = fracas_cli("optimise", file, *QUICK, *options).out
    assert "all of them" in text


def test_ctrl_c_shows_the_best_so_far(field, fracas_cli, file):
    field(stop_after=30)
    answer = fracas_cli("optimise", file, *QUICK, "--trials", 200, "--format", "json")
    assert answer.status == INTERRUPTED
    assert answer.json["interrupted"] is True
    assert answer.json["final"] is None
    assert "it has not been tested" in answer.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--side", 3], "--side: 3 is neither 1 nor 2"),
        (["--part", "lineup"], "--part"),
        (["--trials", 0], "--trials: 0 is out of range"),
        (["--budget", 0], "--budget: 0 is out of range"),
        (["--pairs", 0], "--pairs: 0 is out of range"),
        (["--stages", "1%,x"], '--stages: "x" is not a number'),
        (["--stages", "1%,2%"], "--stages: 1%, 2% do not become smaller"),
        (["--stages", "1%", "--keep", "3"], "--keep: has 1 numbers; 1 stages need 0"),
        (["--keep", "many,2"], '--keep: "many" is not a whole number'),
        (["--save", "better.yaml"], "must end in .toml or .json"),
        (["--against", "nowhere.toml"], "nowhere.toml: there is no such file"),
        (["--held-out", str(ROOT / "examples" / "relics" / "first-duel.toml")], "is for relics"),
        (["--threads", 0], "--threads: 0 is out of range"),
    ],
)
def test_what_cannot_be_meant(fracas_cli, file, arguments, told):
    answer = fracas_cli("optimise", file, *arguments, "--format", "json")
    assert answer.status == BAD_INPUT
    assert told in answer.err
    assert answer.errors


COMMENTED = """# My duel, do not touch.
ruleset = "squads"
id = "duel"

[[sides]]
name = "Reds"  # we
units = [
    "scout",   # quick
    "bronze_knight",
]

[sides.strategy]
formation = "balanced"  # to be looked at
targetPriority = [ "mages" ]

[[sides]]
units = ["scout", "bronze_knight"]
"""


def test_the_saved_file_is_the_users_with_the_lines_that_changed(field, fracas_cli, tmp_path):
    field()
    path = tmp_path / "mine.toml"
    path.write_text(COMMENTED, encoding="utf-8")
    saved = tmp_path / "better.toml"
    answer = fracas_cli("optimise", path, *QUICK, "--trials", 60, "--save", saved)
    assert answer.status == DONE
    assert saved.read_text(encoding="utf-8") == COMMENTED.replace('"balanced"', '"flanking"')


def test_a_file_that_only_names_its_strategy_says_it_in_the_saved_one(field, fracas_cli, tmp_path):
    field()
    path, saved = tmp_path / "mine.toml", tmp_path / "better.toml"
    head, rest = COMMENTED.split("[sides.strategy]")
    path.write_text(head + rest[rest.index("[[sides]]") :], encoding="utf-8")
    document = fracas_cli("optimise", path, *QUICK, "--trials", 60, "--save", saved, "--format", "json").json
    text = saved.read_text(encoding="utf-8")
    assert text.startswith(head.rstrip())
    assert fracas.load(saved).document == document["document"]


def test_units_are_named_and_not_spelt_out_in_the_saved_file(tmp_path):
    """Three alike have numbers behind their ids in the resolved document, and none in the file."""
    path = tmp_path / "mine.toml"
    path.write_text(COMMENTED, encoding="utf-8")
    scenario = fracas.load(path)
    knobs = scenario.ruleset.analysis.search_space(SideRef(scenario.document, 1))
    place = next(knob for knob in knobs if knob.part == "line-up" and knob.path[-1] == "1")
    scouts = next(number for number, label in enumerate(place.labels) if label == "Scout")
    choices = [(place, scouts)]
    document = scenario.ruleset.analysis.with_choices(scenario.document, choices)
    changes = [SimpleNamespace(keys=place.path)]
    found = SimpleNamespace(given=scenario, changes=changes, document=document)
    text = rewritten(found, tmp_path / "better.toml")  # type: ignore[arg-type]
    assert text == COMMENTED.replace('"bronze_knight",\n', '"scout",\n')
    lone = SimpleNamespace(given=with_document(scenario, scenario.document), changes=changes, document=document)
    assert rewritten(lone, tmp_path / "better.toml") is None  # type: ignore[arg-type]
