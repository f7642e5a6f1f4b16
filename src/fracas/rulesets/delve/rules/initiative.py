"""Rolls initiative and settles the order of turns. delve/README.md, Combat, Set-up and A round."""

from __future__ import annotations

from fracas.kernel.dice import open_address
from fracas.kernel.enumerating_dice import dispatch_on_dice
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.events import emit_initiative, emit_turn_order
from fracas.rulesets.delve.rules.participants import participant_at
from fracas.rulesets.delve.rules.rolls import roll_d100
from fracas.rulesets.delve.rules.status_conditions import has_condition

# Less than any initiative.
NOT_ROLLED = -codes.INITIATIVE_OFFSET


@kernel
def await_initiative(battle, participant, log) -> int:
    """Mark a participant's initiative as not rolled yet, for exact odds: state_enumeration.py goes through all numbers.

    Changes: participant.initiative.
    """
    participant.initiative = NOT_ROLLED
    return NOT_ROLLED


@dispatch_on_dice(await_initiative)
@kernel
def roll_initiative(battle, participant, log) -> int:
    """Roll a participant's initiative for the fight; lower acts first.

    Changes: participant.initiative.
    """
    open_address(battle.dice, battle.tick, participant.index)
    roll = roll_d100(battle.dice)
    modifier, speed = participant.weapon_speed, participant.attributes[codes.SPEED]
    participant.initiative = roll + modifier - speed
    emit_initiative(log, battle.tick, participant.number, roll, modifier, speed, participant.initiative)
    return participant.initiative


@kernel
def initiative_change(participant) -> int:
    """The change of a participant's initiative by Slowed and Hasted."""
    delay = codes.SLOWED_DELAY if has_condition(participant, codes.SLOWED) else 0
    return delay - (codes.HASTED_LEAD if has_condition(participant, codes.HASTED) else 0)


@kernel
def order_key(participant) -> int:
    """Pack effective initiative ascending, speed descending and slot ascending into one number; smallest acts first."""
    effective = participant.initiative + initiative_change(participant)
    return (
        (effective + codes.INITIATIVE_OFFSET) << 16
        | (codes.LARGEST_ATTRIBUTE - participant.attributes[codes.SPEED]) << 8
        | participant.index
    )


@kernel
def sort_by_initiative(battle) -> None:
    """Sort the living participants into the round's order.

    The sort starts from the previous round's order, which is usually close to this one.
    """
    count = 0
    for index in range(battle.order_count):
        participant = participant_at(battle, battle.order_keys[index & codes.LAST_SLOT])
        if participant.hp > 0:
            key = order_key(participant)
            at = count
            while at > 0 and battle.order_keys[at - 1 & codes.LAST_SLOT] > key:
                battle.order_keys[at & codes.LAST_SLOT] = battle.order_keys[at - 1 & codes.LAST_SLOT]
                at -= 1
            battle.order_keys[at & codes.LAST_SLOT] = key
            count += 1
    battle.order_count = count


@kernel
def log_order(battle, log) -> None:
    """Log the round's order."""
    for index in range(battle.order_count):
        participant = participant_at(battle, battle.order_keys[index])
        total, change = participant.initiative, initiative_change(participant)
        emit_turn_order(log, battle.tick, participant.number, index + 1, total, change, total + change)
