"""What is wrong with a duel is said once, at its place, with what would be right: as a person meets it, from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.scenarios import edited, problems_of, written

import fracas
from fracas.errors import Problem

NO_KEY = "there is no such key here"

DUEL = """\
ruleset = "titans"
id = "at-dawn"
profile = "seed"
options = { round_cap = 30 }

[abilities.pulse]
id = "pulse"
name = "Pulse"
cost = 15
effects = [
    { type = "damage", stat = "attack", times = 1.5 },
    { type = "change", stat = "speed", percent = -10, rounds = 1 },
]

[[players]]
name = "Ada"
titan = "stone_warden"
policy = "charger"

[[players]]
name = "Bo"
titan = { name = "Gale", hp = 32, attack = 8, defense = 6, speed = 9, stamina = 7, abilities = ["shock", "pulse"] }
policy = [{ when = "self.charge >= 30", do = "shock" }, { do = "pulse", chance = 40 }, { do = "attack" }]
"""

UNKNOWN = {
    "a key at the top": (("profile =", "profil ="), "profil", NO_KEY, "profile"),
    "an option": (("round_cap", "round_kap"), "options.round_kap", NO_KEY, "round_cap"),
    "a key of a player": (('name = "Bo"', 'naame = "Bo"'), "players.1.naame", NO_KEY, "name"),
    "a key of a titan": (("stamina = 7", "stamnia = 7"), "players.1.titan.stamnia", NO_KEY, "stamina"),
    "a key of a rule": (("chance = 40", "chancee = 40"), "players.1.policy.1.chancee", NO_KEY, "chance"),
    "a key of an ability": (("cost = 15", "price = 15"), "abilities.pulse.price", NO_KEY, None),
    "a profile": (('profile = "seed"', 'profile = "sead"'), "profile", 'there is no profile "sead"', "seed"),
    "a titan": (
        ('"stone_warden"', '"stone_wardn"'),
        "players.0.titan",
        'there is no titan "stone_wardn"',
        "stone_warden",
    ),
    "a policy": (('"charger"', '"chargre"'), "players.0.policy", 'there is no policy "chargre"', "charger"),
    "an ability of a titan": (
        ('["shock", "pulse"]', '["shok", "pulse", "shock"]'),
        "players.1.titan.abilities.0",
        'there is no ability "shok"',
        "shock",
    ),
    "what a rule does": (
        ('do = "attack"', 'do = "attackk"'),
        "players.1.policy.2.do",
        'there is no action or ability "attackk"',
        "attack",
    ),
    "a type of effect": (
        ('type = "damage"', 'type = "damagee"'),
        "abilities.pulse.effects.0",
        '"damagee" is not one of damage, heal, shield, charge, set_charge, change or cleanse',
        "damage",
    ),
    "a stat": (
        ('stat = "speed"', 'stat = "sped"'),
        "abilities.pulse.effects.1.stat",
        '"sped" is not one of attack, defense, speed, stamina, evasion, accuracy or critical',
        "speed",
    ),
    "a ruleset": (('ruleset = "titans"', 'ruleset = "titan"'), "ruleset", 'there is no ruleset "titan"', "titans"),
}

OUT_OF_RANGE = {
    "HP of 0": (("hp = 32", "hp = 0"), "players.1.titan.hp", "0 is out of range: it must be at least 1"),
    "HP beyond all": (
        ("hp = 32", "hp = 10001"),
        "players.1.titan.hp",
        "10001 is out of range: it must be at most 10,000",
    ),
    "a stat below 0": (
        ("attack = 8", "attack = -1"),
        "players.1.titan.attack",
        "-1 is out of range: it must be at least 0",
    ),
    "a stat beyond all": (
        ("speed = 9", "speed = 1001"),
        "players.1.titan.speed",
        "1001 is out of range: it must be at most 1,000",
    ),
    "a stat with a point": (
        ("stamina = 7", "stamina = 7.5"),
        "players.1.titan.stamina",
        "7.5 is not a whole number",
    ),
    "a stat as a text": (
        ("defense = 6", 'defense = "6"'),
        "players.1.titan.defense",
        '"6" is not a whole number',
    ),
    "a cost": (("cost = 15", "cost = 101"), "abilities.pulse.cost", "101 is out of range: it must be at most 100"),
    "no times at all": (
        ("times = 1.5", "times = 0"),
        "abilities.pulse.effects.0.times",
        "0 is out of range: it must be more than 0.0",
    ),
    "a chance of 0": (
        ("chance = 40", "chance = 0"),
        "players.1.policy.1.chance",
        "0 is out of range: it must be at least 1",
    ),
    "a round cap": (
        ("round_cap = 30", "round_cap = 0"),
        "options.round_cap",
        "0 is out of range: it must be at least 1",
    ),
    "an ability that is not owned": (
        ('do = "shock"', 'do = "barrier"'),
        "players.1.policy.0.do",
        'Gale does not have the ability "barrier"',
    ),
    "six abilities": (
        ('["shock", "pulse"]', '["shock", "pulse", "drain", "weaken", "barrier", "fortify"]'),
        "players.1.titan.abilities",
        "has too many entries; at most 5 are allowed",
    ),
    "no ability": (
        ('["shock", "pulse"]', "[]"),
        "players.1.titan.abilities",
        "has 0 entries; at least 1 are needed",
    ),
    "no titan": (('titan = "stone_warden"\n', ""), "players.0.titan", "is missing"),
    "a titan that is a number": (
        ('titan = "stone_warden"', "titan = 3"),
        "players.0.titan",
        "3 is neither a string nor a table",
    ),
    "a policy that is a number": (
        ('policy = "charger"', "policy = 3"),
        "players.0.policy",
        "3 is neither a string, nor a list of rules, nor a table",
    ),
    "a policy that is a number of more digits than can be written": (
        ('policy = "charger"', f"policy = 0x{'f' * 5000}"),
        "players.0.policy",
        "is a number of more than 4,300 digits",
    ),
    "an empty text for a titan": (
        ('titan = "stone_warden"', 'titan = { generate = "" }'),
        "players.0.titan.generate",
        "must not be empty",
    ),
    "a condition of another ruleset": (
        ("self.charge >= 30", "allies.count >= 2"),
        "players.1.policy.0.when",
        None,
    ),
    "a condition that breaks off": (("self.charge >= 30", "self.charge >="), "players.1.policy.0.when", None),
    "a second titan of one name is fine, a second player is not": (
        ('name = "Bo"', 'name = "Ada"'),
        "players.1.name",
        'both players are named "Ada"',
    ),
}


def refused(tmp_path: Path, *changes: tuple[str, str]) -> list[Problem]:
    path = written(tmp_path, edited(*changes, text=DUEL))
    problems = problems_of(fracas.load, path)
    assert all(problem.where.startswith(str(path)) for problem in problems)
    return [
        Problem(problem.where.removeprefix(str(path)).removeprefix(": "), problem.message, problem.suggestion)
        for problem in problems
    ]


def test_the_duel_that_is_broken_here_is_sound(tmp_path: Path) -> None:
    assert problems_of(fracas.load, written(tmp_path, DUEL), strict=True) == ()


@pytest.mark.parametrize("case", UNKNOWN)
def test_an_unknown_name_is_told_with_the_nearest_one(tmp_path: Path, case: str) -> None:
    change, where, message, nearest = UNKNOWN[case]
    problems = refused(tmp_path, change)
    assert Problem(where, message, f'did you mean "{nearest}"?' if nearest else None) in problems
    assert len(problems) <= 2, problems


@pytest.mark.parametrize("case", OUT_OF_RANGE)
def test_what_cannot_be_is_told_at_its_place(tmp_path: Path, case: str) -> None:
    change, where, message = OUT_OF_RANGE[case]
    problems = refused(tmp_path, change)
    assert {problem.where for problem in problems} == {where}
    assert message is None or problems[0].message == message
    assert len(problems) == 1


def test_a_policy_of_which_no_rule_can_fire_is_refused(tmp_path: Path) -> None:
    rules = 'policy = [{ when = "self.charge >= 30", do = "shock" }, { do = "pulse", chance = 40 }, { do = "attack" }]'
    never = 'policy = [{ when = "self.charge > 100", do = "shock" }, { when = "round > 30", do = "attack" }]'
    [problem] = refused(tmp_path, (rules, never))
    assert problem.where == "players.1.policy"
    assert problem.message == "no rule of this policy can ever apply"


def test_a_third_player_and_a_lone_one_are_refused(tmp_path: Path) -> None:
    third = '\n[[players]]\nname = "Cy"\ntitan = "gale"\npolicy = "brute"\n'
    path = written(tmp_path, DUEL + third)
    [problem] = problems_of(fracas.load, path)
    assert problem.where == f"{path}: players"
    assert problem.message == "has too many entries; at most 2 are allowed"
    path = written(tmp_path, DUEL.partition('[[players]]\nname = "Bo"')[0])
    [problem] = problems_of(fracas.load, path)
    assert problem.message == "has 1 entries; at least 2 are needed"


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    problems = refused(
        tmp_path,
        ('"stone_warden"', '"stone_wardn"'),
        ("hp = 32", "hp = 0"),
        ("cost = 15", "cost = -1"),
        ('profile = "seed"', 'profile = "sead"'),
    )
    assert {problem.where for problem in problems} == {
        "profile",
        "players.0.titan",
        "players.1.titan.hp",
        "abilities.pulse.cost",
    }


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
