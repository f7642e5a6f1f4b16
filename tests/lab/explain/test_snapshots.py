"""Going on from the middle of a battle ends as the battle did; what can be chosen there is what the rules allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.helpers.guards import ROOT

import fracas
from fracas.engine.scenario import Scenario
from fracas.kernel import jit
from fracas.kernel.snapshots import as_words, mutable_spans
from fracas.plugins.compile import plain_plugins
from fracas.rulesets.contract.analysis import Decision, DecisionPoint
from fracas.rulesets.delve.rules import participants as delve_field
from fracas.rulesets.squads.rules import entry_points as squads_loop
from fracas.rulesets.squads.rules.units import ability_of, order_of, unit_at
from fracas.rulesets.stacks.rules import participants
from fracas.rulesets.stacks.rules.moves.dispatch import is_viable
from fracas.rulesets.titans.rules.titan_stats import is_legal, titan_at

EXAMPLES = ROOT / "examples"
# With taunts, stuns, random targets, plug-in-free chains, healing, ambushes, runs, submitted choices, experience.
PLAYED = (
    "squads/taunt.toml",
    "squads/stun.toml",
    "squads/shields.toml",
    "squads/border-clash.toml",
    "titans/standard.toml",
    "titans/forfeit.toml",
    "titans/generated.toml",
    "stacks/oath-at-the-well.toml",
    "delve/standard-4v4.toml",
    "delve/target-selectors.toml",
    "delve/decision-and-ambush.toml",
    "relics/first-duel.toml",
    "relics/standard.toml",
)
# Of a long battle so many moments are tried in plain Python, evenly.
MOST_MOMENTS = 30


def loaded(name: str) -> Scenario:
    return fracas.load(EXAMPLES / name)


def result_of(scenario: Scenario, stream: int) -> Any:
    """A battle's own result; sees besides that what is said to be given was not changed."""
    kernels, records = scenario.ruleset.kernels, scenario.compiled.record.copy()
    results = np.zeros(1, kernels.result_type)
    kernels.play_many(records, stream, results, None, plain_plugins(kernels, scenario.compiled.plugins))
    for name in kernels.constant_fields:
        assert records[name].tobytes() == scenario.compiled.record[name].tobytes(), name
    return results[0]


class Onward:
    """Goes on from moments with a scenario's own dice."""

    def __init__(self, scenario: Scenario, *, native: bool = False) -> None:
        self.kernels = scenario.ruleset.kernels
        assert self.kernels.resume_many is not None
        self.play_on = jit.native(self.kernels.resume_many) if native else self.kernels.resume_many
        # Whatever is not put back must not matter.
        self.records = scenario.compiled.record.copy()
        self.spans = mutable_spans(self.records.dtype, self.kernels.constant_fields)
        self.plugins = plain_plugins(self.kernels, scenario.compiled.plugins)

    def __call__(self, moment: DecisionPoint, place: tuple[int, ...], stream: int) -> Any:
        results = np.zeros(1, self.kernels.result_type)
        memory, where = as_words(self.records), np.array(place, np.int64)
        self.play_on(self.records, memory, moment.snapshot, self.spans, stream, results, where, self.plugins)
        return results[0]


def places_of(moment: DecisionPoint) -> Iterator[tuple[int, ...]]:
    """As it went; and with what was chosen, given."""
    yield moment.resume_at
    if moment.decision is not None:
        yield moment.decision.choices[moment.decision.chosen].resume_at


def differences(scenario: Scenario, stream: int, onward: Onward, most: int = MOST_MOMENTS) -> list[str]:
    """Where going on with the battle's own dice does not end as the battle did."""
    wanted = result_of(scenario, stream)
    moments = scenario.ruleset.analysis.decision_points(scenario.compiled, scenario.document, stream)
    names = [name for name in wanted.dtype.names if name != "blocks_drawn"]
    return [
        f"{moment.tick} {place} {name}"
        for moment in moments[:: -(-len(moments) // most)]
        for place in places_of(moment)
        for result in [onward(moment, place, stream)]
        for name in names
        if np.any(result[name] != wanted[name])
    ]


@pytest.mark.parametrize("name", PLAYED)
def test_going_on_ends_as_the_battle_did(name):
    scenario = loaded(name)
    assert differences(scenario, 1, Onward(scenario)) == []


@pytest.mark.parametrize("name", ["squads/standard-5v5.toml", "stacks/first-attack.toml"])
def test_compiled_going_on_ends_as_the_battle_did(name):
    if jit.jit_setting() == "never":
        pytest.skip("FRACAS_JIT=0: nothing may be compiled, so compiled rollouts are not tested")
    scenario = loaded(name)
    assert differences(scenario, 0, Onward(scenario, native=True), most=1000) == []


def test_a_rule_that_going_on_forgets_is_noticed(monkeypatch):
    """The negative control: a given choice after which cooldowns did not fall."""
    monkeypatch.setattr(squads_loop, "begin_turn", lambda battle, unit, log: not unit.stunned)
    scenario = loaded("squads/stun.toml")
    assert differences(scenario, 0, Onward(scenario))


def standing(scenario: Scenario, moment: DecisionPoint) -> Any:
    """The battle at a moment."""
    records = scenario.compiled.record.copy()
    spans = mutable_spans(records.dtype, scenario.ruleset.kernels.constant_fields)
    memory, place = as_words(records), 0
    for first, end in spans.tolist():
        memory[first:end] = moment.snapshot[place : place + end - first]
        place += end - first
    return records[0]


def decisions(name: str, stream: int = 0) -> Iterator[tuple[DecisionPoint, Decision, Any]]:
    """Every decision of a battle, with the battle as it stands then."""
    scenario = loaded(name)
    for moment in scenario.ruleset.analysis.decision_points(scenario.compiled, scenario.document, stream):
        if moment.decision is not None:
            yield moment, moment.decision, standing(scenario, moment)


@pytest.mark.parametrize("name", [name for name in PLAYED if not name.startswith("relics/")])
def test_decisions_have_choices_that_are_told_apart(name):
    found = list(decisions(name))
    assert found
    for _, decision, _ in found:
        assert decision.side in (1, 2)
        assert decision.unit.startswith(f"{decision.side} ")
        assert len(decision.choices) >= 2
        assert len({choice.resume_at for choice in decision.choices}) == len(decision.choices)
        assert 0 <= decision.chosen < len(decision.choices)


def test_builds_of_relics_decide_nothing():
    assert not list(decisions("relics/first-duel.toml"))


def test_squads_offers_what_is_ready_on_whom_taunts_allow():
    seen = set()
    for moment, decision, battle in decisions("squads/taunt.toml"):
        unit = unit_at(battle, battle.order_keys[moment.resume_at[1]])
        enemies = [unit_at(battle, index) for index in range(16) if unit_at(battle, index).side != unit.side]
        taunting = {int(enemy.index) for enemy in enemies if enemy.hp > 0 and enemy.taunt_until > 0}
        for _, _, choice, target, _ in (choice.resume_at for choice in decision.choices):
            ability = ability_of(battle, order_of(unit, choice))
            assert choice != 1 or unit.cooldown <= 1
            assert choice != 2 or unit.charge >= 100
            if target >= 0:
                aimed = unit_at(battle, target)
                assert aimed.hp > 0
                assert (aimed.side != unit.side) == bool(ability.hostile)
                if ability.hostile and taunting:
                    assert target in taunting
                    seen.add("taunt")
    assert seen == {"taunt"}


def test_titans_offers_what_can_be_paid_and_nothing_to_who_was_too_late():
    scenario = loaded("titans/forfeit.toml")
    for _, decision, battle in decisions("titans/standard.toml"):
        one = titan_at(battle, decision.side - 1)
        for choice in decision.choices:
            assert is_legal(one, choice.resume_at[decision.side])
    late = {
        (index + 1, number + 1)
        for index, player in enumerate(scenario.document["players"])
        for number, choice in enumerate(player["policy"].get("choices") or [])
        if choice == "missed"
    }
    assert late
    offered = {(decision.side, moment.tick) for moment, decision, _ in decisions("titans/forfeit.toml")}
    assert not offered & late


def test_stacks_offers_viable_moves():
    for moment, decision, battle in decisions("stacks/oath-at-the-well.toml"):
        actor = int(participants.in_order(battle, moment.resume_at[1]))
        for choice in decision.choices:
            _, _, move, target, _ = choice.resume_at
            if move >= 0:
                assert participants.is_meant_for(battle, move, actor, target)
                assert is_viable(battle, move, actor, target, None)


def test_delve_offers_what_can_be_paid_on_the_living():
    for moment, decision, battle in decisions("delve/standard-4v4.toml"):
        actor = delve_field.participant_at(battle, battle.order_keys[moment.resume_at[1]])
        for choice in decision.choices:
            _, _, place, target, _ = choice.resume_at
            if place >= 0:
                slot = delve_field.queue_slot_at(battle, actor, place)
                assert slot.cost <= actor.resource
                assert actor.ready_from[slot.known] <= battle.combat_round
                assert target < 0 or delve_field.participant_at(battle, target).hp > 0
