"""Picks an ability's target: selectors, priority lists and taunts. squads/README.md, Reach and targets."""

from __future__ import annotations

from fracas.kernel.dice import below
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.sides import other_side, own_side
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.units import current_attack, extreme_share, unit_at

ANY_ROLE = -1

NO_KEY = 1 << 62


@kernel
def select_target(battle, unit, order, ability) -> int:
    """Select the target of a single-target ability: its unit index.

    Changes: battle.selected_by, selected_entry, selected_roll (how it was found).
    """
    battle.selected_entry = NOBODY
    battle.selected_roll = NOBODY
    refused_but_hurt = battle.class_verdict == codes.REFUSED_BUT_HURT
    if ability.reach == codes.ONESELF or (
        ability.reach == codes.ONE_ALLY and order.selector == codes.BY_SELF and not refused_but_hurt
    ):
        battle.selected_by = codes.BY_SELF
        return unit.index
    if ability.reach == codes.ONE_ALLY:
        return select_ally(battle, unit, codes.BY_DEFAULT if refused_but_hurt else order.selector, ability)
    return select_enemy(battle, unit, order.selector)


@kernel
def select_enemy(battle, unit, selector: int) -> int:
    """Select an enemy; only among living taunters if there are any.

    Changes: battle.selected_by, selected_entry, selected_roll.
    Draws: below(candidates) for `random`, even with one candidate.
    """
    enemies = other_side(battle, unit)
    if selector == codes.BY_DEFAULT or selector == codes.BY_PRIORITY:
        return by_priority(battle, own_side(battle, unit), enemies)
    battle.selected_by = selector
    if selector == codes.BY_RANDOM:
        battle.selected_roll = below(battle.dice, count_candidates(battle, enemies))
        return nth_candidate(battle, enemies, battle.selected_roll)
    if selector == codes.BY_LOWEST_HP:
        return lowest_hp(battle, enemies, ANY_ROLE)
    return best_candidate(battle, enemies, selector)


@kernel
def by_priority(battle, own, enemies) -> int:
    """Try the side's priority list until an entry finds a unit; after its end the lowest HP counts.

    Changes: battle.selected_by, battle.selected_entry.
    """
    for index in range(own.priority_count):
        entry = own.priorities[index]
        if entry >= codes.FIRST_CLASS_PRIORITY:
            found = lowest_hp(battle, enemies, entry - codes.FIRST_CLASS_PRIORITY)
        elif entry == codes.BY_LOWEST_HP:
            found = lowest_hp(battle, enemies, ANY_ROLE)
        else:
            found = best_candidate(battle, enemies, entry)
        if found != NOBODY:
            battle.selected_by = entry
            battle.selected_entry = index
            return found
    battle.selected_by = codes.BY_LOWEST_HP
    return lowest_hp(battle, enemies, ANY_ROLE)


@kernel
def count_candidates(battle, side) -> int:
    """Count the living units of a side that can be targets: its taunters if there are any, else all."""
    taunters = 0
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0 and unit.taunt_until > 0:
            taunters += 1
    return taunters if taunters > 0 else side.living


@kernel
def nth_candidate(battle, side, n: int) -> int:
    """The n-th candidate of a side, from 0, in index order."""
    taunted = count_candidates(battle, side) < side.living
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0 and (unit.taunt_until > 0 or not taunted):
            if n == 0:
                return index
            n -= 1
    return NOBODY


@kernel
def count_choices(battle, unit, ability) -> int:
    """Count the possible targets of the last selection, for the log."""
    if battle.selected_by == codes.BY_SELF:
        return 1
    if ability.reach == codes.ONE_ALLY:
        own = own_side(battle, unit)
        hurt = count_hurt(battle, own) if ability.healing and battle.selected_by != codes.BY_LOWEST_HP_ALLY else 0
        return hurt if hurt > 0 else own.living
    return count_candidates(battle, other_side(battle, unit))


@kernel
def lowest_hp(battle, side, role: int) -> int:
    """The candidate of a class (or of any) with the lowest HP, the lowest index among equals; NOBODY if there is none.

    A key packs HP and index. No branches: the CPU could not predict them.
    """
    least = NO_KEY
    least_taunting = NO_KEY
    taunted = False
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        is_living = unit.hp > 0
        is_taunting = is_living & (unit.taunt_until > 0)
        fits = is_living & ((role == ANY_ROLE) | (unit.role == role))
        key = unit.hp << 4 | index if fits else NO_KEY
        least = min(least, key)
        least_taunting = min(least_taunting, key if is_taunting else NO_KEY)
        taunted = taunted | is_taunting
    if taunted:
        least = least_taunting
    return least & codes.LAST_SLOT if least != NO_KEY else NOBODY


@kernel
def best_candidate(battle, side, selector: int) -> int:
    """The candidate with the highest HP, attack or speed, as the selector says; the lowest index among equals.

    The first taunter found rules out all units that do not taunt.
    """
    found = NOBODY
    most = -1
    taunted = False
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0 and unit.taunt_until > 0 and not taunted:
            taunted = True
            most = -1
        if unit.hp > 0 and (unit.taunt_until > 0 or not taunted):
            value = unit.speed
            if selector == codes.BY_HIGHEST_HP:
                value = unit.hp
            elif selector == codes.BY_HIGHEST_THREAT:
                value = current_attack(unit)
            if value > most:
                found = index
                most = value
    return found


@kernel
def select_ally(battle, unit, selector: int, ability) -> int:
    """Select an ally; the one with the lowest share of its HP if the selector finds none.

    Changes: battle.selected_by, selected_entry.
    """
    own = own_side(battle, unit)
    found = NOBODY
    if selector == codes.BY_TANK_ALLY:
        found = ally_of_entry(battle, own, codes.FIRST_CLASS_PRIORITY + codes.TANK, ability)
    elif selector == codes.BY_STRONGEST_ALLY:
        found = ally_of_entry(battle, own, codes.BY_HIGHEST_THREAT, ability)
    elif selector == codes.BY_PRIORITY_ALLY:
        for index in range(own.ally_priority_count):
            selector = own.ally_priorities[index]
            found = ally_of_entry(battle, own, selector, ability)
            if found != NOBODY:
                battle.selected_entry = index
                break
    battle.selected_by = selector
    if found == NOBODY:
        battle.selected_by = codes.BY_LOWEST_HP_ALLY
        found = extreme_share(battle, unit.side, 1)
    return found


@kernel
def count_hurt(battle, side) -> int:
    """Count the living units of a side below full HP."""
    hurt = 0
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if 0 < unit.hp < unit.max_hp:
            hurt += 1
    return hurt


@kernel_noinline
def ally_of_entry(battle, side, entry: int, ability) -> int:
    """The ally that an entry of an ally priority list finds, the lowest index among equals; NOBODY if there is none."""
    hurt_only = ability.healing != 0 and count_hurt(battle, side) > 0
    found = NOBODY
    most = -1
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        fits = entry < codes.FIRST_CLASS_PRIORITY or unit.role == entry - codes.FIRST_CLASS_PRIORITY
        if fits and unit.hp > 0 and (unit.hp < unit.max_hp or not hurt_only):
            value = unit.speed
            if entry == codes.BY_HIGHEST_HP:
                value = unit.hp
            elif entry == codes.BY_HIGHEST_THREAT:
                value = current_attack(unit)
            elif entry != codes.BY_FASTEST:
                value = NO_KEY - unit.hp
            if value > most:
                found = index
                most = value
    return found
