"""Lets a hurt party try to flee from a fight."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import open_address
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules.constants import BASE_CHANCE, DUNGEON, FLEE_EVENT, FLEE_LANE, PARTY, SPEED
from fracas.rulesets.delve.rules.participants import hp_left, participant_at
from fracas.rulesets.delve.rules.rolls import held_to_chance, roll_within


@kernel
def try_to_flee(battle: Any, log: Any) -> bool:
    """Try to flee if the party is hurt enough, led by its fastest member; true if it escapes.

    Rule:    delve/README.md, Round end, step 4.
    Changes: nothing.
    Draws:   d100() from (tick, the lane of fleeing), if the party tries.
    Emits:   FLEE.
    """
    side = battle.sides[PARTY]
    max_hp = 0
    for index in range(side.first, side.first + side.count):
        max_hp += participant_at(battle, index).max_hp
    hp = hp_left(battle, PARTY)
    if 100 * hp >= battle.options.flee_below * max_hp:
        return False
    runner = participant_at(battle, fastest(battle, PARTY))
    hunter = participant_at(battle, fastest(battle, DUNGEON))
    chance = held_to_chance(BASE_CHANCE + runner.attributes[SPEED] - hunter.attributes[SPEED])
    open_address(battle.dice, battle.tick, FLEE_LANE)
    roll = roll_within(battle.dice, chance)
    if log is not None:
        emit(log, battle.tick, FLEE_EVENT, runner.number, hunter.number, roll, chance, hp, max_hp)
    return roll <= chance


@kernel
def fastest(battle: Any, place: int) -> int:
    """The slot of a side's living participant with the highest speed, the lowest slot among equals.

    Rule:    delve/README.md, Round end, step 4.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[place]
    found = NOBODY
    most = -1
    for index in range(side.first, side.first + side.count):
        participant = participant_at(battle, index)
        if participant.hp > 0 and participant.attributes[SPEED] > most:
            found = index
            most = participant.attributes[SPEED]
    return found
