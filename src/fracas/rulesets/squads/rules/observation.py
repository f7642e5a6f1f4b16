"""What a side of squads sees, and what its unit may do in its turn.

The rules: docs/reference/environments.md, squads; squads/README.md, A turn.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.seen_entries import entry_writer
from fracas.kernel.sides import other_side
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.targeting import count_candidates, select_ally
from fracas.rulesets.squads.rules.units import ability_of, current_attack, order_of, reaches_one, unit_at


@kernel
def seen_slot(side: int, index: int) -> int:
    """The slot in which a side sees a unit, or the index of the unit in a slot: its own from 0, the enemy's from 8."""
    return index ^ (codes.SIDE_SLOTS if side == 1 else 0)


@kernel
def target_of(side: int, action: int) -> int:
    """The index of the unit that an action is aimed at; NOBODY if it is not aimed."""
    target = action % codes.TARGETS
    if target == codes.SLOTS:
        return NOBODY
    return seen_slot(side, target)


@kernel
def encode(battle, side: int, choice: int, target: int) -> int:
    """The action of a choice and a target; NOBODY if there is none."""
    if choice < 0 or choice >= codes.CHOICE_COUNT or target < NOBODY or target >= codes.SLOTS:
        return NOBODY
    if target == NOBODY:
        return choice * codes.TARGETS + codes.SLOTS
    return choice * codes.TARGETS + seen_slot(side, target)


@kernel
def is_ready(battle, unit, choice: int) -> bool:
    """Whether an ability could be used now."""
    if choice == codes.BASIC:
        return True
    if choice == codes.CLASS_ABILITY:
        return unit.cooldown == 0
    if battle.options.ultimate_rule == codes.BY_CHARGE:
        return unit.charge >= codes.MAX_CHARGE
    return unit.ultimate_cooldown == 0


@kernel
def mark_legal(battle, acting: int, mask) -> None:
    """Everything that a unit, or NOBODY, could do in its turn if a strategy said so: 1, else 0.

    Of enemies every candidate; of allies those that a selector can find, and itself. What a side's list of allies finds
    is what the list says, and no other choice.

    README, Reach and targets.
    """
    for action in range(codes.ACTIONS):
        mask[action] = 0
    if acting == NOBODY:
        return
    unit = unit_at(battle, acting)
    for choice in range(codes.CHOICE_COUNT):
        if is_ready(battle, unit, choice):
            ability = ability_of(battle, order_of(unit, choice))
            if not reaches_one(ability):
                mask[encode(battle, unit.side, choice, NOBODY)] = 1
            elif ability.reach == codes.ONE_ENEMY:
                enemies = other_side(battle, unit)
                taunted = count_candidates(battle, enemies) < enemies.living
                for index in range(enemies.first, enemies.first + enemies.unit_count):
                    enemy = unit_at(battle, index)
                    if enemy.hp > 0 and (enemy.taunt_until > 0 or not taunted):
                        mask[encode(battle, unit.side, choice, index)] = 1
            else:
                mask[encode(battle, unit.side, choice, unit.index)] = 1
                if ability.reach == codes.ONE_ALLY:
                    for selector in range(codes.BY_STRONGEST_ALLY + 1):
                        # In a loop, so that the search for an ally is compiled once.
                        if (
                            selector == codes.BY_DEFAULT
                            or selector == codes.BY_TANK_ALLY
                            or selector == codes.BY_STRONGEST_ALLY
                        ):
                            mask[encode(battle, unit.side, choice, select_ally(battle, unit, selector, ability))] = 1


@kernel
def see_battle(battle, side: int, acting: int, seen, anew: bool) -> None:
    """What a side sees; `acting` is its unit whose turn it is, or NOBODY.

    `anew` is False where `seen` has what was written for an earlier state of this battle.
    """
    seen[0] = min(battle.tick / battle.options.round_cap, 1.0)
    for slot in range(codes.SLOTS):
        unit = unit_at(battle, seen_slot(side, slot))
        see_unit(battle, unit, acting, seen, 1 + slot * codes.UNIT_FEATURES, anew)


@kernel
def see_from_other_side(side: int, acting: int, seen) -> None:
    """Copy what the first agent sees to the second, whose own units come first; each sees whom it decides for itself.

    side: the second agent's. acting: its unit whose turn it is, or NOBODY.
    """
    half = codes.SIDE_SLOTS * codes.UNIT_FEATURES
    seen[1, 0] = seen[0, 0]
    for entry in range(half):
        seen[1, 1 + entry] = seen[0, 1 + half + entry]
    for entry in range(half):
        seen[1, 1 + half + entry] = seen[0, 1 + entry]
    for slot in range(codes.SLOTS):
        seen[1, 1 + slot * codes.UNIT_FEATURES + codes.ACTING_FEATURE] = 0.0
    if acting != NOBODY:
        slot = seen_slot(side, acting)
        seen[1, 1 + slot * codes.UNIT_FEATURES + codes.ACTING_FEATURE] = 1.0


_SCOPE = {"LARGEST_SEEN": codes.LARGEST_SEEN, "MAX_CHARGE": codes.MAX_CHARGE, "current_attack": current_attack}
write_changing = entry_writer("write_changing", "unit, acting, share", codes.SEEN_OF_A_UNIT, _SCOPE, is_fixed=False)
write_fixed = entry_writer("write_fixed", "unit, acting, share", codes.SEEN_OF_A_UNIT, _SCOPE, is_fixed=True)


@kernel
def see_unit(battle, unit, acting: int, seen, place: int, anew: bool) -> None:
    """Write what is visible of a unit; all 0 in an empty slot and once it has fallen."""
    if unit.hp == 0:
        # The share of HP is never 0 while a unit lives, so this tells whether its entries are 0 already.
        if anew or seen[place] != 0.0:
            for entry in range(codes.UNIT_FEATURES):
                seen[place + entry] = 0.0
        return
    # Divisions are what takes longest here: one for the shares, and products for the rest.
    share = 1.0 / unit.max_hp
    write_changing(unit, acting, share, seen, place)
    if anew:
        write_fixed(unit, acting, share, seen, place)
        for role in range(codes.CLASS_COUNT):
            seen[place + codes.CLASS_FEATURE + role] = 1.0 if unit.role == role else 0.0


@kernel
def see_lasting(battle, side: int, seen, first: int) -> None:
    """Write how strong lasting things are and how long they last, from `first` on; 0 for units that are not seen."""
    for slot in range(codes.SLOTS):
        place = first + slot * codes.UNIT_LASTING
        if seen[1 + slot * codes.UNIT_FEATURES] == 0.0:
            for entry in range(codes.UNIT_LASTING):
                seen[place + entry] = 0.0
        else:
            unit = unit_at(battle, slot ^ (codes.SIDE_SLOTS if side == 1 else 0))
            seen[place] = unit.shield * 0.01
            seen[place + 1] = max(unit.shield_until - battle.tick, 0) * 0.1
            seen[place + 2] = unit.attack_up * 0.01
            seen[place + 3] = max(unit.attack_up_until - battle.tick, 0) * 0.1
            seen[place + 4] = unit.attack_down * 0.01
            seen[place + 5] = max(unit.attack_down_until - battle.tick, 0) * 0.1
            seen[place + 6] = max(unit.taunt_until - battle.tick, 0) * 0.1
            seen[place + 7] = 1.0 if unit.just_stunned != 0 else 0.0
            seen[place + 8] = unit.wound * 0.01
            seen[place + 9] = unit.wound_strikes * 0.1
            seen[place + 10] = unit.cooldown * 0.1
            seen[place + 11] = unit.ultimate_cooldown * 0.1
