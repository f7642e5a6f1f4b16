"""The engine against a second implementation that was written from the rule book alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.helpers.soak import times
from tests.modes.test_plain_equals_compiled import each_with_a_stream
from tests.oracle import squads

import fracas
from fracas.rulesets import registry

EXAMPLES = sorted(Path(__file__).parents[2].joinpath("examples", "squads").glob("*.toml"))


def assert_equal(scenario: fracas.Scenario, stream: int) -> None:
    battle = fracas.run(scenario, stream=stream)
    expected = squads.play(scenario.document, stream)
    assert battle.rows is not None
    assert battle.rows.tolist() == expected.rows
    assert (battle.winner, battle.rounds) == (expected.winner, expected.rounds)
    assert scenario.ruleset.reasons[expected.reason] == battle.reason


@pytest.mark.parametrize(
    ("path", "stream"), each_with_a_stream(EXAMPLES), ids=lambda value: getattr(value, "stem", None)
)
def test_every_example_plays_alike(path: Path, stream: int) -> None:
    assert_equal(fracas.load(path), stream)


@pytest.mark.parametrize("number", range(times(60)))
def test_random_scenarios_play_alike(number: int) -> None:
    assert_equal(fracas.load(registry.get("squads").random_scenario(number)), number % 3)


@pytest.mark.parametrize("profile", ["classic", "tuned", "legacy"])
def test_every_profile_plays_alike(profile: str) -> None:
    scenario = fracas.load(EXAMPLES[0].parent / "standard-5v5.toml", profile=profile)
    for stream in range(5):
        assert_equal(scenario, stream)


@pytest.mark.parametrize(
    ("where", "number"),
    [("options.charge_hit", 11), ("sides.0.units.0.speed", 11), ("options.chain.stages.2.chance", 11)],
)
def test_a_rule_changed_in_one_of_them_is_noticed(where: str, number: int) -> None:
    """The negative control: one number changed on one side only must show."""
    scenario = fracas.load(EXAMPLES[0].parent / "standard-5v5.toml")
    changed = fracas.load(scenario.document, overrides={where: number})
    battle = fracas.run(scenario)
    assert battle.rows is not None
    assert battle.rows.tolist() != squads.play(changed.document, 0).rows
