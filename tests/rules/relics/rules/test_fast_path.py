"""The short way of battles without a log: what compilation settles for it, and that it ends as the long way does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.helpers.records import differences
from tests.helpers.relics_fights import LOG, document, fighter, item

from fracas.kernel.condition_evaluator import compare
from fracas.rulesets.registry import get
from fracas.rulesets.relics.content.compile_fast_path import FAR, RANGES
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.entry_points import play_many
from fracas.rulesets.relics.rules.state import result_t

ATTACKER = {"attack": 3, "hp": 30, "armor": 4}


def compiled(left: Any, right: Any, **options: Any) -> Any:
    """The battle's records."""
    return get("relics").compile(document(left, right, **options), {}).record


def first_quick(left: Any, right: Any, **options: Any) -> Any:
    """What is quick of the left's only effect."""
    battle = compiled(left, right, **options)[0]
    return battle.quick[battle.builds[codes.LEFT].effects.first]


def ended(records: Any, *, logged: bool) -> tuple[Any, Any]:
    """Two results of a battle, and the fighters with which the second ended."""
    records, results = records.copy(), np.zeros(2, result_t)
    play_many(records, 0, results, LOG if logged else None, None)
    return results, records[0].fighters


@pytest.mark.parametrize(
    ("op", "own", "others", "amount"),
    [
        (["deal", 5], [], [], 5),
        (["deal", 5], [["damage_dealt", 2], ["damage_dealt_pct", 50]], [["damage_taken", 1]], 11),
        (["deal", 5], [["damage_dealt", -9]], [], 0),
        (["heal", 4], [["healing_pct", 100]], [], 8),
        (["gain_armor", 4], [["armor_gained", 3]], [], 7),
        (["deal", 5], [["damage_dealt", 2, {"if": "wounded"}]], [], None),
        (["deal", 5], [], [["damage_taken", 2, {"if": "wounded"}]], None),
    ],
)
def test_an_amount_is_settled_if_its_modifiers_never_change(op: Any, own: Any, others: Any, amount: int | None) -> None:
    left = fighter(item(turn_start=[op], modifiers=own))
    quick = first_quick(left, fighter(item("other", modifiers=others)))
    assert (int(quick.amount) if quick.is_settled else None) == amount


@pytest.mark.parametrize(
    "condition", ["self.armor >= 2", "enemy.hp < 30", "self.hp_pct <= 50", "enemy.hp_pct > 40", "self.armor == 0"]
)
@pytest.mark.parametrize("trigger", ["turn_start", "on_damaged"])
def test_battles_end_alike_on_either_way(condition: str, trigger: str) -> None:
    effects = [{"if": condition, "do": [["heal", 2]]}, {"chance": 40, "do": [["gain_thorns", 1]]}, ["deal", 1]]
    answers: Any = {"thorns_gained": [{"per_turn": 1, "do": [["heal", 1]]}], "on_damaged": [["gain_armor", 1]]}
    left = fighter(item(**{**answers, trigger: effects}), **ATTACKER)
    right = fighter(item("other", armor_lost=[{"per_battle": 2, "do": [["gain_armor", 2]]}]), **ATTACKER)
    records = compiled(left, right)
    silent, logged = ended(records, logged=False), ended(records, logged=True)
    assert not list(differences(silent[0], logged[0]))
    assert not list(differences(silent[1], logged[1]))


@pytest.mark.parametrize(("heard", "is_quiet"), [({}, True), ({"on_heal": [["gain_armor", 1]]}, False)])
def test_only_what_nothing_follows_from_is_quiet(heard: Any, is_quiet: bool) -> None:
    battle = compiled(fighter(item(on_damaged=[["heal", 1]], **heard)), fighter())[0]
    assert (battle.builds[codes.LEFT].quiet >> codes.ON_DAMAGED & 1 == 1) == is_quiet
    at_once = compiled(fighter(item(on_damaged=[["heal", 1]], **heard)), fighter(), death_check="at_once")[0]
    assert at_once.builds[codes.LEFT].quiet >> codes.ON_DAMAGED & 1 == 0


@pytest.mark.parametrize("comparison", RANGES)
def test_a_range_holds_what_the_comparison_holds(comparison: int) -> None:
    least, most = RANGES[comparison]
    for number in (-FAR, -2, -1, 0, 1, 2, FAR):
        assert (least <= number <= most) == compare(number, 1, comparison, 0)


def test_the_turns_of_every_n_turns_are_known() -> None:
    every = [{"n": 3, "do": [["heal", 1]]}, {"n": 90, "do": [["heal", 1]]}]
    turns = int(compiled(fighter(item(every_n_turns=every)), fighter())[0].builds[codes.LEFT].due_turns)
    assert [turn for turn in range(codes.LATER_TURNS) if turns >> turn & 1] == list(range(3, codes.LATER_TURNS, 3))
    assert turns >> codes.LATER_TURNS & 1 == 1
