"""The engine against a second implementation of titans that was written from the rule book alone."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.soak import times
from tests.oracle import agreement, titans
from tests.oracle.agreement import difference
from tests.oracle.titans import KIND

import fracas
from fracas.rulesets import registry

EXAMPLES = sorted(Path(__file__).parents[2].joinpath("examples", "titans").glob("*.toml"))
RANDOM = times(40)

# Columns that hold a code, by the kind of row: what they may be, and where in the row they stand.
CODED = {
    "choice": (6, range(8)),
    "act": (4, range(4)),
    "skipped": (6, range(2)),
    "charge": (6, range(4)),
    "change": (4, range(7)),
    "expire": (6, range(2)),
    "outcome": (5, range(1, 6)),
    "growth": (4, range(8)),
}


def assert_equal(scenario: fracas.Scenario, stream: int) -> titans.Result:
    """The battle is that of the oracle, which is returned."""
    return agreement.assert_equal(scenario, stream, titans.play, KIND)


@cache
def random_duel(number: int) -> titans.Result:
    """A random duel, which both play alike."""
    return assert_equal(fracas.load(registry.get("titans").random_scenario(number)), number % 3)


# Abilities of the crafted duels; they cost nothing.
EFFECTS: dict[str, list[dict[str, Any]]] = {
    "hush": [{"type": "set_charge", "amount": 0, "on": "opponent"}],
    "sap": [{"type": "change", "stat": stat, "percent": -60, "rounds": 2} for stat in ("attack", "speed")],
    "leech": [{"type": "change", "stat": stat, "percent": -33, "rounds": 9} for stat in ("attack", "speed", "defense")],
    "numb": [{"type": "change", "stat": "attack", "percent": -50, "rounds": 3}],
    "frenzy": [{"type": "change", "stat": "critical", "percent": 900, "rounds": 9, "on": "self"}],
    "spend": [{"type": "charge", "amount": -35}, {"type": "charge", "amount": -15, "on": "opponent"}],
    "wall": [{"type": "shield", "stat": "defense", "times": 0.3}, {"type": "shield", "stat": "attack", "times": 0.7}],
    "guard": [{"type": "shield", "amount": 30}],
    "sip": [{"type": "damage", "amount": 2}, {"type": "heal", "dealt": 100}],
    "bite": [{"type": "damage", "amount": 3}, {"type": "damage", "amount": 4}, {"type": "heal", "dealt": 75}],
    "brace": [
        {"type": "change", "stat": "defense", "percent": 300, "rounds": 1, "on": "self"},
        {"type": "damage", "stat": "defense", "times": 0.6},
    ],
    "rouse": [{"type": "cleanse"}, {"type": "damage", "stat": "attack", "times": 0.4}],
    "goad": [{"type": "change", "stat": "critical", "percent": 900, "rounds": 9}],
    "bolt": [{"type": "damage", "amount": 20}],
}
ABILITIES = {
    name: {"id": name, "name": name.capitalize(), "cost": 0, "effects": effects} for name, effects in EFFECTS.items()
}


def duel(first: dict[str, Any], second: dict[str, Any], **options: object) -> fracas.Scenario:
    """Two plain titans with what is said of them."""
    plain = {"hp": 40, "attack": 8, "defense": 5, "speed": 6, "stamina": 7, "abilities": ["quick_charge"]}
    players = []
    for name, own in (("One", first), ("Two", second)):
        titan = {**plain, "name": name, **{key: value for key, value in own.items() if key != "policy"}}
        players.append({"name": name, "titan": titan, "policy": own["policy"]})
    document = {"ruleset": "titans", "abilities": ABILITIES, "players": players, "options": options}
    return fracas.load(document)


def chosen(*choices: str) -> dict[str, Any]:
    return {"choices": list(choices)}


def by_cell(own_hp: int, enemy_hp: int, own_charge: int, enemy_charge: int) -> dict[str, Any]:
    """A table whose choices tell neighbouring cells apart."""
    cells = own_hp * enemy_hp * own_charge * enemy_charge
    weights = b"".join(bytes(choice == cell % 3 for choice in range(3)) for cell in range(cells))
    steps = {"own_hp": own_hp, "enemy_hp": enemy_hp, "own_charge": own_charge, "enemy_charge": enemy_charge}
    choices = ["attack", "rest", "defend"]
    return {"solved": {**steps, "choices": choices, "weights": b64encode(weights).decode()}}


# Every fact about a last choice, of both; a raised stat is no lowered one.
LAST_CHOICES = [
    {"when": "self.debuffed or enemy.debuffed", "do": "defend"},
    {"when": "enemy.defended", "do": "rest", "chance": 70},
    {"when": "enemy.rested", "do": "frenzy", "chance": 70},
    {"when": "enemy.used_ability", "do": "attack", "chance": 70},
    {"when": "enemy.attacked", "do": "defend", "chance": 70},
    {"when": "self.defended or self.rested", "do": "attack", "chance": 50},
    {"when": "self.attacked or self.used_ability", "do": "defend", "chance": 50},
]

CRAFTED = {
    "one forfeits": lambda: duel({"policy": chosen(*["missed"] * 5)}, {"policy": "random"}),
    "both forfeit": lambda: duel({"policy": chosen(*["missed"] * 3)}, {"policy": chosen(*["missed"] * 3)}),
    "a choice between missed ones": lambda: duel(
        {"policy": chosen("missed", "missed", "rest", "missed", "missed", "missed")}, {"policy": "greedy"}
    ),
    "an ability that cannot be paid for": lambda: duel(
        {"policy": chosen("quick_charge", "rest", "quick_charge")}, {"policy": "random"}
    ),
    "charge that is gone before it is paid": lambda: duel(
        {"policy": chosen("rest", "quick_charge"), "speed": 0},
        {"policy": chosen("rest", "hush"), "abilities": ["hush"]},
    ),
    "equal shares at the cap": lambda: duel(
        {"policy": chosen(*["rest"] * 4)}, {"policy": chosen(*["rest"] * 4), "hp": 20}, round_cap=4
    ),
    "equal speeds of 0": lambda: duel({"policy": "greedy", "speed": 0}, {"policy": "greedy", "speed": 0}),
    "hardly a level left": lambda: duel(
        {"policy": "random", "level": 49, "experience": 81_900, "hp": 10_000, "attack": 1000, "critical": 100},
        {"policy": "random", "level": 50, "experience": 99_000},
        experience=True,
    ),
    "several levels at once": lambda: duel(
        {"policy": "greedy", "level": 1, "experience": 99, "attack": 200},
        {"policy": "random", "level": 30},
        experience=True,
    ),
    "levels far apart": lambda: duel(
        {"policy": "greedy", "level": 3, "attack": 200}, {"policy": "random", "level": 14}, experience=True
    ),
    "levels far apart, the higher one wins": lambda: duel(
        {"policy": "random", "level": 3}, {"policy": "greedy", "level": 14, "attack": 200}, experience=True
    ),
    "a draw teaches both": lambda: duel(
        {"policy": chosen("rest"), "level": 4}, {"policy": chosen("rest"), "level": 7}, round_cap=1, experience=True
    ),
    "a forfeit teaches both": lambda: duel(
        {"policy": chosen(*["missed"] * 3), "level": 4}, {"policy": "random", "level": 7}, experience=True
    ),
    "stats lowered further than they can be": lambda: duel(
        {"policy": chosen("sap", "leech", "attack", "attack"), "abilities": ["sap", "leech"], "hp": 4000},
        {"policy": [{"when": "self.attack >= 10", "do": "attack"}, {"do": "rest"}], "attack": 100},
    ),
    "hardly ever hits": lambda: duel(
        {"policy": "random", "evasion": 100}, {"policy": "random", "evasion": 200, "accuracy": 20}, misses=True
    ),
    "shields that add up": lambda: duel(
        {"policy": chosen(*["wall", "attack"] * 5), "abilities": ["wall"], "defense": 3, "speed": 9},
        {"policy": chosen(*["bite"] * 9), "abilities": ["bite"], "attack": 11},
    ),
    "charge that is lost is not scaled": lambda: duel(
        {"policy": chosen("rest", "rest", "spend", "rest", "spend"), "abilities": ["spend"]},
        {"policy": "random"},
        stamina_charges=True,
    ),
    "tables that tell cells apart": lambda: duel(
        {"policy": by_cell(40, 1, 4, 1)}, {"policy": by_cell(1, 5, 2, 10), "hp": 33}, rest_charge=25
    ),
    "greed that counts on its speed": lambda: duel(
        {"policy": "greedy", "speed": 9, "abilities": ["guard"]}, {"policy": "random", "attack": 10, "speed": 2}
    ),
    "greed against a strong defense": lambda: duel(
        {"policy": "greedy", "attack": 6, "abilities": ["bite"]}, {"policy": "greedy", "defense": 9, "speed": 5}
    ),
    "greed that heals by what it deals itself": lambda: duel(
        {"policy": "greedy", "abilities": ["sip"], "attack": 4, "defense": 4, "speed": 3, "hp": 200},
        {"policy": "random", "attack": 5, "defense": 2, "hp": 60},
    ),
    "greed that has numbed already": lambda: duel(
        {"policy": "greedy", "abilities": ["numb"], "attack": 4, "speed": 60}, {"policy": "random", "attack": 12}
    ),
    "greed that braces itself": lambda: duel(
        {"policy": "greedy", "abilities": ["brace"]}, {"policy": chosen("rest", "leech"), "abilities": ["leech"]}
    ),
    "greed that is weakened": lambda: duel(
        {"policy": "greedy", "abilities": ["rouse"], "defense": 9},
        {"policy": [{"when": "enemy.debuffed", "do": "rest"}, {"do": "numb"}], "abilities": ["numb"], "defense": 4},
    ),
    "what was chosen last": lambda: duel(
        {"policy": LAST_CHOICES, "abilities": ["frenzy"]}, {"policy": LAST_CHOICES, "abilities": ["frenzy"]}
    ),
    "greed that is sure of critical hits": lambda: duel(
        {"policy": [{"when": "round == 1", "do": "goad"}, {"do": "attack"}], "abilities": ["goad"]},
        {"policy": "greedy", "abilities": ["bolt"], "attack": 10, "critical": 50, "hp": 90},
        criticals=True,
    ),
    "sudden death from the first round on": lambda: duel(
        {"policy": "greedy", "abilities": ["vital_surge", "drain"]},
        {"policy": "random", "abilities": ["fortify", "drain"]},
        sudden_death=1,
    ),
}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_plays_alike(path: Path) -> None:
    assert_equal(fracas.load(path), 5_000_000_000)


@pytest.mark.parametrize("first", range(0, RANDOM, 10))
def test_random_duels_play_alike(first: int) -> None:
    for number in range(first, first + 10):
        random_duel(number)


@cache
def crafted_duels(name: str) -> list[titans.Result]:
    """A crafted duel under several streams, which both play alike."""
    scenario = CRAFTED[name]()
    return [assert_equal(scenario, stream) for stream in range(5)]


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_duels_play_alike(name: str) -> None:
    crafted_duels(name)


def test_everything_that_can_be_logged_occurs() -> None:
    duels = [random_duel(number) for number in range(RANDOM)]
    duels += [duel for name in CRAFTED for duel in crafted_duels(name)]
    rows = [row for duel in duels for row in duel.rows]
    assert {row[1] for row in rows} == set(KIND.values())
    for kind, (column, wanted) in CODED.items():
        assert {row[column] for row in rows if row[1] == KIND[kind]} == set(wanted), kind


@pytest.mark.parametrize(
    ("where", "number"),
    [("options.rest_charge", 59), ("players.0.titan.attack", 10), ("abilities.fortify.cost", 21)],
)
def test_a_rule_changed_in_one_of_them_is_noticed(where: str, number: int) -> None:
    """The negative control: one number changed on one side only must show."""
    [standard] = [path for path in EXAMPLES if path.stem == "standard"]
    scenario = fracas.load(standard)
    changed = fracas.load(scenario.document, overrides={where: number})
    seen = []
    for stream in range(20):
        battle = fracas.run(scenario, stream=stream)
        assert battle.rows is not None
        seen.append(difference(battle.rows.tolist(), titans.play(changed.document, stream).rows, KIND) is not None)
    assert any(seen)
