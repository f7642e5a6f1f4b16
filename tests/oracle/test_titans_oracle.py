"""The engine against a second implementation of titans that was written from the rule book alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.oracle import titans
from tests.oracle.titans import KIND

import fracas
from fracas.rulesets import registry

EXAMPLES = sorted(Path(__file__).parents[2].joinpath("examples", "titans").glob("*.toml"))
RANDOM = 80

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


def difference(actual: list[list[int]], expected: list[list[int]]) -> str | None:
    """The first row that differs, with its place and both versions; nothing if all are equal."""
    names = {number: name for name, number in KIND.items()}
    for place, (got, wanted) in enumerate(zip(actual, expected, strict=False)):
        if got != wanted:
            return f"row {place} ({names[wanted[1]]}): the engine has {got}, the oracle {wanted}"
    return None if len(actual) == len(expected) else f"{len(actual)} rows, not {len(expected)}"


def assert_equal(scenario: fracas.Scenario, stream: int) -> titans.Result:
    battle = fracas.run(scenario, stream=stream)
    expected = titans.play(scenario.document, stream)
    assert battle.rows is not None
    assert difference(battle.rows.tolist(), expected.rows) is None
    assert (battle.winner, battle.rounds) == (expected.winner, expected.rounds)
    assert scenario.ruleset.reasons[expected.reason] == battle.reason
    return expected


@cache
def random_duel(number: int) -> fracas.Scenario:
    return fracas.load(registry.get("titans").random_scenario(number))


HUSH = {"id": "hush", "name": "Hush", "cost": 0, "effects": [{"type": "set_charge", "amount": 0, "on": "opponent"}]}


def duel(first: dict[str, Any], second: dict[str, Any], **options: object) -> fracas.Scenario:
    """Two plain titans with what is said of them."""
    plain = {"hp": 40, "attack": 8, "defense": 5, "speed": 6, "stamina": 7, "abilities": ["quick_charge"]}
    players = []
    for name, own in (("One", first), ("Two", second)):
        titan = {**plain, "name": name, **{key: value for key, value in own.items() if key != "policy"}}
        players.append({"name": name, "titan": titan, "policy": own["policy"]})
    document = {"ruleset": "titans", "abilities": {"hush": HUSH}, "players": players, "options": options}
    return fracas.load(document)


def chosen(*choices: str) -> dict[str, Any]:
    return {"choices": list(choices)}


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
        assert_equal(random_duel(number), number % 3)


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_duels_play_alike(name: str) -> None:
    scenario = CRAFTED[name]()
    for stream in range(5):
        assert_equal(scenario, stream)


def test_everything_that_can_be_logged_occurs() -> None:
    duels = [(random_duel(number), number % 3) for number in range(RANDOM)]
    duels += [(crafted(), stream) for crafted in CRAFTED.values() for stream in range(5)]
    rows = [row for scenario, stream in duels for row in titans.play(scenario.document, stream).rows]
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
        seen.append(difference(battle.rows.tolist(), titans.play(changed.document, stream).rows) is not None)
    assert any(seen)
