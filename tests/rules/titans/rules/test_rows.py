"""README, Order of rows and Policies: what stands in the columns of rows that strangers had to guess."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.helpers.titans_fights import ability, duel, of, titan

import fracas.rulesets.titans
from fracas.kernel.event_log import NOBODY
from fracas.rulesets.titans.rules.condition_facts import bears_any
from fracas.rulesets.titans.rules.events import Chance, Charge, Choice, Experience, Growth, Outcome

BOOK = re.sub(r"\s+", " ", Path(fracas.rulesets.titans.__file__).with_name("README.md").read_text(encoding="utf-8"))
NOTHING_ELSE = ("attack", None, "nothing else", NOBODY)


def told_by(choice: Choice) -> tuple[str, str | None, str, int]:
    return choice.action, choice.ability, choice.why, choice.rule


@pytest.mark.parametrize(
    "sentence",
    [
        "`outcome`, `experience` and `growth` have the last round that began as their tick",
        "of the charge for defending the actor is the attacker and the target the defender",
        "A `missed` choice is a row `choice` with the action defend and the why `too late`",
        "If the weights of the cell are all 0, attack (why: `nothing else`), and nothing is drawn",
        "after the end of the list attack too (why: `nothing else`)",
        "`debuffed`: one whose percentage is below 0. Each change counts by its own sign",
    ],
)
def test_the_rule_book_says_so(sentence: str) -> None:
    assert sentence in BOOK


def test_outcome_experience_and_growth_have_the_last_rounds_tick() -> None:
    fight = duel(titan(hp=30, experience=99), titan(), ({"choices": []}, {"choices": []}), experience=True, round_cap=2)
    for tick in (1, 2):
        rolls = ("unit=0.5", "unit=0.25")
        fight.round("rest", "rest", f"open({tick},table)", *rolls, f"open({tick},0)", f"open({tick},1)")
    events = fight.finish("open(2,65296)", *["below(100)=0"] * 8)
    assert {event.tick for event in events} == {2}
    assert [type(event) for event in events][:2] == [Outcome, Experience]
    assert {event.actor for event in of(events, Growth)} == {"Ada"}
    outcome, learnt = (row for row in fight.log.rows[: fight.log.count].tolist() if row[1] in (21, 22) and row[2] != 1)
    assert (outcome[2:4], learnt[2:4]) == ([NOBODY, NOBODY], [0, NOBODY])


def test_who_attacks_is_the_actor_of_the_defenders_charge() -> None:
    fight = duel(titan(), titan())
    charge = of(fight.quick("attack", "defend", "open(1,0)", "unit=0.0", "unit=0.0", "open(1,1)"), Charge)[-1]
    assert (charge.actor, charge.target, charge.source) == ("Ada", "Bo", "an attack while defending")


def test_a_missed_choice_defends_and_was_too_late() -> None:
    fight = duel(titan(), titan())
    choice = of(fight.quick("missed", "rest", "open(1,0)", "open(1,1)"), Choice)[0]
    assert told_by(choice) == ("defend", None, "too late", NOBODY)


def test_after_its_end_a_list_attacks_because_of_nothing_else() -> None:
    fight = duel(titan(attack=0), titan(attack=0), ({"choices": ["rest"]}, {"choices": []}))
    rolls = ("unit=0.5", "unit=0.25", "open(1,0)", "open(1,1)", "unit=0.0")
    first, second = of(fight.policy_round("open(1,table)", *rolls), Choice)
    assert told_by(first) == ("rest", None, "submitted", NOBODY)
    assert told_by(second) == NOTHING_ELSE


def test_a_cell_of_zeros_attacks_because_of_nothing_else_and_draws_nothing() -> None:
    steps = {"own_hp": 1, "enemy_hp": 1, "own_charge": 1, "enemy_charge": 1}
    table = {"solved": {**steps, "choices": ["attack", "rest"], "weights": "AAA="}}
    fight = duel(titan(attack=0), titan(attack=0), (table, {"choices": ["rest"]}))
    rolls = ("unit=0.5", "unit=0.25", "open(1,0)", "unit=0.0", "open(1,1)")
    events = fight.policy_round("open(1,table)", *rolls)
    assert told_by(of(events, Choice)[0]) == NOTHING_ELSE
    assert of(events, Chance) == []


def test_changes_of_one_stat_that_cancel_each_other_still_raise_and_lower() -> None:
    both = ability(
        "both",
        {"type": "change", "stat": "speed", "percent": 40, "rounds": 3, "on": "self"},
        {"type": "change", "stat": "speed", "percent": -40, "rounds": 3, "on": "self"},
    )
    fight = duel(titan(both), titan())
    fight.quick("both", "rest", "open(1,0)", "open(1,1)")
    assert fight.ada.sums[2] == 0
    assert [bears_any(fight.record, fight.ada, sign) for sign in (1, -1)] == [True, True]
    assert [bears_any(fight.record, fight.bo, sign) for sign in (1, -1)] == [False, False]
