"""Lets a hurt party try to flee from a fight. delve/README.md, Round end."""

from __future__ import annotations

from fracas.kernel.dice import open_address
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.events import emit_flee
from fracas.rulesets.delve.rules.participants import hp_left, participant_at
from fracas.rulesets.delve.rules.rolls import held_to_chance, roll_within


@kernel
def try_to_flee(battle, log) -> bool:
    """Try to flee if the party is hurt enough, led by its fastest member; true if it escapes."""
    side = battle.sides[codes.PARTY]
    max_hp = 0
    for index in range(side.first, side.first + side.count):
        max_hp += participant_at(battle, index).max_hp
    hp = hp_left(battle, codes.PARTY)
    if 100 * hp >= battle.options.flee_below * max_hp:
        return False
    runner = participant_at(battle, fastest(battle, codes.PARTY))
    hunter = participant_at(battle, fastest(battle, codes.DUNGEON))
    chance = held_to_chance(codes.BASE_CHANCE + runner.attributes[codes.SPEED] - hunter.attributes[codes.SPEED])
    open_address(battle.dice, battle.tick, codes.FLEE_LANE)
    roll = roll_within(battle.dice, chance)
    emit_flee(log, battle.tick, runner.number, hunter.number, roll, chance, hp, max_hp)
    return roll <= chance


@kernel
def fastest(battle, side_index: int) -> int:
    """The slot of a side's living participant with the highest speed, the lowest slot among equals."""
    side = battle.sides[side_index]
    found = NOBODY
    most = -1
    for index in range(side.first, side.first + side.count):
        participant = participant_at(battle, index)
        if participant.hp > 0 and participant.attributes[codes.SPEED] > most:
            found = index
            most = participant.attributes[codes.SPEED]
    return found
