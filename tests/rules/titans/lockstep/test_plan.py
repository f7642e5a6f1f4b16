"""What is played in lanes: the reasons against it, just below and above each bound, and the tests of conditions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.helpers.lockstep import Lanes

import fracas
from fracas.kernel.condition_evaluator import COMPARE, COMPARE_SLOTS, MULTIPLE_OF
from fracas.rulesets.titans.lockstep.entry_points import judge_battles
from fracas.rulesets.titans.lockstep.state import (
    HP,
    LAST_CHOICE,
    MANY_ANSWERS,
    MANY_CHANCES,
    MANY_TESTS,
    MOST_ANSWERS,
    MOST_CHANCES,
    MOST_TESTS,
    REASONS,
    SHORT_LANES,
    STRANGE_CONDITION,
    SUMS,
    TICK,
    TRAINED_POLICY,
    ZERO_SUM,
    plan_t,
)
from fracas.rulesets.titans.rules.constants import BY_NETWORK, IS_READY, PLAYERS, SELF_FACTS

TITANS = Lanes("titans")
RAGE = {"type": "change", "stat": "attack", "percent": 50, "rounds": 2, "on": "self"}


def duel(*rules: dict[str, Any], **scenario: Any) -> Any:
    """The record of a duel whose first player has these rules; both titans can raise their attack."""
    known = {"attack": 9, "defense": 7, "speed": 7, "stamina": 7, "abilities": ["rage"]}
    policies: list[Any] = [list(rules) or [{"do": "attack"}], [{"do": "attack"}]]
    players = [
        {"name": name, "titan": {"name": f"{name}'s titan", "hp": 40, **known}, "policy": policy}
        for name, policy in zip(("Ada", "Bo"), policies, strict=True)
    ]
    rage = {"id": "rage", "name": "Rage", "cost": 20, "effects": [RAGE]}
    document = {"ruleset": "titans", "id": "duel", "abilities": {"rage": rage}, "players": players, **scenario}
    return fracas.load(document).compiled.record.copy()


def judged(record: Any) -> tuple[int, int]:
    """How wide lanes are, and the reason if there are none."""
    plans = np.zeros(1, plan_t)
    judge_battles(record, plans)
    return int(plans[0].bits), int(plans[0].reason)


def test_a_simple_duel_is_played_in_lanes() -> None:
    assert judged(duel()) == (SHORT_LANES, 0)


@pytest.mark.parametrize("player", range(PLAYERS))
def test_a_trained_policy_is_left_to_the_rules(player: int) -> None:
    record = duel()
    record[0].policies[player].kind = BY_NETWORK
    assert judged(record) == (0, TRAINED_POLICY)


def test_the_number_of_rules_with_a_chance_is_bounded() -> None:
    rules = [{"do": "attack", "chance": 3}] * MOST_CHANCES
    assert judged(duel(*rules)) == (SHORT_LANES, 0)
    assert judged(duel(*rules, {"do": "attack", "chance": 3})) == (0, MANY_CHANCES)


def test_the_number_of_answers_is_bounded() -> None:
    long, rule = {"round_cap": 1000}, {"when": "every_3_rounds", "do": "rest"}
    fitting = MOST_ANSWERS // 1001
    assert judged(duel(*[rule] * fitting, options=long)) == (SHORT_LANES, 0)
    assert judged(duel(*[rule] * (fitting + 1), options=long)) == (0, MANY_ANSWERS)


def test_the_number_of_tests_is_bounded() -> None:
    record = duel({"when": "self.hp < 3", "do": "rest"})
    policy = record[0].policies[0]
    policy.rules[0].step_count = MOST_TESTS
    record[0].steps["op"][:] = COMPARE
    record[0].steps["subject"][:] = 0
    assert judged(record) == (SHORT_LANES, 0)
    policy.rules[0].step_count += 1
    assert judged(record) == (0, MANY_TESTS)


@pytest.mark.parametrize("change", ["relation", "fact"])
def test_only_numbers_are_compared_with_each_other(change: str) -> None:
    record = duel({"when": "self.hp < enemy.hp", "do": "rest"})
    assert judged(record) == (SHORT_LANES, 0)
    step = record[0].steps[record[0].policies[0].rules[0].first_step]
    assert step.op == COMPARE_SLOTS
    if change == "relation":
        step.compare = MULTIPLE_OF
    else:
        record[0].asks[0].fact = SELF_FACTS + IS_READY
    assert judged(record) == (0, STRANGE_CONDITION)


@pytest.mark.parametrize(
    ("condition", "row", "low", "high", "is_outside"),
    [
        ("self.hp_pct < 50", HP, 20, 40, 1),
        ("enemy.hp > 12", HP + 1, 13, 40, 0),
        ("self.hp == 7", HP, 7, 7, 0),
        ("self.hp != 7", HP, 7, 7, 1),
        ("self.hp >= 0", HP, 0, 40, 0),
        ("self.hp > 90", HP, 0, 40, 1),
        ("enemy.rested", LAST_CHOICE + 1, 3, 3, 0),
        ("self.attack > 9", SUMS, ZERO_SUM + 1, ZERO_SUM + 50, 0),
        ("round >= 4", TICK, 4, 100, 0),
    ],
)
def test_a_comparison_becomes_a_test_of_a_row(condition: str, row: int, low: int, high: int, is_outside: int) -> None:
    plan = TITANS.plain_plan(duel({"when": condition, "do": "rest"}))[0]
    test = plan.tests[plan.first_test[0, 0]]
    assert (test.row, test.low, test.high, test.is_outside, test.first) == (row, low, high, is_outside, -1)


def test_multiples_become_answers() -> None:
    plan = TITANS.plain_plan(duel({"when": "every_3_rounds", "do": "rest"}))[0]
    test = plan.tests[plan.first_test[0, 0]]
    assert (test.first, test.low, test.high) == (0, 0, 100)
    assert plan.answers[:7].tolist() == [1, 0, 0, 1, 0, 0, 1]


def test_planning_leaves_the_duel_as_it_is() -> None:
    record = duel({"when": "self.attack > 9 and not enemy.rested and every_2_rounds", "do": "rest"})
    before = record.copy()
    TITANS.plain_plan(record)
    assert record.tobytes() == before.tobytes()


def test_every_reason_is_a_part_of_a_sentence() -> None:
    assert all(text[0].islower() and not text.endswith(".") for text in REASONS.values())
