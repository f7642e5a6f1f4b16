"""What a side of squads sees, and what its unit may do in its turn."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.sides import other_side
from fracas.rulesets.squads.rules.constants import (
    ACTING_FEATURE,
    ACTIONS,
    BASIC,
    BY_CHARGE,
    BY_DEFAULT,
    BY_STRONGEST_ALLY,
    BY_TANK_ALLY,
    CHOICE_COUNT,
    CLASS_ABILITY,
    CLASS_COUNT,
    LARGEST_SEEN,
    MAX_CHARGE,
    ONE_ALLY,
    ONE_ENEMY,
    SIDE_SLOTS,
    SLOTS,
    TARGETS,
    ULTIMATE,
    UNIT_FEATURES,
)
from fracas.rulesets.squads.rules.targeting import count_candidates, select_ally
from fracas.rulesets.squads.rules.units import ability_of, current_attack, reaches_one, unit_at


@kernel
def target_of(side: int, action: int) -> int:
    """The index of the unit that an action is aimed at; NOBODY if it is not aimed.

    Rule:    docs/reference/environments.md, squads. An agent counts its own slots from 0 and the enemy's from 8.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    target = action % TARGETS
    if target == SLOTS:
        return NOBODY
    return target ^ (SIDE_SLOTS if side == 1 else 0)


@kernel
def encode(battle: Any, side: int, choice: int, target: int) -> int:
    """The action of a choice and a target; NOBODY if there is none.

    Rule:    docs/reference/environments.md, squads.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if choice < 0 or choice >= CHOICE_COUNT or target < NOBODY or target >= SLOTS:
        return NOBODY
    if target == NOBODY:
        return choice * TARGETS + SLOTS
    return choice * TARGETS + (target ^ (SIDE_SLOTS if side == 1 else 0))


@kernel
def is_ready(battle: Any, unit: Any, choice: int) -> bool:
    """Whether an ability could be used now.

    Rule:    squads/README.md, A turn, step 2.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if choice == BASIC:
        return True
    if choice == CLASS_ABILITY:
        return unit.cooldown == 0
    if battle.options.ultimate_rule == BY_CHARGE:
        return unit.charge >= MAX_CHARGE
    return unit.ultimate_cooldown == 0


@kernel
def order_of(unit: Any, choice: int) -> Any:
    """The order of a choice.

    Rule:    squads/README.md, A turn, step 2.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    order = unit.basic
    if choice == CLASS_ABILITY:
        order = unit.class_ability
    elif choice == ULTIMATE:
        order = unit.ultimate
    return order


@kernel
def mark_legal(battle: Any, acting: int, mask: Any) -> None:
    """Everything that a unit, or NOBODY, could do in its turn if a strategy said so: 1, else 0.

    Of enemies every candidate; of allies those that a selector can find, and itself. What a side's list of allies finds
    is what the list says, and no other choice.

    Rule:    squads/README.md, A turn, step 2; Reach and targets.
    Changes: the mask; battle.selected_by, selected_entry.
    Draws:   none.
    Emits:   nothing.
    """
    for action in range(ACTIONS):
        mask[action] = 0
    if acting == NOBODY:
        return
    unit = unit_at(battle, acting)
    for choice in range(CHOICE_COUNT):
        if is_ready(battle, unit, choice):
            ability = ability_of(battle, order_of(unit, choice))
            if not reaches_one(ability):
                mask[encode(battle, unit.side, choice, NOBODY)] = 1
            elif ability.reach == ONE_ENEMY:
                enemies = other_side(battle, unit)
                taunted = count_candidates(battle, enemies) < enemies.living
                for index in range(enemies.first, enemies.first + enemies.unit_count):
                    one = unit_at(battle, index)
                    if one.hp > 0 and (one.taunt_until > 0 or not taunted):
                        mask[encode(battle, unit.side, choice, index)] = 1
            else:
                mask[encode(battle, unit.side, choice, unit.index)] = 1
                if ability.reach == ONE_ALLY:
                    for selector in range(BY_STRONGEST_ALLY + 1):
                        # In a loop, so that the search for an ally is compiled once.
                        if selector == BY_DEFAULT or selector == BY_TANK_ALLY or selector == BY_STRONGEST_ALLY:
                            mask[encode(battle, unit.side, choice, select_ally(battle, unit, selector, ability))] = 1


@kernel
def see_battle(battle: Any, side: int, acting: int, seen: Any, anew: bool) -> None:
    """What a side sees; `acting` is its unit whose turn it is, or NOBODY.

    `anew` is False where `seen` has what was written for an earlier state of this battle.

    Rule:    docs/reference/environments.md, squads.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    seen[0] = min(battle.tick / battle.options.round_cap, 1.0)
    for slot in range(SLOTS):
        unit = unit_at(battle, slot ^ (SIDE_SLOTS if side == 1 else 0))
        see_unit(battle, unit, acting, seen, 1 + slot * UNIT_FEATURES, anew)


@kernel
def see_from_other_side(side: int, acting: int, seen: Any) -> None:
    """Copy what the first agent sees to the second, whose own units come first; each sees whom it decides for itself.

    side: the second agent's. acting: its unit whose turn it is, or NOBODY.

    Rule:    docs/reference/environments.md, squads.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    half = SIDE_SLOTS * UNIT_FEATURES
    seen[1, 0] = seen[0, 0]
    for entry in range(half):
        seen[1, 1 + entry] = seen[0, 1 + half + entry]
    for entry in range(half):
        seen[1, 1 + half + entry] = seen[0, 1 + entry]
    for slot in range(SLOTS):
        seen[1, 1 + slot * UNIT_FEATURES + ACTING_FEATURE] = 0.0
    if acting != NOBODY:
        slot = acting ^ (SIDE_SLOTS if side == 1 else 0)
        seen[1, 1 + slot * UNIT_FEATURES + ACTING_FEATURE] = 1.0


@kernel
def see_unit(battle: Any, unit: Any, acting: int, seen: Any, place: int, anew: bool) -> None:
    """Write what is visible of a unit; all 0 in an empty slot and once it has fallen.

    Rule:    docs/reference/environments.md, squads.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    if unit.hp == 0:
        # The share of HP is never 0 while a unit lives, so this tells whether its entries are 0 already.
        if anew or seen[place] != 0.0:
            for entry in range(UNIT_FEATURES):
                seen[place + entry] = 0.0
        return
    # Divisions are what takes longest here: one for the shares, and products for the rest.
    share = 1.0 / unit.max_hp
    seen[place] = unit.hp * share
    seen[place + 2] = min(current_attack(unit) * 0.01, LARGEST_SEEN)
    seen[place + 5] = unit.charge * (1.0 / MAX_CHARGE)
    seen[place + 6] = min(unit.cooldown * 0.1, 1.0)
    seen[place + 7] = min(unit.ultimate_cooldown * 0.1, 1.0)
    seen[place + 8] = min(unit.shield * share, 1.0)
    seen[place + 9] = 1.0 if unit.taunt_until > 0 else 0.0
    seen[place + 10] = 1.0 if unit.stunned != 0 else 0.0
    seen[place + 11] = min(unit.wound * unit.wound_strikes * share, 1.0)
    seen[place + ACTING_FEATURE] = 1.0 if unit.index == acting else 0.0
    if anew:
        seen[place + 1] = min(unit.max_hp * 0.01, LARGEST_SEEN)
        seen[place + 3] = min(unit.defense * 0.01, LARGEST_SEEN)
        seen[place + 4] = min(unit.speed * 0.01, LARGEST_SEEN)
        for role in range(CLASS_COUNT):
            seen[place + 13 + role] = 1.0 if unit.role == role else 0.0
