"""Plays a squads battle in steps of one turn, so that exact odds can merge equal states after each step.

The rules are those of mechanics.py, with two differences. Words do not settle the order of equally fast units at a
round's start: whenever one of them is next, each of those left is equally likely. And each step clears everything that
no rule reads any more.

The rules: squads/README.md, A round; Initiative.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.turn_order import place_of_next
from fracas.kernel.turn_order import take_out as key_taken_out
from fracas.rulesets.squads.rules.constants import SLOTS, UNDECIDED
from fracas.rulesets.squads.rules.mechanics import SPEED_SHIFT, refresh, set_up, start_round, take_turn
from fracas.rulesets.squads.rules.outcome import decide_if_wiped_out, end_round
from fracas.rulesets.squads.rules.units import unit_at

# The parts of the record that one step changes and a later one reads. The rest is given, or written before it is read.
STATE = ("tick", "winner", "reason", "order_count", "order_keys", "sides")


@kernel
def step(battle, page) -> None:
    """Play one step: the set-up, or a unit's turn with the round's start before the first and its end after the last.

    README, Order of play.
    """
    if page.begins:
        set_up(battle, None)
        battle.order_count = 0
    else:
        if battle.order_count == 0:
            start_round(battle, None)
        take_turn(battle, unit_at(battle, take_next(battle)), None, None)
        decide_if_wiped_out(battle)
        drop_fallen(battle)
        if battle.order_count == 0 and battle.reason == UNDECIDED:
            end_round(battle, None)
    forget(battle)
    page.over = battle.reason != UNDECIDED
    page.rounds = battle.tick
    page.moment = (battle.tick + 1) * (SLOTS + 1) - battle.order_count


@kernel
def take_next(battle) -> int:
    """Pick the unit whose turn it is, one of the fastest still to act, and take it out of the order."""
    index = place_of_next(battle.dice, battle.order_keys, battle.order_count, SPEED_SHIFT)
    key = battle.order_keys[index]
    take_out(battle, index)
    return key & (SLOTS - 1)


@kernel
def take_out(battle, index: int) -> None:
    """Remove one place of the order; those after it move up."""
    battle.order_count = key_taken_out(battle.order_keys, battle.order_count, index)


@kernel
def drop_fallen(battle) -> None:
    """Remove fallen units from the order."""
    for index in range(battle.order_count - 1, -1, -1):
        if unit_at(battle, battle.order_keys[index]).hp == 0:
            take_out(battle, index)


@kernel
def forget(battle) -> None:
    """Clear everything that no rule reads any more, so that states with the same future are equal (README, State).

    It does not matter who caused a wound.
    """
    for index in range(SLOTS):
        unit = unit_at(battle, index)
        if unit.max_hp > 0:
            if unit.hp == 0:
                refresh(unit)
                unit.hp = 0
            if unit.attack_up == 0:
                unit.attack_up_until = 0
            if unit.attack_down == 0:
                unit.attack_down_until = 0
            unit.wound_source = NOBODY
