"""Who decides: which ability a unit uses, and on whom, as its side's strategy says."""

from __future__ import annotations

from typing import Any

from fracas.kernel.conditions import EVERY_UNIT, SCALAR, compares, holds
from fracas.kernel.dice import below
from fracas.kernel.fixed import percent
from fracas.kernel.jit import kernel
from fracas.kernel.log import NOBODY
from fracas.rulesets.squads.constants import (
    ALLIES,
    ALLIES_HIGHEST,
    ALLIES_LOWEST,
    ALLY_COUNT,
    BASIC,
    BY_CHARGE,
    BY_DEFAULT,
    BY_HIGHEST_HP,
    BY_HIGHEST_THREAT,
    BY_LOWEST_HP,
    BY_LOWEST_HP_ALLY,
    BY_PRIORITY,
    BY_RANDOM,
    BY_SELF,
    CLASS_ABILITY,
    CONDITION_FAILS,
    CONDITION_HOLDS,
    COOLING_DOWN,
    ENEMIES_LOWEST,
    ENEMY_COUNT,
    EVEN_IF_REFUSED,
    FIRST_CLASS_FACT,
    FIRST_CLASS_PRIORITY,
    HEALER,
    IS_ATTACK_DOWN,
    IS_ATTACK_UP,
    IS_BUFFED,
    IS_DAMAGED_OVER_TIME,
    IS_DEBUFFED,
    IS_SHIELDED,
    IS_STUNNED,
    IS_TAUNTING,
    LAST_FAVOURABLE_VERDICT,
    MAX_CHARGE,
    NOBODY_HURT,
    NOT_CHARGED,
    NOT_CONSIDERED,
    ONE_ALLY,
    ONESELF,
    REFUSED_BUT_HURT,
    ROUND_NUMBER,
    SELF_CHARGE,
    SELF_COOLDOWN,
    SELF_HP_PCT,
    SELF_STATUS_OFFSET,
    SOMEONE_HURT,
    ULTIMATE,
    UNCONFIGURED,
    UNIT_CHARGE,
    UNIT_HP_PCT,
)
from fracas.rulesets.squads.field import ability_of, other_side, own_side, unit_at

ANY_ROLE = -1


@kernel
def choose_action(battle: Any, unit: Any) -> int:
    """Ultimate, else class ability, else basic attack: the first that is ready and wanted.

    Rule:    README, A turn, step 2.
    Changes: battle.ultimate_verdict, battle.class_verdict (why each was used or passed over).
    Draws:   none.
    Emits:   nothing.
    """
    battle.class_verdict = NOT_CONSIDERED
    battle.ultimate_verdict = judge_ultimate(battle, unit)
    if battle.ultimate_verdict <= LAST_FAVOURABLE_VERDICT:
        return ULTIMATE
    battle.class_verdict = judge_class_ability(battle, unit)
    if battle.class_verdict <= LAST_FAVOURABLE_VERDICT:
        return CLASS_ABILITY
    return BASIC


@kernel
def judge_ultimate(battle: Any, unit: Any) -> int:
    """Whether the ultimate is used, and why.

    Rule:    README, A turn, step 2a.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.options.ultimate_rule == BY_CHARGE:
        if unit.charge < MAX_CHARGE:
            return NOT_CHARGED
    elif unit.ultimate_cooldown > 0:
        return COOLING_DOWN
    return judge(battle, unit, unit.ultimate)


@kernel
def judge_class_ability(battle: Any, unit: Any) -> int:
    """Whether the class ability is used, and why.

    Rule:    README, A turn, step 2b; option healer_fallback.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    if unit.cooldown > 0:
        return COOLING_DOWN
    verdict = judge(battle, unit, unit.class_ability)
    if verdict == CONDITION_FAILS and battle.options.healer_fallback == EVEN_IF_REFUSED:
        healing = ability_of(battle, unit.class_ability).healing
        if unit.role == HEALER and healing and is_someone_hurt(battle, unit):
            return REFUSED_BUT_HURT
    return verdict


@kernel
def judge(battle: Any, unit: Any, order: Any) -> int:
    """What the strategy says of an ability that is ready.

    Rule:    README, A turn, "Configured and unconfigured".
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    if order.step_count > 0:
        return CONDITION_HOLDS if condition_holds(battle, unit, order) else CONDITION_FAILS
    if ability_of(battle, order).healing:
        return SOMEONE_HURT if is_someone_hurt(battle, unit) else NOBODY_HURT
    return UNCONFIGURED


@kernel
def is_someone_hurt(battle: Any, unit: Any) -> bool:
    """True if a living ally, the unit included, is below the healer threshold.

    Rule:    README, A turn, "Configured and unconfigured".
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = own_side(battle, unit)
    for index in range(side.first, side.first + side.unit_count):
        ally = unit_at(battle, index)
        if ally.hp > 0 and 100 * ally.hp < battle.options.healer_threshold * ally.max_hp:
            return True
    return False


@kernel
def condition_holds(battle: Any, unit: Any, order: Any) -> bool:
    """Read what a condition asks about the situation, then evaluate it.

    Rule:    README, Conditions.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    read_situation(battle, unit, order.first_ask, order.ask_count)
    return holds(battle, order.first_step, order.step_count)


@kernel
def current_attack(unit: Any) -> int:
    """Attack with what raises and lowers it, truncated.

    Rule:    README, Effects, attack up and attack down.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    changed = unit.attack_up - unit.attack_down
    return unit.attack if changed == 0 else percent(unit.attack, 100 + changed)


@kernel
def select_target(battle: Any, unit: Any, order: Any, ability: Any) -> int:
    """The index of the one unit that an ability is aimed at.

    Rule:    README, Reach and targets.
    Changes: battle.selected_by, selected_entry, selected_roll (how it was found).
    Draws:   as select_enemy.
    Emits:   nothing.
    """
    battle.selected_entry = NOBODY
    battle.selected_roll = NOBODY
    refused_but_hurt = battle.class_verdict == REFUSED_BUT_HURT
    if ability.reach == ONESELF or (ability.reach == ONE_ALLY and order.selector == BY_SELF and not refused_but_hurt):
        battle.selected_by = BY_SELF
        return unit.index
    if ability.reach == ONE_ALLY:
        battle.selected_by = BY_LOWEST_HP_ALLY
        return lowest_share(battle, unit.side)
    return select_enemy(battle, unit, order.selector)


@kernel
def select_enemy(battle: Any, unit: Any, selector: int) -> int:
    """The enemy that a selector finds, among living taunters alone if there are any.

    Rule:    README, Reach and targets.
    Changes: battle.selected_by, selected_entry, selected_roll.
    Draws:   below(candidates) for `random`, even with one candidate.
    Emits:   nothing.
    """
    enemies = other_side(battle, unit)
    if selector == BY_DEFAULT or selector == BY_PRIORITY:
        return by_priority(battle, own_side(battle, unit), enemies)
    battle.selected_by = selector
    if selector == BY_RANDOM:
        battle.selected_roll = below(battle.dice, count_candidates(battle, enemies))
        return nth_candidate(battle, enemies, battle.selected_roll)
    if selector == BY_LOWEST_HP:
        return lowest_hp(battle, enemies, ANY_ROLE)
    return best_candidate(battle, enemies, selector)


@kernel
def by_priority(battle: Any, own: Any, enemies: Any) -> int:
    """Walk the side's priority list until an entry yields a unit; after its end the lowest HP counts.

    Rule:    README, Reach and targets, priority.
    Changes: battle.selected_by, battle.selected_entry.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(own.priority_count):
        entry = own.priorities[place]
        if entry >= FIRST_CLASS_PRIORITY:
            found = lowest_hp(battle, enemies, entry - FIRST_CLASS_PRIORITY)
        elif entry == BY_LOWEST_HP:
            found = lowest_hp(battle, enemies, ANY_ROLE)
        else:
            found = best_candidate(battle, enemies, entry)
        if found != NOBODY:
            battle.selected_by = entry
            battle.selected_entry = place
            return found
    battle.selected_by = BY_LOWEST_HP
    return lowest_hp(battle, enemies, ANY_ROLE)


@kernel
def count_candidates(battle: Any, side: Any) -> int:
    """How many living units of a side can be chosen: its taunters if there are any, else all.

    Rule:    README, Reach and targets.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    taunters = 0
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0 and unit.taunt_until > 0:
            taunters += 1
    return taunters if taunters > 0 else side.living


@kernel
def nth_candidate(battle: Any, side: Any, n: int) -> int:
    """The n-th candidate of a side, from 0, in index order.

    Rule:    README, Reach and targets, random.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    taunted = count_candidates(battle, side) < side.living
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0 and (unit.taunt_until > 0 or not taunted):
            if n == 0:
                return index
            n -= 1
    return NOBODY


@kernel
def count_choices(battle: Any, unit: Any) -> int:
    """How many units the selector that chose last could have chosen, for the log.

    Rule:    README, Reach and targets, row `target`.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.selected_by == BY_SELF:
        return 1
    if battle.selected_by == BY_LOWEST_HP_ALLY:
        return own_side(battle, unit).living
    return count_candidates(battle, other_side(battle, unit))


@kernel
def lowest_hp(battle: Any, side: Any, role: int) -> int:
    """The candidate of a class (or of any) with the lowest HP, the lowest index among equals; NOBODY if there is none.

    Rule:    README, Reach and targets. The first taunter that is met rules out all that are not.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    found = NOBODY
    least = 0
    taunted = False
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0 and unit.taunt_until > 0 and not taunted:
            taunted = True
            found = NOBODY
        fits = unit.hp > 0 and (unit.taunt_until > 0 or not taunted) and (role == ANY_ROLE or unit.role == role)
        if fits and (found == NOBODY or unit.hp < least):
            found = index
            least = unit.hp
    return found


@kernel
def best_candidate(battle: Any, side: Any, selector: int) -> int:
    """The candidate with the highest HP, attack or speed, as the selector says, the lowest index among equals.

    Rule:    README, Reach and targets. The first taunter that is met rules out all that are not.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
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
            if selector == BY_HIGHEST_HP:
                value = unit.hp
            elif selector == BY_HIGHEST_THREAT:
                value = current_attack(unit)
            if value > most:
                found = index
                most = value
    return found


@kernel
def lowest_share(battle: Any, place: int) -> int:
    """The index of a side's living unit with the lowest share of its HP, found by cross-multiplication.

    Rule:    core, Decision 5; README, Reach and targets, lowest_hp_ally.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return extreme_share(battle, place, 1)


@kernel
def extreme_share(battle: Any, place: int, sign: int) -> int:
    """The index of a side's living unit with the lowest (sign 1) or highest (sign -1) share of its HP.

    Rule:    core, Decision 5.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[place]
    found = NOBODY
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0:
            if found == NOBODY:
                found = index
            else:
                best = unit_at(battle, found)
                if sign * unit.hp * best.max_hp < sign * best.hp * unit.max_hp:
                    found = index
    return found


@kernel
def read_situation(battle: Any, unit: Any, first_ask: int, ask_count: int) -> None:
    """Fill the fact vector with what a condition asks.

    Rule:    README, Conditions.
    Changes: battle.facts.
    Draws:   none.
    Emits:   nothing.
    """
    for slot in range(ask_count):
        ask = battle.asks[first_ask + slot]
        answer = battle.facts[slot]
        answer.denominator = 1
        if ask.group == SCALAR:
            read_fact(battle, unit, ask.fact, answer)
        else:
            place = unit.side if ask.group == ALLIES else 1 - unit.side
            answer.numerator = count_matching(battle, place, ask)


@kernel
def count_matching(battle: Any, place: int, ask: Any) -> int:
    """How many living units of a side answer an ask with yes.

    Rule:    README, Conditions, groups.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[place]
    count = 0
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if unit.hp > 0 and unit_matches(unit, ask):
            count += 1
    return count


@kernel
def unit_matches(unit: Any, ask: Any) -> bool:
    """Whether one unit of a group answers an ask with yes.

    Rule:    README, Conditions, facts of units.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if ask.fact == EVERY_UNIT:
        return True
    if ask.fact == UNIT_HP_PCT:
        return compares(100 * unit.hp, unit.max_hp, ask.compare, ask.number)
    value = unit.charge if ask.fact == UNIT_CHARGE else has_status(unit, ask.fact)
    return compares(value, 1, ask.compare, ask.number)


@kernel
def read_fact(battle: Any, unit: Any, fact: int, answer: Any) -> None:
    """Answer a scalar fact about the deciding unit's situation.

    Rule:    README, Conditions, facts.
    Changes: the answer.
    Draws:   none.
    Emits:   nothing.
    """
    if fact == SELF_HP_PCT:
        share(unit, answer)
    elif fact == SELF_CHARGE:
        answer.numerator = unit.charge
    elif fact == SELF_COOLDOWN:
        answer.numerator = unit.cooldown
    elif fact == ROUND_NUMBER:
        answer.numerator = battle.tick
    elif fact == ALLY_COUNT:
        answer.numerator = own_side(battle, unit).living
    elif fact == ENEMY_COUNT:
        answer.numerator = other_side(battle, unit).living
    elif fact >= SELF_STATUS_OFFSET:
        answer.numerator = has_status(unit, fact - SELF_STATUS_OFFSET)
    else:
        read_extreme_share(battle, unit, fact, answer)


@kernel
def read_extreme_share(battle: Any, unit: Any, fact: int, answer: Any) -> None:
    """Answer with the lowest or highest HP share of a side.

    Rule:    core, Decision 5; README, Conditions, facts.
    Changes: the answer.
    Draws:   none.
    Emits:   nothing.
    """
    own = fact == ALLIES_LOWEST or fact == ALLIES_HIGHEST
    lowest = fact == ALLIES_LOWEST or fact == ENEMIES_LOWEST
    found = extreme_share(battle, unit.side if own else 1 - unit.side, 1 if lowest else -1)
    share(unit_at(battle, found), answer)


@kernel
def share(unit: Any, answer: Any) -> None:
    """Answer with a unit's share of its HP, as an exact fraction.

    Rule:    core, Decision 5.
    Changes: the answer.
    Draws:   none.
    Emits:   nothing.
    """
    answer.numerator = 100 * unit.hp
    answer.denominator = unit.max_hp


@kernel
def has_status(unit: Any, status: int) -> int:
    """1 if a unit has a status, else 0.

    Rule:    README, Conditions, statuses (a buff is a shield, attack up or taunt).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if status >= FIRST_CLASS_FACT:
        return 1 if unit.role == status - FIRST_CLASS_FACT else 0
    if status == IS_SHIELDED:
        return 1 if unit.shield > 0 else 0
    if status == IS_ATTACK_UP:
        return 1 if unit.attack_up > 0 else 0
    if status == IS_ATTACK_DOWN:
        return 1 if unit.attack_down > 0 else 0
    if status == IS_TAUNTING:
        return 1 if unit.taunt_until > 0 else 0
    if status == IS_STUNNED:
        return 1 if unit.stunned > 0 else 0
    if status == IS_DAMAGED_OVER_TIME:
        return 1 if unit.wound_strikes > 0 else 0
    if status == IS_BUFFED:
        return 1 if unit.shield > 0 or unit.attack_up > 0 or unit.taunt_until > 0 else 0
    if status == IS_DEBUFFED:
        return 1 if unit.attack_down > 0 or unit.stunned > 0 or unit.wound_strikes > 0 else 0
    return 0
