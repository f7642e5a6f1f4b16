"""What is wrong with a duel is said once, at its place, with what would be right: as a person meets it, from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.scenarios import edited, problems_of, written
from tests.helpers.titans import DUEL

import fracas
from fracas.errors import Problem


def test_a_third_player_and_a_lone_one_are_refused(tmp_path: Path) -> None:
    third = '\n[[players]]\nname = "Cy"\ntitan = "gale"\npolicy = "brute"\n'
    path = written(tmp_path, DUEL + third)
    [problem] = problems_of(fracas.load, path)
    assert problem.where == f"{path}: players"
    assert problem.message == "has too many entries; at most 2 are allowed"
    path = written(tmp_path, DUEL.partition('[[players]]\nname = "Bo"')[0])
    [problem] = problems_of(fracas.load, path)
    assert problem.message == "has 1 entries; at least 2 are needed"


def test_a_plug_in_has_no_place_here(tmp_path: Path) -> None:
    path = written(tmp_path, "import fracas\n", "own.py")
    problems = problems_of(fracas.load, written(tmp_path, DUEL), plugins=[path])
    assert problems


def broken(document: Any) -> dict[str, Any]:
    players = [
        {"name": "Ada", "titan": "gale", "policy": document},
        {"name": "Bo", "titan": "gale", "policy": "brute"},
    ]
    return {"ruleset": "titans", "players": players}


@pytest.mark.parametrize(
    "policy",
    [
        {},
        {"rules": []},
        {"rules": [{"do": "attack"}], "choices": []},
        {"choices": ["fly"]},
        {"solved": {}},
        [],
        [[]],
        [{"when": "always"}],
        [{"do": 3}],
        [{"do": "attack", "when": {"any": 3}}],
        {"rules": None},
        "solved.json",
        "../policy.json",
        "",
        True,
    ],
)
def test_a_policy_that_is_none_is_refused_without_a_traceback(policy: Any) -> None:
    assert problems_of(fracas.load, broken(policy))


def test_a_policy_file_that_is_broken_is_told_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text(json.dumps({"rules": [{"do": "fly"}]}), encoding="utf-8")
    path = written(tmp_path, edited(('policy = "charger"', 'policy = "own.json"'), text=DUEL))
    [problem] = problems_of(fracas.load, path)
    assert '"fly"' in problem.message


def test_a_number_of_more_digits_than_can_be_written_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, edited(('policy = "charger"', f"policy = 0x{'f' * 5000}"), text=DUEL))
    assert problems_of(fracas.load, path) == (
        Problem(f"{path}: players.0.policy", "is a number of more than 4,300 digits"),
    )
