"""`fracas compare`, `sweep`, `sensitivity` and `find`: what they print, how they end, what they refuse."""

from __future__ import annotations

import json
import re
import shlex

import pytest
from tests.helpers.commands import BAD_INPUT, CHECK_FAILED, DONE, INTERRUPTED
from tests.helpers.relics import battle as relics_battle
from tests.helpers.scenarios import duel, fighter, written

import fracas

ATTACK = "sides.0.units.0.attack"


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def file(tmp_path):
    short = duel()
    sides = [{**side, "units": [fighter(hp=36)]} for side in short["sides"]]
    return written(tmp_path, json.dumps({**short, "sides": sides}), "duel.json")


def press_ctrl_c(*_, **__):
    raise KeyboardInterrupt


# compare


def test_compare_prints_what_python_gets(fracas_cli, file):
    ended = fracas_cli("compare", file, "--b-set", f"{ATTACK}=30", "-n", 40, "--format", "json")
    expected = fracas.compare(file, overrides={ATTACK: 30}, n=40).as_json()
    assert (ended.status, ended.err) == (DONE, "")
    assert ended.json | {"b": 0} == expected | {"b": 0}
    assert ended.json["b"] == expected["b"] | {"label": f"duel with {ATTACK}=30"}


def test_compare_says_why_it_is_undecided(fracas_cli, file):
    ended = fracas_cli("compare", file, "--b-set", f"{ATTACK}=60", "-n", 60)
    told = " ".join(ended.out.split())
    assert "the test needs at least 95" in told
    assert "That interval excludes 0, but" in told
    assert ended.err.startswith("undecided; try -n ")


def test_compare_takes_a_second_file(fracas_cli, file, tmp_path):
    other = written(tmp_path, file.read_text().replace('"duel"', '"other"').replace("36", "50"), "other.json")
    document = fracas_cli("compare", file, other, "-n", 30, "--all", "--side", 2, "--format", "json").json
    assert (document["pairs"], document["side"], document["b"]["label"]) == (30, 2, "other")
    assert document["seed"] == "duel"


def test_two_files_of_one_name_are_told_apart_without_their_folders(fracas_cli, file, tmp_path):
    (tmp_path / "there").mkdir()
    other = written(tmp_path / "there", file.read_text().replace("36", "50"), "duel.json")
    ended = fracas_cli("compare", file, other, "-n", 30, "--format", "json")
    assert [ended.json[mark]["label"] for mark in "ab"] == ["duel", "duel, the other one"]
    assert str(tmp_path) not in ended.out


def test_a_part_comes_from_another_file_and_side(fracas_cli, file, tmp_path):
    there = json.loads(file.read_text())
    there["sides"][1]["strategy"] = {**there["sides"][1]["strategy"], "formation": "flanking"}
    other = written(tmp_path, json.dumps(there), "other.json")
    same = fracas_cli("compare", file, "--part", f"strategy={other}", "-n", 20)
    assert (same.status, "the same battle" in same.err) == (BAD_INPUT, True)
    ended = fracas_cli("compare", file, "--part", f"strategy={other}:2", "-n", 20)
    assert (ended.status, "duel with strategy of other" in ended.out) == (DONE, True)


def test_without_luck_the_verdict_is_certain(fracas_cli, tmp_path):
    file = written(tmp_path, json.dumps(relics_battle({"weapon": "boomstick"})), "sure.json")
    ended = fracas_cli("compare", file, "--b-set", "left.stats.health=1")
    assert ended.status == DONE
    assert "Nothing depends on luck in either" in ended.out
    assert "certain" in ended.out


# sweep and sensitivity


def test_sweep_prints_what_python_gets(fracas_cli, file):
    ended = fracas_cli("lab", "sweep", file, f"{ATTACK}=18:22:2", "-n", 15, "--format", "json")
    assert (ended.status, ended.err) == (DONE, "")
    assert ended.json == fracas.sweep(file, {ATTACK: [18, 20, 22]}, n=15).as_json()


def test_sweep_says_all_that_is_wrong_at_once(fracas_cli, file):
    ended = fracas_cli("lab", "sweep", file, "foo", f"{ATTACK}=20,0", "sides.9.name=x", "--format", "json")
    assert ended.status == BAD_INPUT
    told = [error["message"] for error in ended.errors]
    assert len(told) == 3
    assert any("PATH=LO:HI:STEP" in each for each in told)
    assert any("0 is out of range" in each for each in told)
    assert any("entries 0 to 1" in each for each in told)


def test_all_points_have_the_same_dice_whatever_is_varied(fracas_cli, file):
    points = fracas_cli("lab", "sweep", file, "id=duel,other", "-n", 40, "--format", "json").json["points"]
    assert len({json.dumps(point | {"values": []}) for point in points}) == 1


@pytest.mark.parametrize("arguments", [("lab find", "winner == 0", "--limit", 3), ("optimise", "--trials", 2)])
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_played(
    fracas_cli, file, tmp_path, monkeypatch, arguments
):
    monkeypatch.setattr("fracas.lab.simulation.simulate.make_player", None)
    ended = fracas_cli(arguments[0], file, *arguments[1:], "--save", tmp_path / "none" / "x.json")
    assert (ended.status, "there is no such folder" in ended.err) == (BAD_INPUT, True)


def test_values_that_are_set_hold_for_all_points(fracas_cli, file):
    ended = fracas_cli(
        "lab", "sweep", file, "profile=classic,tuned", "--set", f"{ATTACK}=33", "-n", 4, "--format", "json"
    )
    own = fracas.sweep(file, {ATTACK: [33]}, n=4).as_json()["points"][0]
    assert ended.json["base"]["score"] == ended.json["points"][0]["score"] == own["score"]


def test_sensitivity_prints_what_python_gets(fracas_cli, file):
    ended = fracas_cli("lab", "sensitivity", file, "-n", 10, "--side", 2, "--step", "5", "--format", "json")
    assert (ended.status, ended.err) == (DONE, "")
    assert ended.json == fracas.sensitivity(file, n=10, side=2, step=5).as_json()


def test_a_gain_that_may_be_nothing_has_no_bar(fracas_cli, file):
    lines = [
        line
        for step in ("1", "30")
        for line in fracas_cli("lab", "sensitivity", file, "-n", 40, "--step", step).out.splitlines()
    ]
    rows = [(line, re.search(r"  ([+-][\d.]+) to ([+-][\d.]+)$", line)) for line in lines]
    told = {("█" in line, float(found[1]) > 0 or float(found[2]) < 0) for line, found in rows if found}
    assert (False, False) in told
    assert (True, True) in told
    assert (True, False) not in told


# find


def test_find_prints_the_battle_and_saves_its_replay(fracas_cli, file, tmp_path):
    saved = tmp_path / "found.json"
    ended = fracas_cli("lab", "find", file, "winner == 2", "--limit", 30, "--save", saved)
    stream = fracas.find(file, "winner == 2", limit=30).stream
    assert ended.status == DONE
    assert f"fracas run {file} --stream {stream}" in ended.out
    assert ended.err == f"saved {saved}; check it with: fracas verify {saved}\n"
    assert fracas_cli("verify", saved).status == DONE


def test_the_command_that_find_suggests_plays_the_battle_that_it_found(fracas_cli, file):
    options = ("--seed", "a b", "--set", f"{ATTACK}=30", "--set", "sides.1.units.0.attack=31", "--profile", "tuned")
    found = fracas_cli("lab", "find", file, "winner == 2", "--limit", 60, *options)
    [line] = [line for line in found.out.splitlines() if line.startswith("to see it: ")]
    program, *words = shlex.split(line.removeprefix("to see it: "))
    assert (program, words[:2]) == ("fracas", ["run", str(file)])
    played = fracas_cli(*words, "--format", "json").json
    document = fracas_cli("lab", "find", file, "winner == 2", "--limit", 60, *options, "--format", "json").json
    assert (played["seed"], played["profile"], played["stream"]) == ("a b", "tuned", document["stream"])
    keys = ("winner", "reason", "rounds")
    assert [played[key] for key in keys] == [document["outcome"][key] for key in keys]


def test_find_ends_with_1_if_there_is_none(fracas_cli, file, tmp_path):
    ended = fracas_cli("lab", "find", file, "rounds > 90", "--limit", 20, "--save", tmp_path / "none.json")
    assert (ended.status, ended.err) == (CHECK_FAILED, "")
    assert ended.out.splitlines()[2].startswith("None of 20 battles of duel is one in which rounds > 90")
    assert not (tmp_path / "none.json").exists()
    document = fracas_cli("lab", "find", file, "rounds > 90", "--limit", 20, "--format", "json").json
    assert (document["stream"], document["outcome"], document["searched"]) == (None, None, 20)


# What all have.


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (["compare"], "B"),
        (["compare", "--b-set", "x"], "--b-set x"),
        (["compare", "--b-set", f"{ATTACK}=30", "--side", "3"], "--side"),
        (["compare", "--b-set", f"{ATTACK}=30", "--delta", "1"], "--delta"),
        (["compare", "--b-set", f"{ATTACK}=30", "-n", "0"], "-n"),
        (["compare", "--part", "strategy"], "--part strategy"),
        (["compare", "--part", "=x"], "--part =x"),
        (["compare", "--part", "strategy=:1"], "--part strategy=:1"),
        (["compare", "--part", "moves=x.toml"], "--part"),
        (["compare", "nowhere.toml"], "nowhere.toml"),
        (["compare", "--b-set", f"{ATTACK}=20"], "duel"),
        (["lab sweep"], "sweep"),
        (["lab sweep", ATTACK], ATTACK),
        (["lab sweep", f"{ATTACK}=1:9"], f"{ATTACK}=1:9"),
        (["lab sweep", f"{ATTACK}=21", "-n", "200000000"], "-n"),
        (["lab sweep", "seed=a,b"], "seed"),
        (["lab sensitivity", "--step", "0"], "--step"),
        (["lab sensitivity", "--step", "nan"], "--step"),
        (["lab sensitivity", "--step", "inf"], "--step"),
        (["lab sensitivity", "--side", "0"], "--side"),
        (["lab find", "winner"], "condition"),
        (["lab find", "winner == 1", "--limit", "0"], "--limit"),
        (["lab find", "winner == 1", "--start", "-1"], "--start"),
    ],
)
def test_bad_input_is_refused_in_both_forms(fracas_cli, file, arguments, where):
    command, *rest = arguments
    text = fracas_cli(command, file, *rest)
    assert (text.status, text.out) == (BAD_INPUT, "")
    assert text.err.startswith("error: ")
    document = fracas_cli(command, file, *rest, "--format", "json")
    assert document.status == BAD_INPUT
    assert where in [error["where"] for error in document.errors]


@pytest.mark.parametrize(
    ("arguments", "module"),
    [
        (["compare", "--b-set", f"{ATTACK}=30"], "studies.compare.play_scores"),
        (["lab sweep", f"{ATTACK}=21,22"], "studies.paired_battles.play_scores"),
        (["lab sensitivity"], "studies.paired_battles.play_scores"),
        (["lab find", "rounds > 90"], "studies.find.simulate"),
    ],
)
def test_ctrl_c_prints_what_is_done_and_ends_with_130(fracas_cli, file, monkeypatch, arguments, module):
    monkeypatch.setattr(f"fracas.lab.{module}", press_ctrl_c)
    command, *rest = arguments
    ended = fracas_cli(command, file, *rest, "-n" if command != "lab find" else "--limit", 30, "--format", "json")
    assert ended.status == INTERRUPTED
    assert ended.json["interrupted"] is True
    assert "interrupted" in ended.err
