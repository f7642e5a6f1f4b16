"""Delve plain and compiled: the same rows, results and states, for fights and runs, however they are split up."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.records import differences
from tests.helpers.rules import Rule, bend
from tests.helpers.soak import times
from tests.modes.test_plain_equals_compiled import each_with_a_stream, play, player_of, unequal
from tests.oracle import delve_scenarios

import fracas
from fracas.engine.player import Player
from fracas.kernel import jit
from fracas.rulesets import registry
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Rows
from fracas.rulesets.delve.rules.constants import LOG_ROWS

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "delve").glob("*.toml"))
RANDOM = times(24)
WILD = times(36)
PORTION = 12

Entry = Callable[..., None]


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return registry.get("delve")


@pytest.fixture(scope="module")
def compiled_entry(ruleset: Ruleset) -> Entry:
    return jit.native(ruleset.kernels.play_many)


def in_both(scenario: fracas.Scenario, entry: Entry, stream: int) -> Sequence[str]:
    """In what the two ways to play one battle differ."""
    return unequal(play(scenario.ruleset.kernels.play_many, scenario, stream), play(entry, scenario, stream))


@pytest.mark.parametrize("first", range(0, RANDOM, PORTION))
def test_random_scenarios_come_out_the_same(first: int, ruleset: Ruleset, compiled_entry: Entry) -> None:
    for number in range(first, first + PORTION):
        scenario = fracas.load(ruleset.random_scenario(number))
        assert not in_both(scenario, compiled_entry, number * 1_000_003), f"random scenario {number}"


@pytest.mark.parametrize("first", range(0, WILD, PORTION))
def test_wild_scenarios_come_out_the_same(first: int, compiled_entry: Entry) -> None:
    """Those in which everything happens that hardly ever does."""
    for number in range(first, first + PORTION):
        scenario = fracas.load(delve_scenarios.scenario(number))
        assert not in_both(scenario, compiled_entry, number % 3), f"wild scenario {number}"


@pytest.mark.parametrize(
    ("path", "stream"), each_with_a_stream(EXAMPLES), ids=lambda value: getattr(value, "stem", None)
)
def test_the_examples_come_out_the_same(path: Path, stream: int, compiled_entry: Entry) -> None:
    assert not in_both(fracas.load(path), compiled_entry, stream)


def test_a_log_changes_nothing(ruleset: Ruleset, compiled_entry: Entry) -> None:
    """But for the facts that a condition was read from last: who has to say why a slot is passed over asks more."""
    for number in range(RANDOM, RANDOM + 10):
        scenario = fracas.load(ruleset.random_scenario(number))
        logged = play(compiled_entry, scenario)
        for entry in (compiled_entry, ruleset.kernels.play_many):
            silent = play(entry, scenario, logged=False)
            found = unequal((logged[0], None, logged[2]), silent)
            assert not [each for each in found if not each.startswith("state.facts")], f"random scenario {number}"


def test_a_difference_between_the_modes_is_found(compiled_entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    """A negative control: the plain rules are bent, and the comparison must see it."""
    scenario = fracas.load(EXAMPLES[-1])
    assert not in_both(scenario, compiled_entry, 0)

    def stronger(kept: Rule) -> Rule:
        return lambda attacker, value: kept(attacker, value) + 1

    bend(monkeypatch, "changed_by_conditions", stronger, "delve")
    found = in_both(scenario, compiled_entry, 0)
    assert "rows" in found
    assert any(difference.startswith(("state.", "result.")) for difference in found)


# Batches: a battle is its number, whoever plays it and whatever was played before.

BATCH = 240


@pytest.fixture(scope="module", params=["standard-4v4", "standard-run"])
def batch_scenario(request: pytest.FixtureRequest) -> fracas.Scenario:
    return fracas.load(EXAMPLES[0].with_name(f"{request.param}.toml"), seed="batch")


@pytest.fixture(scope="module")
def batch(batch_scenario: fracas.Scenario, compiled_entry: Entry) -> Rows:
    return player_of(batch_scenario, compiled_entry).play(0, BATCH)


def test_the_batch_is_worth_looking_at(batch: Rows) -> None:
    assert len(np.unique(batch["rounds"])) > 5
    assert set(np.unique(batch["winner"])) >= {1, 2}
    assert len(np.unique(batch["hp_left"], axis=0)) > BATCH // 3


@pytest.mark.parametrize("number", [0, 1, 17, 239])
def test_a_battle_of_a_batch_equals_that_battle_alone(
    number: int, batch: Rows, batch_scenario: fracas.Scenario, compiled_entry: Entry, ruleset: Ruleset
) -> None:
    for entry in (compiled_entry, ruleset.kernels.play_many):
        assert not list(differences(play(entry, batch_scenario, number)[0], batch[number]))


@pytest.mark.parametrize("cuts", [(1,), (120,), (7, 8, 9, 200), tuple(range(1, BATCH, 37))])
def test_a_batch_may_be_split_into_any_ranges(
    cuts: tuple[int, ...], batch: Rows, batch_scenario: fracas.Scenario, compiled_entry: Entry
) -> None:
    ranges = list(itertools.pairwise((0, *cuts, BATCH)))
    for order in (ranges, ranges[::-1]):
        one = player_of(batch_scenario, compiled_entry)
        parts = {first: one.play(first, last - first) for first, last in order}
        assert np.array_equal(np.concatenate([parts[first] for first, _ in ranges]), batch)


def test_another_batch_is_another_one(batch: Rows, batch_scenario: fracas.Scenario, compiled_entry: Entry) -> None:
    """A negative control."""
    assert not np.array_equal(player_of(batch_scenario, compiled_entry).play(1, BATCH), batch)


# The log.


def longest_run() -> dict[str, Any]:
    """Forty fights of sixteen who cannot hurt each other, and no end before the last round."""
    strike = {"id": "poke", "name": "Poke", "reach": "all_enemies", "attack": "might", "defense": "speed"}
    skills = {"poke": {**strike, "damage": {"min": 0, "max": 0}, "conditions": [{"condition": "slowed", "rounds": 9}]}}
    attributes = dict.fromkeys(("might", "logic", "speed", "presence", "fortitude", "luck"), 30)
    body = {"level": 1, "hp": 10**6, "attributes": attributes, "queue": ["poke"]}
    enemies = [{"id": "wall", "name": "Wall", **body} for _ in range(8)]
    quest = {"id": "wars", "name": "Wars", "loot_table_id": "bag"}
    row = {"template": "stone", "weight": 1, "rarity_weights": {"common": 1}}
    return {
        "ruleset": "delve",
        "party": [{"id": "rock", "name": "Rock", **body} for _ in range(8)],
        "quest": {**quest, "encounters": [{"type": "combat", "enemies": enemies}] * 40},
        "skills": skills,
        "items": {"stone": {"id": "stone", "name": "Stone", "slot": "ring"}},
        "loot_tables": {"bag": {"id": "bag", "rows": [row]}},
    }


def test_a_run_beyond_all_measure_overflows_the_log_and_says_so(ruleset: Ruleset, compiled_entry: Entry) -> None:
    scenario = fracas.load(longest_run())
    result, rows, _ = play(compiled_entry, scenario)
    assert result.fault != 0
    assert len(rows) == LOG_ROWS
    loud = Player(
        ruleset.kernels, compiled_entry, scenario.compiled.record.copy(), np.zeros(1, ruleset.kernels.log_type), None
    )
    with pytest.raises(fracas.InputError, match="more than the 524,288 events"):
        loud.play(0, 1)
    quiet = player_of(scenario, compiled_entry).play(0, 1)
    assert (int(quiet[0]["fault"]), int(quiet[0]["rounds"])) == (0, 40 * 50)


def test_a_long_run_of_eight_against_eight_fits_into_the_log(compiled_entry: Entry) -> None:
    """Forty such fights of a dozen rounds each, with an attack on one enemy for each participant."""
    document = longest_run()
    document["skills"]["poke"]["reach"] = "one_enemy"
    scenario = fracas.load(document, overrides={"options.round_cap": 12})
    result, rows, _ = play(compiled_entry, scenario)
    assert (int(result.fault), int(result.rounds)) == (0, 480)
    assert len(rows) < LOG_ROWS // 4
