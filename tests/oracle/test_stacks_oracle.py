"""The engine against a second implementation of stacks that was written from the rule book alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.soak import times
from tests.helpers.stacks_fights import Fight
from tests.oracle import stacks, stacks_own_moves, stacks_scenarios
from tests.oracle.agreement import difference
from tests.oracle.stacks_moves import KIND, shipped

import fracas
from fracas.engine.campaign import load_campaign, run_campaign
from fracas.plugins import loader as loading
from fracas.rulesets import registry
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Source
from fracas.rulesets.stacks.analysis.scenario_generator import random_campaign
from fracas.rulesets.stacks.campaign.commit import commit, replayed, tuples_of, world_fingerprint, world_of
from fracas.rulesets.stacks.content.move_types import MOVE_TYPE

EXAMPLES = Path(__file__).parents[2] / "examples" / "stacks"
RANDOM, CAMPAIGNS = times(12), 4
RULESET = registry.get("stacks")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")


def assert_equal(document: Any, stream: int = 0, plugins: Mapping[str, Plugin] | None = None) -> stacks.Result:
    """Rows, tuples, the state that the tuples lead to, and the world after the commit are those of the oracle."""
    own = stacks_own_moves.OWN if plugins else []
    expected = stacks.play(document, stream, own)
    fight = Fight(document, plugins)
    played = fight.play(stream)
    assert fight.log.fault == 0
    rows = fight.log.rows[: fight.log.count].tolist()
    assert difference(rows, expected.rows, KIND) is None
    assert (played.winner, played.rounds) == (expected.winner, expected.rounds)
    assert RULESET.reasons[played.reason] == expected.reason
    books = fight.compiled.books
    tuples = tuples_of(rows, books)
    assert [tuple(made) for made in tuples] == [
        (made.actor, made.target, made.move, made.effect) for made in expected.tuples
    ]
    left = replayed(fight.compiled, tuples).participants
    for number, one in expected.participants.items():
        assert (left[number].health, left[number].attack, left[number].defence, left[number].damage) == (
            one.health,
            *one.scores,
        )
        used = {books["move"][code]: int(times) for code, times in enumerate(left[number].used) if times}
        assert used == dict(one.used)
    assert commit(document, fight.compiled, tuples, world_of(document)).world == expected.world
    assert world_fingerprint(document) == stacks.fingerprint(document)
    return expected


def document_of(scenario: Any, profile: str | None = None, plugins: Mapping[str, Plugin] | None = None) -> Any:
    """A scenario with nothing left to look up."""
    if plugins is None:
        return fracas.load(scenario, profile=profile).document
    return RULESET.resolve(scenario, Source("scenario"), (), plugins).document


@pytest.fixture
def own_plugins(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Plugin]:
    """The move types of `stacks_plugin.py`, which are not proved here."""
    monkeypatch.setattr(loading, "kinds", lambda: {MOVE_TYPE.mark: MOVE_TYPE})
    file = Path(__file__).with_name("stacks_plugin.py")
    return {plugin.name: plugin for _, plugin in loading.plugins_of(file)}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_example_plays_alike(path: Path) -> None:
    assert_equal(document_of(path), 5_000_000_000)


@pytest.mark.parametrize("name", ["healer-behind-the-line", "oath-at-the-well", "one-mammoth"])
def test_an_example_plays_alike_in_the_other_profile(name: str) -> None:
    assert_equal(document_of(EXAMPLES / f"{name}.toml", "original"), 7)


@pytest.mark.parametrize("name", stacks_scenarios.CRAFTED)
def test_crafted_scenarios_play_alike(name: str) -> None:
    assert_equal(document_of(stacks_scenarios.CRAFTED[name]()), 1)


@pytest.mark.parametrize("name", stacks_scenarios.OWN)
def test_plug_ins_play_alike(name: str, own_plugins: Mapping[str, Plugin]) -> None:
    document = document_of(stacks_scenarios.OWN[name](), plugins=own_plugins)
    for stream in range(2):
        assert_equal(document, stream, own_plugins)


def test_two_hundred_turns_are_a_draw() -> None:
    result = assert_equal(document_of(stacks_scenarios.for_ever()))
    assert (result.reason, result.rounds) == ("turn_cap", 200)


@cache
def usual(make: Callable[[], Any]) -> str:
    """What comes of a scenario with the options of its profile."""
    return outcome_of(document_of(make()))


def outcome_of(document: Any) -> str:
    """All that comes of a battle, with who plays a role in it and what the world keeps."""
    result = assert_equal(document)
    return str((result.rows, result.world))


@pytest.mark.parametrize("option", stacks_scenarios.VALUES)
def test_every_option_plays_alike_and_makes_a_difference(option: str) -> None:
    make = stacks_scenarios.ELSEWHERE.get(option, stacks_scenarios.wavering)
    values = stacks_scenarios.VALUES[option]
    told = {usual(make), *(outcome_of(document_of(make(**{option: value}))) for value in values)}
    assert len(told) == 1 + len(values)


def assert_campaign(source: Any, stream: int) -> list[list[int]]:
    """Fight a campaign twice; the rows that came."""
    plan = load_campaign(source)
    fought = run_campaign(plan, stream)
    rows, world = stacks.fight(plan.document, stream)
    assert difference(fought.rows.tolist(), rows, KIND) is None
    assert fought.world == world
    return rows


def test_the_shipped_campaign_plays_alike() -> None:
    assert_campaign(EXAMPLES / "campaigns" / "river-war.toml", 3)


@pytest.mark.parametrize("first", range(0, CAMPAIGNS, 4))
def test_random_campaigns_play_alike(first: int) -> None:
    for number in range(first, first + 4):
        assert_campaign(random_campaign(number), number % 3)


def test_a_campaign_plays_alike_whatever_becomes_impossible() -> None:
    rows = assert_campaign(stacks_scenarios.conquest(), 0)
    assert [row[5] for row in rows if row[1] == KIND["skipped"]] == [
        stacks.NO_NEIGHBOUR,
        stacks.NOBODY,
        stacks.GONE,
        stacks.ALLY,
    ]
    assert {row[6] for row in rows if row[1] == KIND["commit"]} == {0, 1}


@pytest.mark.parametrize("first", range(0, RANDOM, 6))
def test_random_scenarios_play_alike(first: int) -> None:
    for number in range(first, first + 6):
        assert_equal(document_of(RULESET.random_scenario(number)), number % 3)


def test_everything_that_can_be_logged_occurs(own_plugins: Mapping[str, Plugin]) -> None:
    """The scenarios above are enough: they write every kind of row, role and reason."""
    made = [*stacks_scenarios.CRAFTED.values(), *stacks_scenarios.OWN.values(), stacks_scenarios.for_ever]
    documents = [document_of(make(), plugins=own_plugins) for make in made]
    results = [stacks.play(document, 1, stacks_own_moves.OWN) for document in documents]
    rows = [row for result in results for row in result.rows]
    made_moves = {made.move for result in results for made in result.tuples}
    assert {move.name for move in shipped()} <= made_moves
    assert {row[1] for row in rows} == set(KIND.values()) - {KIND["commit"], KIND["skipped"]}
    assert {row[6] for row in rows if row[1] == KIND["stack"]} == set(range(4))
    assert {result.reason for result in results} == set(stacks.REASONS[1:])
    assert {move.name for move in stacks_own_moves.OWN} - made_moves == {"daze"}


@pytest.mark.parametrize(
    ("where", "number"), [("options.heal_limit", 1), ("stacks.1.units.0.attack", 7), ("attack.number", 1)]
)
def test_a_rule_changed_in_one_of_them_is_noticed(where: str, number: int) -> None:
    """The negative control: one number changed on one side only must show."""
    scenario = fracas.load(stacks_scenarios.wavering())
    changed = fracas.load(scenario.document, overrides={where: number})
    battle = fracas.run(scenario)
    assert battle.rows is not None
    assert difference(battle.rows.tolist(), stacks.play(changed.document).rows, KIND) is not None
