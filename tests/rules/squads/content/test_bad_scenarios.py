"""What is wrong with a scenario is said once, at its place, with what would be right."""

from __future__ import annotations

import pytest
from tests.helpers.scenarios import SCENARIO, edited, problems_of, written

import fracas
from fracas.errors import Problem
from fracas.rulesets import registry

STATS = ("hp = 90", "attack = 35", "defense = 10", "speed = 15")


@pytest.fixture
def refused(tmp_path):
    def load(*changes: tuple[str, str], name: str = "battle.toml", **options) -> list[Problem]:
        path = written(tmp_path, edited(*changes), name)
        problems = problems_of(fracas.load, path, **options)
        assert all(problem.where.startswith(str(path)) for problem in problems)
        return [
            Problem(problem.where.removeprefix(str(path)).removeprefix(": "), problem.message, problem.suggestion)
            for problem in problems
        ]

    return load


def test_an_unknown_ruleset_without_a_near_one_names_those_that_exist(refused):
    known = ", ".join(registry.NAMES)
    [problem] = refused(('"squads"', '"chess"'))
    assert (problem.where, problem.message) == ("ruleset", 'there is no ruleset "chess"')
    assert (problem.suggestion or "").startswith(f"known: {known};")


def test_a_scenario_without_a_ruleset_is_told_what_to_write(refused):
    message = "does not name a ruleset"
    known = " or ".join(f'ruleset = "{name}"' for name in registry.NAMES)
    assert refused(('ruleset = "squads"', "")) == [Problem("", message, f"write {known}")]


@pytest.mark.parametrize("stat", STATS)
@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("-1", "-1 is out of range: it must be at least "),
        ("1000001", "1000001 is out of range: it must be at most 1,000,000"),
        (str(10**30), f"{10**30} is out of range: it must be at most 1,000,000"),
        ("1.5", "1.5 is not a whole number"),
        ("9.0", "9.0 is not a whole number"),
        ("1e3", "1000.0 is not a whole number"),
        ("nan", "nan is not a whole number"),
        ("inf", "inf is not a whole number"),
        ('"90"', '"90" is not a whole number'),
        ("true", "true is not a whole number"),
    ],
)
def test_a_stat_is_a_whole_number_within_limits(refused, stat, value, complaint):
    name = stat.split(" = ")[0]
    complaint += ("0" if name == "defense" else "1") if complaint.endswith("at least ") else ""
    assert refused((stat, f"{name} = {value}")) == [Problem(f"sides.0.units.1.{name}", complaint)]


def test_a_key_that_would_move_the_cursor_is_made_visible(refused):
    [problem] = refused(('id = "two-by-one"', '"\\u001b[31m" = 1'))
    assert problem == Problem("·[31m", "there is no such key here")


BROKEN = (("hp = 90", "hp = 0"), ('formation = "aggressive"', 'formation = "wedge"'))


def test_a_flood_of_unknown_names_is_cut_off(tmp_path):
    units = ", ".join(f'"unit-{number}"' for number in range(5000))
    path = written(tmp_path, edited(('["bronze_knight"]', f"[{units}]")))
    assert len(problems_of(fracas.load, path)) < 60


def test_a_key_of_a_strategy_that_would_move_the_cursor_is_made_visible(refused):
    problems = refused(("Fireball =", '"\\u001b[31m" ='), *BROKEN)
    assert all(problem.where.isprintable() and problem.message.isprintable() for problem in problems)
    assert "sides.0.strategy.abilities.·[31m" in {problem.where for problem in problems}


def test_a_flood_of_problems_is_cut_off_with_a_count(tmp_path):
    lines = "\n".join(f"key_{number} = 1" for number in range(70))
    path = written(tmp_path, f"{lines}\n{SCENARIO}")
    problems = problems_of(fracas.load, path)
    assert len(problems) == 51
    assert problems[-1] == Problem(str(path), "and 20 more problems of this kind")
