"""Conditions in a scenario: what is refused and where, and the one thing that is not: an unknown name."""

from __future__ import annotations

import json

import pytest
from tests.helpers.scenarios import duel, events_of, loaded, problems_of, written

import fracas
from fracas.files.read import read_document

WHERE = "sides.0.strategy.abilities.fireball.when"
TOO_DEEP = "the condition is nested more than 32 deep"
TOO_LONG = "the condition is longer than 2,000 characters"
TOO_MANY = "the condition has more than 128 parts"
SPLIT = "split it, or use fewer parts"


def with_condition(when: object, **values):
    document = duel(**values)
    document["sides"][0]["strategy"] = {"abilities": {"fireball": {"when": when}}}
    return document


def problem_with(when: object, **options):
    [problem] = problems_of(fracas.load, with_condition(when), **options)
    return problem


def test_what_is_wrong_with_a_condition_is_said_where_it_stands():
    """What is said is tested in tests/conditions."""
    problem = problem_with("self.hp_pct = 50")
    assert (problem.where, problem.suggestion) == (f"scenario: {WHERE}", 'write "=="')
    problem = problem_with({"all": "always"})
    assert (problem.where, problem.message) == (f"scenario: {WHERE}.all", "all takes a list of conditions, not text")


@pytest.mark.parametrize("when", [3, True, 1.5])
def test_a_condition_is_text_or_a_table(when):
    problem = problem_with(when)
    assert problem.where == f"scenario: {WHERE}"


@pytest.mark.parametrize(
    ("when", "message"),
    [
        ("(" * 10_000 + "always" + ")" * 10_000, TOO_LONG),
        ("(" * 900 + "always" + ")" * 900, TOO_DEEP),
        ("not " * 400 + "always", TOO_DEEP),
        ("always and " * 9_100 + "always", TOO_LONG),
        ("always or " * 130 + "always", TOO_MANY),
        ("x" * 100_000, TOO_LONG),
        ({"all": ["always"] * 9_100}, TOO_MANY),
    ],
)
def test_a_hostile_condition_costs_nothing(when, message):
    problem = problem_with(when)
    assert (problem.where, problem.message, problem.suggestion) == (f"scenario: {WHERE}", message, SPLIT)


def test_ten_thousand_objects_in_each_other_are_refused():
    when: object = "always"
    for _ in range(10_000):
        when = {"not": when}
    problem = problem_with(when)
    assert problem.where.startswith(f"scenario: {WHERE}.not.")
    assert problem.message == "values are nested more than 64 deep"


def test_ten_thousand_objects_in_a_file_are_refused_before_they_are_read(tmp_path):
    text = json.dumps(with_condition("HERE")).replace('"HERE"', '{"not": ' * 10_000 + '"always"' + "}" * 10_000)
    path = written(tmp_path, text, "battle.json")
    [problem] = problems_of(fracas.load, path)
    assert (problem.where, problem.message) == (f"{path}:1", "brackets are nested more than 64 deep")


def test_all_conditions_of_a_scenario_are_looked_at():
    document = with_condition("self.hp_pc < 50 and self.charg > 3")
    document["sides"][1]["strategy"] = {"abilities": {"falling_sky": {"when": "(always"}}}
    problems = problems_of(fracas.load, document)
    assert [problem.where for problem in problems] == [
        f"scenario: {WHERE}",
        f"scenario: {WHERE}",
        "scenario: sides.1.strategy.abilities.falling_sky.when",
    ]


@pytest.mark.parametrize(
    ("when", "value"),
    [
        ("enemy_cuont_gte_1", "true"),
        ("not enemy_cuont_gte_1", "false, being negated"),
        ("not not enemy_cuont_gte_1", "true"),
    ],
)
def test_an_unknown_condition_fires_with_a_warning(when, value):
    scenario = loaded(with_condition(when))
    [warning] = scenario.warnings
    assert warning.where == f"scenario: {WHERE}"
    assert warning.message == f'unknown condition "enemy_cuont_gte_1" counts as {value}, so it never blocks'
    assert warning.suggestion == 'did you mean "enemy_count_gte_1" or "enemy_count_lte_1"?'
    first = events_of(fracas.run(scenario), "choice", actor="1.kael")[0]
    assert (first.choice, first.class_ability) == ("class ability", "its condition holds")


def test_strict_makes_the_warning_an_error():
    problem = problem_with("enemy_cuont_gte_1", strict=True)
    assert problem.where == f"scenario: {WHERE}"
    assert problem.suggestion == 'did you mean "enemy_count_gte_1" or "enemy_count_lte_1"?'


def test_in_a_content_pack_an_unknown_condition_is_an_error(tmp_path):
    text = """
        [[strategies]]
        id = "mine"
        name = "Mine"
        [strategies.abilities]
        Fireball = { when = "enemy_cuont_gte_1" }
    """
    path = written(tmp_path, text, "mine.toml")
    assert "strategies" in read_document(path)
    document = duel()
    document["sides"][0]["strategy"] = "mine"
    [problem] = problems_of(fracas.load, document, content=[tmp_path])
    assert "enemy_cuont_gte_1" in problem.message
    assert problem.suggestion == 'did you mean "enemy_count_gte_1" or "enemy_count_lte_1"?'
