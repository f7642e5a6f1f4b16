"""The engine against a second implementation of relics that was written from the rule book alone."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.soak import times
from tests.oracle import agreement, relics, relics_crafted, relics_scenarios
from tests.oracle.agreement import difference
from tests.oracle.relics_changes import KIND

import fracas
from fracas.rulesets import registry

ROOT = Path(__file__).parents[2]
CONTENT = ROOT / "src" / "fracas" / "data" / "relics"
EXAMPLES = sorted(ROOT.joinpath("examples", "relics").rglob("*.toml"))
RANDOM, WILD = times(24), times(70)

# Columns that hold a code, by the kind of row: what they may be, and where in the row they stand.
CODED = {
    "piece_worn": (5, range(7)),
    "step": (4, range(2)),
    "first": (4, range(3)),
    "trigger": (4, range(32)),
    "roll": (4, range(5)),
    "strike": (7, range(2)),
    "skip": (4, range(2)),
    "modified": (4, range(2, 10)),
    "change": (4, range(16)),
    "mark": (4, range(2)),
    "extra_strikes": (4, range(3)),
    "phase_begins": (4, (2, 3, 4)),
    "cut": (4, range(4)),
    "outcome": (5, (1, 2, 3, 4)),
}


def assert_equal(scenario: fracas.Scenario, stream: int) -> relics.Result:
    """The battle is that of the oracle, which is returned."""
    return agreement.assert_equal(scenario, stream, relics.play, KIND)


def shipped(kind: str) -> list[dict[str, Any]]:
    """All content of a kind that comes with the package."""
    files = [tomllib.loads(path.read_text()) for path in sorted(CONTENT.glob("*.toml"))]
    return [entry for file in files for entry in file.get(kind, [])]


@cache
def wild(number: int) -> relics.Result:
    """A wild scenario, which both play alike."""
    return assert_equal(fracas.load(relics_scenarios.scenario(number)), number % 3)


@cache
def crafted(name: str) -> relics.Result:
    """A scenario made for a corner, which both play alike."""
    return assert_equal(fracas.load(relics_crafted.CRAFTED[name]()), 1)


@cache
def rows_of_the_wild() -> list[list[int]]:
    """All that happens in the wild and in what was made for the corners."""
    played = [*(wild(number) for number in range(WILD)), *(crafted(name) for name in relics_crafted.CRAFTED)]
    return [row for result in played for row in result.rows]


@pytest.mark.parametrize("path", [path for path in EXAMPLES if "left" in tomllib.loads(path.read_text())], ids=str)
def test_every_example_plays_alike(path: Path) -> None:
    assert_equal(fracas.load(path), 5_000_000_000)


@pytest.mark.parametrize("first", range(0, RANDOM, 12))
def test_random_scenarios_play_alike(first: int) -> None:
    for number in range(first, first + 12):
        assert_equal(fracas.load(registry.get("relics").random_scenario(number)), number % 3)


def match_ups() -> Iterator[dict[str, Any]]:
    """Every enemy at every level and every boss, each against the one before."""
    fighters = [
        {"enemy": enemy["id"], "level": level}
        for enemy in shipped("enemies")
        for level in range(1, len(enemy["levels"]) + 1)
    ]
    fighters += [{"boss": boss["id"]} for boss in shipped("bosses")]
    for left, right in zip(fighters, fighters[-1:] + fighters, strict=False):
        yield {"ruleset": "relics", "id": "match", "left": left, "right": right}


@pytest.mark.parametrize("profile", ["canvas", "game"])
def test_every_enemy_and_boss_plays_alike(profile: str) -> None:
    for document in list(match_ups())[profile == "game" :: 2]:
        assert_equal(fracas.load(document | {"profile": profile}), 0)


@pytest.mark.parametrize("first", range(0, WILD, 10))
def test_wild_scenarios_play_alike(first: int) -> None:
    for number in range(first, first + 10):
        wild(number)


@pytest.mark.parametrize("name", relics_crafted.CRAFTED)
def test_crafted_scenarios_play_alike(name: str) -> None:
    crafted(name)


def test_everything_that_can_be_logged_occurs_in_the_wild() -> None:
    rows = rows_of_the_wild()
    assert {row[1] for row in rows} == set(KIND.values())
    for kind, (column, wanted) in CODED.items():
        assert {row[column] for row in rows if row[1] == KIND[kind]} == set(wanted), kind


def test_effects_answer_each_other_down_to_the_depth_that_is_allowed() -> None:
    assert max(row[7] for row in rows_of_the_wild() if row[1] == KIND["trigger"]) == 32


@pytest.mark.parametrize(
    ("where", "number"),
    [("options.fatigue_start", 0), ("options.turn_cap", 2), ("left.stats.armor", 99), ("right.stats.speed", 99)],
)
def test_a_rule_changed_in_one_of_them_is_noticed(where: str, number: int) -> None:
    """The negative control: one number changed on one side only must show."""
    scenario = fracas.load({"ruleset": "relics", "id": "control", "left": {}, "right": {"stats": {"armor": 1}}})
    changed = fracas.load(scenario.document, overrides={where: number})
    battle = fracas.run(scenario)
    assert battle.rows is not None
    assert difference(battle.rows.tolist(), relics.play(changed.document, 0).rows, KIND) is not None
