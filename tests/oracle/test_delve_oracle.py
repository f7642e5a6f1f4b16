"""The engine against a second implementation of delve that was written from the rule book alone."""

from __future__ import annotations

import itertools
import tomllib
from functools import cache
from pathlib import Path

import pytest
from tests.helpers.soak import some, times
from tests.oracle import agreement, delve, delve_scenarios
from tests.oracle.agreement import difference
from tests.oracle.delve_fight import KIND

import fracas
from fracas.rulesets import registry

ROOT = Path(__file__).parents[2]
CONTENT = ROOT / "src" / "fracas" / "data" / "delve"
EXAMPLES = sorted(ROOT.joinpath("examples", "delve").glob("*.toml"))
WILD = times(60)

# Columns that hold a code, by the kind of row: what they may be, and where in the row they stand.
CODED = {
    "encounter": (5, range(6)),
    "passed_over": (6, (1, 2, 3, 4)),
    "target": (4, range(5)),
    "attack": (7, range(4)),
    "condition": (7, range(4)),
    "condition_tick": (4, range(11)),
    "expire": (5, range(2)),
    "rout": (4, (1, 2)),
    "check": (4, range(1, 13)),
    "consequence": (4, range(2)),
    "encounter_end": (5, range(1, 5)),
    "reward": (7, range(2)),
    "loot_roll": (6, range(2)),
    "item": (7, range(3)),
    "outcome": (5, range(1, 6)),
}


def assert_equal(scenario: fracas.Scenario, stream: int) -> delve.Result:
    """The battle is that of the oracle, which is returned."""
    return agreement.assert_equal(scenario, stream, delve.play, KIND)


def shipped(kind: str) -> list[str]:
    """The ids of all content of a kind that comes with the package."""
    files = [tomllib.loads(path.read_text()) for path in sorted(CONTENT.glob("*.toml"))]
    return [entry["id"] for file in files for entry in file.get(kind, [])]


@cache
def wild(number: int) -> delve.Result:
    """A wild scenario, which both play alike."""
    return assert_equal(fracas.load(delve_scenarios.scenario(number)), number % 3)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_plays_alike(path: Path) -> None:
    assert_equal(fracas.load(path), 5_000_000_000)


@pytest.mark.parametrize("number", range(12))
def test_random_scenarios_play_alike(number: int) -> None:
    assert_equal(fracas.load(registry.get("delve").random_scenario(number)), number % 3)


ON_QUESTS = list(itertools.product(shipped("quests"), shipped("difficulties")))


# Every quest and every difficulty; in a soak each with each.
@pytest.mark.parametrize(("quest", "difficulty"), some(ON_QUESTS, 13))
def test_every_quest_plays_alike(quest: str, difficulty: str) -> None:
    parties = shipped("parties")
    stream = shipped("quests").index(quest) + shipped("difficulties").index(difficulty)
    party = parties[stream % len(parties)]
    assert_equal(fracas.load({"ruleset": "delve", "quest": quest, "party": party, "difficulty": difficulty}), stream)


@pytest.mark.parametrize("first", range(0, WILD, 10))
def test_wild_scenarios_play_alike(first: int) -> None:
    for number in range(first, first + 10):
        wild(number)


def test_everything_that_can_be_logged_occurs_in_the_wild() -> None:
    rows = [row for number in range(WILD) for row in wild(number).rows]
    assert {row[1] for row in rows} == set(KIND.values())
    for kind, (column, wanted) in CODED.items():
        assert {row[column] for row in rows if row[1] == KIND[kind]} == set(wanted), kind


@pytest.mark.parametrize("name", delve_scenarios.CRAFTED)
def test_crafted_scenarios_play_alike(name: str) -> None:
    scenario = fracas.load(delve_scenarios.CRAFTED[name]())
    for stream in range(5):
        assert_equal(scenario, stream)


def test_a_poison_alone_keeps_a_fight_going() -> None:
    scenario = fracas.load(delve_scenarios.poison_after_the_fighting())
    assert {assert_equal(scenario, stream).rounds for stream in range(10)} >= {12}


def test_items_find_no_bonus_where_none_is_likely() -> None:
    document = fracas.load(delve_scenarios.meager_survival()).document
    scenario = fracas.load(document, overrides={f"bonuses.{name}.weight": 0 for name in document["bonuses"]})
    rows = assert_equal(scenario, 0).rows
    assert {row[6] for row in rows if row[1] == KIND["item"]} == {0}


def test_experience_stays_within_its_bound() -> None:
    rows = assert_equal(fracas.load(delve_scenarios.riches()), 0).rows
    assert rows[-2][1] == KIND["spoils"]
    assert rows[-2][4] == 10**9


@pytest.mark.parametrize(
    ("where", "number"),
    [("options.armor_share", 99), ("party.0.attributes.speed", 99), ("difficulty.creature_damage", 99)],
)
def test_a_rule_changed_in_one_of_them_is_noticed(where: str, number: int) -> None:
    """The negative control: one number changed on one side only must show."""
    scenario = fracas.load(ROOT / "examples" / "delve" / "standard-run.toml")
    changed = fracas.load(scenario.document, overrides={where: number})
    battle = fracas.run(scenario)
    assert battle.rows is not None
    assert difference(battle.rows.tolist(), delve.play(changed.document, 0).rows, KIND) is not None
