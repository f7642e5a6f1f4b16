"""Looks up participants, skills and queue slots. The masks tell the compiler that an index is never negative.

The rules: delve/README.md, State; Reach and targets; Combat.
"""

from __future__ import annotations

from fracas.kernel.integer_math import percent
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules import constants as codes


@kernel
def participant_at(battle, index: int):
    """The participant in a slot."""
    return battle.participants[index & codes.LAST_SLOT]


@kernel
def skill_at(battle, code: int):
    """The skill with a number."""
    return battle.skills[code & codes.SKILL_MASK]


@kernel
def queue_slot_at(battle, participant, index: int):
    """A slot of a participant's queue."""
    return battle.queue_slots[participant.first_slot + index & codes.QUEUE_SLOT_MASK]


@kernel
def is_open_to(skill, target) -> bool:
    """Whether a participant of the side that a skill reaches can be its target.

    A pure heal reaches only participants below full HP.
    """
    return target.hp > 0 and (skill.pure_heal == 0 or target.hp < target.max_hp)


@kernel
def place_enemies(battle) -> None:
    """Place the creatures met into the slots from 8 on."""
    side = battle.sides[codes.DUNGEON]
    side.first = codes.SIDE_SLOTS
    side.count = battle.fought_count
    side.living = battle.fought_count
    for index in range(side.count):
        enemy = participant_at(battle, codes.SIDE_SLOTS + index)
        number = battle.fought_first + index
        enemy.index = codes.SIDE_SLOTS + index
        enemy.side = codes.DUNGEON
        enemy.number = codes.SIDE_SLOTS + number
        copy_foe(enemy, battle.foes[battle.roster[number]])


@kernel
def copy_foe(enemy, foe) -> None:
    """Copy a creature's numbers to an enemy."""
    enemy.hp = foe.max_hp
    enemy.max_hp = foe.max_hp
    enemy.resource = percent(foe.max_resource, foe.start_pct)
    enemy.max_resource = foe.max_resource
    enemy.next_phase = 0
    enemy.first_phase = foe.first_phase
    enemy.phase_count = foe.phase_count
    enemy.first_slot = foe.first_slot
    enemy.slot_count = foe.slot_count
    enemy.armor = foe.armor
    enemy.resistance = foe.resistance
    enemy.evasion = foe.evasion
    enemy.regeneration = foe.regeneration
    for index in range(len(codes.ATTRIBUTES)):
        enemy.attributes[index] = foe.attributes[index]
    enemy.level = foe.level
    enemy.boss = foe.boss
    enemy.weapon_speed = foe.weapon_speed
    enemy.weapon.low = foe.weapon.low
    enemy.weapon.high = foe.weapon.high
    enemy.damage_pct = foe.damage_pct
    enemy.known_count = foe.known_count


@kernel
def is_for_one(skill) -> bool:
    """Whether a skill has a single target among several."""
    return skill.reach == codes.ONE_ENEMY or skill.reach == codes.ONE_ALLY


@kernel
def hp_left(battle, side_index: int) -> int:
    """The HP that a side has left (README, End)."""
    side = battle.sides[side_index]
    total = 0
    for index in range(side.first, side.first + side.count):
        total += participant_at(battle, index).hp
    return total


@kernel
def credit_damage(battle, source: int, code: int, lost: int) -> None:
    """Count the HP that a member's skill, or its condition, has cost.

    A count for statistics that no rule reads.
    """
    if source < codes.SIDE_SLOTS and code < battle.counted_skills:
        battle.skill_damage[code & codes.SKILL_MASK] += lost
