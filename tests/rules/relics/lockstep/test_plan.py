"""What is played in lanes: the reasons against it, just below and just above each bound; numbers at their edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.helpers.relics_lanes import are_equal, duel, in_lanes, one_by_one, plain_plan, record_of, wearing

from fracas.lanes.known_options import options_beyond
from fracas.lanes.memory import aligned_records
from fracas.lanes.operations import LANES, load, store
from fracas.rulesets.relics.lockstep import facts, plan, signed_lanes
from fracas.rulesets.relics.lockstep.entry_points import judge_battles
from fracas.rulesets.relics.lockstep.facts import battle_leaves_out, fighter_leaves_out
from fracas.rulesets.relics.lockstep.state import (
    COMPARED_SHARES,
    LARGE_AMOUNTS,
    LARGE_SUMS,
    MANY_EFFECTS,
    MOST_EFFECTS,
    MOST_TIMES,
    REASONS,
    SHORT_LANES,
    UNKNOWN_FACT,
    UNKNOWN_OPTION,
    lanes_t,
    plan_t,
)
from fracas.rulesets.relics.rules.condition_facts import BATTLE_FACTS, FIGHTER_FACTS
from fracas.rulesets.relics.rules.options import options_t

HEAL = [["heal", 1]]


def judged(record: Any) -> tuple[int, int]:
    """How wide lanes are, and the reason if there are none."""
    plans = np.zeros(1, plan_t)
    judge_battles(record, plans)
    return int(plans[0].bits), int(plans[0].reason)


def modified(*modifiers: Any) -> dict[str, Any]:
    return {"items": [{"id": "thing", "name": "Thing", "modifiers": list(modifiers)}], "stats": {"hp": 40}}


def counted(times: int) -> dict[str, Any]:
    return wearing({"turn_start": [["heal", {"of": "turn", "times": times}]]})


def asking(condition: str) -> dict[str, Any]:
    return wearing({"turn_start": [{"if": condition, "do": HEAL}]})


MANY_COUNTED = [["attack", {"of": "self.armor"}]] * 4


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        (wearing({"turn_start": HEAL}), 0),
        (counted(MOST_TIMES), 0),
        (counted(MOST_TIMES + 1), LARGE_AMOUNTS),
        (modified(*MANY_COUNTED[:3]), 0),
        (modified(*MANY_COUNTED), LARGE_SUMS),
        (asking("self.hp_pct > 20 and enemy.hp_pct <= 35"), 0),
        (asking("self.armor > enemy.armor"), 0),
        (asking("self.hp_pct > enemy.hp_pct"), COMPARED_SHARES),
    ],
)
def test_what_lanes_cannot_hold_is_left_to_the_rules(build: dict[str, Any], reason: int) -> None:
    record = record_of(duel(build))
    assert judged(record) == ((0, reason) if reason else (SHORT_LANES, 0))
    if not reason:
        assert are_equal(in_lanes(record, 0, 70), one_by_one(record, 0, 70))


def test_the_most_effects() -> None:
    record = record_of("standard").copy()
    last = record[0].builds[1].effects
    last.entries = MOST_EFFECTS - last.first
    assert judged(record)[0] == SHORT_LANES
    last.entries += 1
    assert judged(record) == (0, MANY_EFFECTS)


def test_every_reason_is_a_clause_for_people() -> None:
    assert all(text[0].islower() and not text.endswith(".") for text in REASONS.values())


def test_large_numbers_are_held_like_those_of_the_rules() -> None:
    strong = wearing(
        {
            "turn_start": [["gain", "attack", 9_999], ["gain", "armor", 9_000], ["temporary_attack", 9_999]],
            "on_hit": [["deal", {"of": "payload", "times": 150, "per": 7}]],
            "hp_lost": [["gain", "health", 9_999]],
        },
        attack=20,
    )
    strong["items"][0]["modifiers"] = [["attack", 9_999], ["attack_pct", 500], ["damage_dealt_pct", 1_000]]
    weak = wearing({"turn_start": [["gain_freeze", 2], ["gain", "health", 9_999], ["heal_full"]]}, hp=9_999)
    for options in ({"turn_cap": 9}, {"turn_cap": 9, "freeze_side": "attacker"}):
        record = record_of(duel(strong, weak, options=options))
        assert are_equal(in_lanes(record, 0, 3), one_by_one(record, 0, 3))


VALUES = np.array([*range(-30, 30), -19_998, -9_999, 9_999, 19_998], np.int64)


@pytest.mark.parametrize(("times", "per"), [(1, 1), (3, 2), (-7, 3), (150, 9_999), (-150, 2), (150, 1), (1, 17)])
def test_counted_amounts_round_down(times: int, per: int) -> None:
    assert VALUES.size == LANES
    state = aligned_records(lanes_t)[0]
    store(state, 0, (VALUES & 0xFFFF).astype(np.uint16))
    found = signed_lanes.counted(state, load(state, 0), times, per).view(np.int16)
    assert found.tolist() == [min(max(int(each) * times // per, -9_999), 9_999) for each in VALUES]


@pytest.mark.parametrize("of", [-3, 0, 1, 2, 3, 7, 100, 9_999, 10_000])
def test_multiples(of: int) -> None:
    state = aligned_records(lanes_t)[0]
    held = [each for each in VALUES.tolist() if abs(each) <= 9_999 or of <= 9_999]
    store(state, 0, (VALUES & 0xFFFF).astype(np.uint16))
    found = signed_lanes.is_multiple(state, load(state, 0), of).tolist()
    for each, answer in zip(VALUES.tolist(), found, strict=True):
        if each in held:
            assert answer == (of > 0 and each % of == 0), each


def test_percentages_are_exact_and_held() -> None:
    state = aligned_records(lanes_t)[0]
    amounts = np.linspace(0, 29_997, LANES).astype(np.int64)
    for percent in (-200, -100, -99, -1, 0, 1, 33, 500, 9_999):
        store(state, 0, amounts.astype(np.uint16))
        row = signed_lanes.with_percentage(state, load(state, 0), signed_lanes.number(state, percent), 19_999)
        assert row.tolist() == [min(int(each) * (100 + max(percent, -100)) // 100, 19_999) for each in amounts]
    assert plain_plan(record_of("standard"))[0].bits == SHORT_LANES


def test_lanes_read_every_fact_of_the_shipped_conditions() -> None:
    assert not any(fighter_leaves_out(fact.code) for fact in FIGHTER_FACTS.facts)
    assert not any(battle_leaves_out(fact.code) for fact in BATTLE_FACTS.facts)


@pytest.mark.parametrize("build", [counted(1), asking("turn > 2")])
def test_a_fact_that_came_after_lanes_is_left_to_the_rules(
    build: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = record_of(duel(build, wearing({})))
    assert judged(record) == (SHORT_LANES, 0)
    turn = next(fact.code for fact in BATTLE_FACTS.facts if fact.name == "turn")
    monkeypatch.setattr(facts, "battle_leaves_out", lambda fact: fact == turn)
    assert judged(record) == (0, UNKNOWN_FACT)


def test_an_option_that_came_after_lanes_is_left_to_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    known = set(plan.KNOWN_OPTIONS) - {"fatigue_start"}
    monkeypatch.setattr(plan, "has_unknown_option", options_beyond(options_t, known))
    build = wearing({"turn_start": HEAL})
    assert judged(record_of(duel(build, build, options={"fatigue_start": 0}))) == (SHORT_LANES, 0)
    assert judged(record_of(duel(build, build, options={"fatigue_start": 9}))) == (0, UNKNOWN_OPTION)
