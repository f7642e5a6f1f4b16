"""Looks up participants, skills and queue slots. The masks tell the compiler that an index is never negative."""

from __future__ import annotations

from typing import Any

from fracas.kernel.integer_math import percent
from fracas.kernel.jit import kernel
from fracas.rulesets.delve.rules.constants import (
    ATTRIBUTES,
    DUNGEON,
    LAST_SLOT,
    ONE_ALLY,
    ONE_ENEMY,
    QUEUE_SLOT_MASK,
    SIDE_SLOTS,
    SKILL_MASK,
)


@kernel
def participant_at(battle: Any, index: int) -> Any:
    """The participant in a slot.

    Rule:    delve/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.participants[index & LAST_SLOT]


@kernel
def skill_at(battle: Any, code: int) -> Any:
    """The skill with a number.

    Rule:    delve/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.skills[code & SKILL_MASK]


@kernel
def queue_slot_at(battle: Any, participant: Any, place: int) -> Any:
    """A slot of a participant's queue.

    Rule:    delve/README.md, State.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.queue_slots[participant.first_slot + place & QUEUE_SLOT_MASK]


@kernel
def is_open_to(skill: Any, target: Any) -> bool:
    """Whether a participant of the side that a skill reaches can be its target.

    Rule:    delve/README.md, Reach and targets (a pure heal reaches only participants below full HP).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return target.hp > 0 and (skill.pure_heal == 0 or target.hp < target.max_hp)


@kernel
def place_enemies(battle: Any) -> None:
    """Place the creatures met into the slots from 8 on.

    Rule:    delve/README.md, Combat, Set-up, step 1.
    Changes: the enemies; their side.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[DUNGEON]
    side.first = SIDE_SLOTS
    side.count = battle.fought_count
    side.living = battle.fought_count
    for place in range(side.count):
        enemy = participant_at(battle, SIDE_SLOTS + place)
        number = battle.fought_first + place
        enemy.index = SIDE_SLOTS + place
        enemy.side = DUNGEON
        enemy.number = SIDE_SLOTS + number
        become(enemy, battle.foes[battle.roster[number]])


@kernel
def become(enemy: Any, foe: Any) -> None:
    """Copy a creature's numbers to an enemy.

    Rule:    delve/README.md, Combat, Set-up, step 1.
    Changes: the enemy.
    Draws:   none.
    Emits:   nothing.
    """
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
    for place in range(len(ATTRIBUTES)):
        enemy.attributes[place] = foe.attributes[place]
    enemy.level = foe.level
    enemy.boss = foe.boss
    enemy.weapon_speed = foe.weapon_speed
    enemy.weapon.low = foe.weapon.low
    enemy.weapon.high = foe.weapon.high
    enemy.damage_pct = foe.damage_pct
    enemy.known_count = foe.known_count


@kernel
def is_for_one(skill: Any) -> bool:
    """Whether a skill has a single target among several.

    Rule:    delve/README.md, Reach and targets.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    answer: bool = skill.reach == ONE_ENEMY or skill.reach == ONE_ALLY
    return answer


@kernel
def hp_left(battle: Any, place: int) -> int:
    """The HP that a side has left.

    Rule:    delve/README.md, End.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[place]
    total = 0
    for index in range(side.first, side.first + side.count):
        total += participant_at(battle, index).hp
    return total


@kernel
def credit_damage(battle: Any, source: int, code: int, lost: int) -> None:
    """Count the HP that a member's skill, or its condition, has cost.

    Rule:    none; a count for statistics that no rule reads.
    Changes: battle.skill_damage.
    Draws:   none.
    Emits:   nothing.
    """
    if source < SIDE_SLOTS and code < battle.counted_skills:
        battle.skill_damage[code & SKILL_MASK] += lost
