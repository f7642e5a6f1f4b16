"""Rolls initiative and settles the order of turns. delve/README.md, Combat, Set-up and A round."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import open_address
from fracas.kernel.enumerating_dice import dispatch_on_dice
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules.constants import (
    HASTED,
    HASTED_LEAD,
    INITIATIVE_EVENT,
    INITIATIVE_OFFSET,
    LARGEST_ATTRIBUTE,
    LAST_SLOT,
    SLOWED,
    SLOWED_DELAY,
    SPEED,
    TURN_ORDER_EVENT,
)
from fracas.rulesets.delve.rules.participants import participant_at
from fracas.rulesets.delve.rules.rolls import roll_d100
from fracas.rulesets.delve.rules.status_conditions import has_condition

# Less than any initiative.
NOT_ROLLED = -INITIATIVE_OFFSET


@kernel
def await_initiative(battle: Any, participant: Any, log: Any) -> int:
    """Mark a participant's initiative as not rolled yet, for exact odds: state_enumeration.py goes through all numbers.

    Rule:    delve/README.md, Set-up, step 3.
    Changes: participant.initiative.
    Draws:   none.
    Emits:   nothing.
    """
    participant.initiative = NOT_ROLLED
    return NOT_ROLLED


@dispatch_on_dice(await_initiative)
@kernel
def roll_initiative(battle: Any, participant: Any, log: Any) -> int:
    """Roll a participant's initiative for the fight; lower acts first.

    Rule:    delve/README.md, Set-up, step 3.
    Changes: participant.initiative.
    Draws:   d100() from (tick, slot).
    Emits:   INITIATIVE.
    """
    open_address(battle.dice, battle.tick, participant.index)
    roll = roll_d100(battle.dice)
    modifier, speed = participant.weapon_speed, participant.attributes[SPEED]
    participant.initiative = roll + modifier - speed
    if log is not None:
        total = participant.initiative
        emit(log, battle.tick, INITIATIVE_EVENT, participant.number, NOBODY, roll, modifier, speed, total)
    return participant.initiative


@kernel
def initiative_change(participant: Any) -> int:
    """The change of a participant's initiative by Slowed and Hasted.

    Rule:    delve/README.md, A round, step 1.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    delay = SLOWED_DELAY if has_condition(participant, SLOWED) else 0
    return delay - (HASTED_LEAD if has_condition(participant, HASTED) else 0)


@kernel
def order_key(participant: Any) -> int:
    """Pack effective initiative ascending, speed descending and slot ascending into one number; smallest acts first.

    Rule:    delve/README.md, A round, step 1.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    effective = participant.initiative + initiative_change(participant)
    return (
        (effective + INITIATIVE_OFFSET) << 16
        | (LARGEST_ATTRIBUTE - participant.attributes[SPEED]) << 8
        | participant.index
    )


@kernel
def sort_by_initiative(battle: Any) -> None:
    """Sort the living participants into the round's order.

    The sort starts from the previous round's order, which is usually close to this one.

    Rule:    delve/README.md, A round, step 1.
    Changes: battle.order_keys, battle.order_count.
    Draws:   none.
    Emits:   nothing.
    """
    count = 0
    for place in range(battle.order_count):
        participant = participant_at(battle, battle.order_keys[place & LAST_SLOT])
        if participant.hp > 0:
            key = order_key(participant)
            at = count
            while at > 0 and battle.order_keys[at - 1 & LAST_SLOT] > key:
                battle.order_keys[at & LAST_SLOT] = battle.order_keys[at - 1 & LAST_SLOT]
                at -= 1
            battle.order_keys[at & LAST_SLOT] = key
            count += 1
    battle.order_count = count


@kernel
def tell_order(battle: Any, log: Any) -> None:
    """Log the round's order.

    Rule:    delve/README.md, A round, step 1.
    Changes: nothing.
    Draws:   none.
    Emits:   TURN_ORDER for everybody in the order.
    """
    for place in range(battle.order_count):
        participant = participant_at(battle, battle.order_keys[place])
        total, change = participant.initiative, initiative_change(participant)
        number, effective = participant.number, total + change
        emit(log, battle.tick, TURN_ORDER_EVENT, number, NOBODY, place + 1, total, change, effective)
