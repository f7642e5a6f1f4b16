"""The first battle that ends as a condition says: the lowest number, whoever plays."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.helpers.relics import battle
from tests.helpers.scenarios import EXAMPLES, problems_of

import fracas
from fracas.conditions import check_names
from fracas.engine.player import make_player
from fracas.lab.studies import find as finding
from fracas.lab.studies.find import OutcomeCondition, find, outcome_vocabulary
from fracas.rulesets import registry

CONDITIONS = {
    "winner == 2": lambda row: row["winner"] == 2,
    "winner == 2 and hp_left_2 < 5": lambda row: row["winner"] == 2 and row["hp_left"][1] < 5,
    "cap_hp": lambda row: row["reason"] == 2,
    "reason == cap_hp": lambda row: row["reason"] == 2,
    "reason != wiped_out and rounds >= 50": lambda row: row["reason"] != 1 and row["rounds"] >= 50,
    "not (wiped_out or winner == 1)": lambda row: not (row["reason"] == 1 or row["winner"] == 1),
    "units_left_1 == 5 or units_left_2 == 5": lambda row: 5 in row["units_left"],
    "rounds < 10 and always": lambda row: row["rounds"] < 10,
    "hp_left_1 != 0 and units_left_1 <= 1": lambda row: row["hp_left"][0] != 0 and row["units_left"][0] <= 1,
    "hp_left_1 > hp_left_2 and units_left_1 == units_left_2": lambda row: (
        row["hp_left"][0] > row["hp_left"][1] and row["units_left"][0] == row["units_left"][1]
    ),
    "rounds > 50": lambda row: False,
}


@pytest.fixture(scope="module")
def standard():
    return fracas.load(EXAMPLES / "standard-5v5.toml")


@pytest.fixture(scope="module")
def rows(standard):
    return make_player(standard, logged=False, battles=10**6).play(0, 3_000)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_it_is_the_first_that_fits(standard, rows, condition):
    fitting = [number for number, row in enumerate(rows) if CONDITIONS[condition](row)]
    assert OutcomeCondition(condition, standard.ruleset).hold(rows).sum() == len(fitting)
    for start in (0, 5, 1_500):
        expected = next((number for number in fitting if number >= start), None)
        found = find(standard, condition, 3_000 - start, start=start)
        assert found.stream == expected
        assert found.searched == (3_000 if expected is None else expected + 1) - start


def test_neither_threads_nor_blocks_change_what_is_found(standard, monkeypatch):
    whole = find(standard, "winner == 2 and hp_left_2 < 5").as_json()
    for threads, block in ((1, 1_024), (3, 7), (2, 100_000)):
        monkeypatch.setattr(finding, "FIRST_BLOCK", block)
        assert find(standard, "winner == 2 and hp_left_2 < 5", threads=threads).as_json() == whole
    assert json.loads(json.dumps(whole)) == whole


def test_the_battle_is_played_again_with_its_events(standard):
    found = find(standard, "cap_hp")
    battle = found.battle
    assert battle is not None
    assert found.stream is not None
    assert (battle.stream, battle.reason) == (found.stream, "cap_hp")
    assert battle.digest == fracas.run(standard, stream=found.stream).digest == found.as_json()["outcome"]["digest"]


def test_without_luck_one_battle_is_looked_at(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    scenario = fracas.load(battle({"weapon": "boomstick"}))
    assert find(scenario, "winner == 1").stream == 0
    none = find(scenario, "winner == 2")
    assert (none.stream, none.deterministic, none.searched) == (None, True, 10**6)


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_ruleset_has_a_vocabulary_of_outcomes(name):
    ruleset = registry.get(name)
    vocabulary, places = outcome_vocabulary(ruleset)
    check_names(vocabulary)
    assert {"winner", "rounds", "hp_left_1", "hp_left_2", "units_left_1", "units_left_2"} <= set(places)
    assert not {"fault", "blocks_drawn"} & set(places)
    results = np.zeros(4, ruleset.kernels.result_type)
    for reason in ruleset.reasons:
        assert OutcomeCondition(f"{reason} or winner == 0", ruleset).hold(results).all()


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("winner", "is a number and has to be compared"),
        ("winer == 2", 'unknown fact "winer"'),
        ("xyz == 2", "known are winner, reason, rounds, hp_left_1"),
        ("xyz", "wiped_out, cap_hp, cap_equal"),
        ("winner == 3", "out of range"),
        ("winner = 2", "found"),
        ("wiped_uot", 'did you mean "wiped_out"'),
        ("reason == wiped_uot", 'did you mean "wiped_out"'),
        ("hp_left.2 < 5", "found"),
        ("hp_left < 5", "unknown fact"),
        ("enemies.any(hp < 5)", "cannot be asked"),
        ("fault == 0", "unknown fact"),
        ("winner == 2 and", "the condition ends"),
        ("rounds < 3.5", "not with a whole number"),
        ("x" * 3_000, "longer than"),
    ],
)
def test_a_broken_condition_is_refused(standard, monkeypatch, condition, said):
    monkeypatch.setattr(finding, "simulate", None)
    problems = problems_of(find, standard, condition)
    assert any(said in str(problem) for problem in problems), problems


def test_messages_point_to_what_was_written(standard):
    (problem,) = problems_of(find, standard, "reason == cap_hp and winer == 2")
    assert "column 22" in problem.message


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 10**10}, "limit"),
        ({"start": -1}, "start"),
        ({"start": 2**63}, "start"),
        ({"threads": 0}, "threads"),
        ({"condition": 3}, "condition"),
        ({"limit": "many", "start": "there"}, "start"),
    ],
)
def test_amounts_that_cannot_be_meant_are_refused(standard, values, where):
    problems = problems_of(fracas.find, standard, **{"condition": "winner == 1", **values})
    assert where in [problem.where for problem in problems]


def test_ctrl_c_leaves_what_was_looked_at(standard):
    def press(done: int, total: int, said: str) -> None:
        raise KeyboardInterrupt

    found = find(standard, "rounds > 50", 50_000, steps=press)
    assert (found.interrupted, found.stream, found.searched) == (True, None, finding.FIRST_BLOCK)
