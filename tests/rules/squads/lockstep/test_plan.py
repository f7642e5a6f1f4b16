"""What is played in lanes: the reasons against it, and how wide lanes are, just below and just above each bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.helpers.lockstep import duel, fighter, plain_plan, squad

import fracas
from fracas.kernel.condition_evaluator import SCALAR
from fracas.lanes.known_options import options_beyond
from fracas.rulesets.squads.lockstep import facts, plan
from fracas.rulesets.squads.lockstep.entry_points import judge_battles
from fracas.rulesets.squads.lockstep.facts import numbers_leave_out, situation_leaves_out, statuses_leave_out
from fracas.rulesets.squads.lockstep.state import (
    LARGEST_SHORT,
    LONG_LANES,
    MANY_AMOUNTS,
    MANY_FIGURES,
    MANY_ROLLS,
    MANY_TIES,
    MOST_AMOUNTS,
    PLUGIN_STAGE,
    REASONS,
    SEVERAL_CRITICALS,
    SHORT_LANES,
    TRAINED_POLICY,
    UNKNOWN_EFFECT,
    UNKNOWN_FACT,
    UNKNOWN_OPTION,
    plan_t,
)
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.condition_facts import FACTS, STATUSES, UNIT_FACTS
from fracas.rulesets.squads.rules.options import options_t

A, B = fighter("a", speed=12), fighter("b")


def judged(document: dict[str, Any]) -> tuple[int, int]:
    """How wide lanes are, and the reason if there are none."""
    plans = np.zeros(1, plan_t)
    judge_battles(fracas.load(document).compiled.record, plans)
    return int(plans[0].bits), int(plans[0].reason)


def chain(*names: str) -> dict[str, Any]:
    return {"chain": {"stages": [{"stage": name} for name in names]}}


def many(count: int, **changed: Any) -> dict[str, Any]:
    return squad(*(fighter(f"u{number}", **{"speed": 10 + number, **changed}) for number in range(count)))


def test_a_simple_battle_is_played_in_short_lanes() -> None:
    assert judged(duel(A, B)) == (SHORT_LANES, 0)


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (duel(A, B, options=chain("critical", "defense", "critical")), SEVERAL_CRITICALS),
        (duel(many(6, speed=10), B), MANY_TIES),
        (duel(A, many(8), *[{"type": "damage", "attack": 9}] * 3, reach="all_enemies"), MANY_ROLLS),
    ],
)
def test_what_lanes_cannot_hold_is_left_to_the_rules(document: dict[str, Any], reason: int) -> None:
    assert judged(document) == (0, reason)


def test_the_most_words_of_a_turn_are_those_of_one_block() -> None:
    twice = [{"type": "damage", "attack": 9}] * 2
    assert judged(duel(A, many(8), *twice, reach="all_enemies"))[0] == SHORT_LANES


def test_two_tied_units_are_fine_and_three_eighths_of_all_are_too_many() -> None:
    assert judged(duel(squad(A, fighter("c", speed=12)), many(4)))[0]
    assert judged(duel(squad(A, *(fighter(f"c{n}", speed=12) for n in range(3))), B))[1] == MANY_TIES


def test_a_plugin_in_the_chain_is_left_to_the_rules() -> None:
    record = fracas.load(duel(A, B)).compiled.record.copy()
    record[0].chain[0].kind = 32
    plans = np.zeros(1, plan_t)
    judge_battles(record, plans)
    assert int(plans[0].reason) == PLUGIN_STAGE


def test_a_trained_policy_is_left_to_the_rules() -> None:
    for side in (0, 1):
        record = fracas.load(duel(A, B)).compiled.record.copy()
        record[0].networks[side].inputs = 1
        plans = np.zeros(1, plan_t)
        judge_battles(record, plans)
        assert int(plans[0].reason) == TRAINED_POLICY


def test_an_effect_that_came_after_lanes_is_left_to_the_rules() -> None:
    record = fracas.load(duel(A, B)).compiled.record.copy()
    record[0].abilities[int(record[0].units[0].ultimate.ability)].effects[0].kind = len(codes.EFFECTS)
    plans = np.zeros(1, plan_t)
    judge_battles(record, plans)
    assert int(plans[0].reason) == UNKNOWN_EFFECT


def test_lanes_read_every_fact_of_the_shipped_conditions() -> None:
    assert not any(statuses_leave_out(status.code) for status in STATUSES.facts)
    assert not any(numbers_leave_out(fact.code) for fact in UNIT_FACTS.facts)
    assert not any(situation_leaves_out(fact.code) for fact in FACTS.facts)


@pytest.mark.parametrize(("group", "fact"), [(SCALAR, 90), (SCALAR, 100 + 40), (1, 40), (2, 60)])
def test_a_fact_that_came_after_lanes_is_left_to_the_rules(
    monkeypatch: pytest.MonkeyPatch, group: int, fact: int
) -> None:
    for name in ("numbers_leave_out", "statuses_leave_out", "situation_leaves_out"):
        monkeypatch.setattr(facts, name, lambda code: code in (40, 60, 90))
    record = fracas.load(duel(A, B)).compiled.record.copy()
    record[0].units[0].ultimate.ask_count = 1
    record[0].asks[0].group, record[0].asks[0].fact = group, fact
    plans = np.zeros(1, plan_t)
    judge_battles(record, plans)
    assert int(plans[0].reason) == UNKNOWN_FACT


def test_an_option_that_came_after_lanes_is_left_to_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "has_unknown_option", options_beyond(options_t, set(plan.KNOWN_OPTIONS) - {"charge_hit"}))
    assert judged(duel(A, B, options={"charge_hit": 0})) == (SHORT_LANES, 0)
    assert judged(duel(A, B, options={"charge_hit": 5})) == (0, UNKNOWN_OPTION)


def with_amounts(count: int) -> dict[str, Any]:
    """A side whose abilities raise attack by this many different percentages."""
    document = duel(many(8, speed=10), B)
    for place in range(count):
        name = f"rage_{place}"
        raises = {"type": "attack_up", "percent": 5 + place, "rounds": 2}
        document["abilities"][name] = {"id": name, "name": name, "reach": "self", "effects": [raises]}
        slot = ("class_ability", "ultimate")[place % 2]
        unit = document["sides"][0]["units"][place // 2]
        unit.update({slot: name, "speed": 20 + place // 2})
    return document


def test_the_number_of_different_amounts_is_bounded() -> None:
    # One of the places is that of no amount.
    assert judged(with_amounts(MOST_AMOUNTS - 1))[0]
    assert judged(with_amounts(MOST_AMOUNTS)) == (0, MANY_AMOUNTS)


def test_the_number_of_figures_is_bounded() -> None:
    long = {"round_cap": 1000, **chain("critical", "fatigue")}
    others = squad(*(fighter(f"v{number}", speed=30 + number) for number in range(3)))
    document = duel(many(3), others, options=long)
    assert judged(document) == (SHORT_LANES, 0)
    raises = {"type": "attack_up", "percent": 5, "rounds": 2}
    document["abilities"]["rage"] = {"id": "rage", "name": "Rage", "reach": "self", "effects": [raises]}
    for side in document["sides"]:
        for unit in side["units"]:
            unit["ultimate"] = "rage"
    assert judged(document) == (0, MANY_FIGURES)


@pytest.mark.parametrize(("over", "bits"), [(0, SHORT_LANES), (1, LONG_LANES)])
def test_hp_and_shield_together_decide_the_width(over: int, bits: int) -> None:
    shield = {"type": "shield", "attack": 100, "rounds": 2}
    strong = fighter("a", hp=LARGEST_SHORT - 100 + over, attack=100, speed=12)
    assert judged(duel(strong, B, shield, reach="self"))[0] == bits


@pytest.mark.parametrize(("over", "bits"), [(0, SHORT_LANES), (1, LONG_LANES)])
def test_the_largest_raised_attack_decides_the_width(over: int, bits: int) -> None:
    raises = {"type": "attack_up", "percent": 100, "rounds": 2}
    strong = fighter("a", attack=LARGEST_SHORT // 2 + over, speed=12)
    assert judged(duel(strong, B, raises, reach="self"))[0] == bits


@pytest.mark.parametrize(("over", "bits"), [(0, SHORT_LANES), (1, LONG_LANES)])
def test_damage_over_time_decides_the_width(over: int, bits: int) -> None:
    burns = {"type": "damage_over_time", "max_hp": 100, "attack": 100, "rounds": 2}
    strong = fighter("a", hp=50_000, attack=LARGEST_SHORT - 50_000 + over, speed=12)
    assert judged(duel(strong, B, burns))[0] == bits


def test_planning_leaves_the_battle_as_it_is() -> None:
    document = duel(A, B, {"type": "attack_down", "percent": 30, "rounds": 2}, options=chain("fatigue"))
    record = fracas.load(document).compiled.record
    before = record.copy()
    plain_plan(record)
    assert record.tobytes() == before.tobytes()


def test_every_reason_is_a_part_of_a_sentence() -> None:
    assert all(text[0].islower() and not text.endswith(".") for text in REASONS.values())
