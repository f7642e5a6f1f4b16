"""Reads facts in lanes and compares them: rules/condition_facts.py for 64 battles at once.

A share of HP is compared with a per cent by comparing HP with a bound, so nothing is multiplied in lanes. Only two
facts compared with each other are cross-multiplied, with 64 bits.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.condition_evaluator import (
    AT_LEAST,
    AT_MOST,
    EQUAL,
    EVERY_UNIT,
    LESS,
    MORE,
    SCALAR,
)
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.condition_logic import by_relation
from fracas.lanes.lane_state import truth
from fracas.lanes.operations import (
    load,
    no_lanes,
    select,
    splat,
    splat_words,
    widest,
)
from fracas.rulesets.squads.lockstep.plan import is_share
from fracas.rulesets.squads.lockstep.state import (
    ATTACK_DOWN,
    ATTACK_UP,
    CHARGE,
    COOLDOWN,
    HP,
    LIVING,
    SHIELD,
    STUNNED,
    TAUNT_UNTIL,
    TICK,
    WOUND_STRIKES,
)
from fracas.rulesets.squads.rules.constants import (
    ALLIES,
    ALLIES_HIGHEST,
    ALLIES_LOWEST,
    ALLY_COUNT,
    ENEMIES_HIGHEST,
    ENEMIES_LOWEST,
    ENEMY_COUNT,
    FIRST_CLASS_FACT,
    IS_ATTACK_DOWN,
    IS_ATTACK_UP,
    IS_BUFFED,
    IS_DAMAGED_OVER_TIME,
    IS_DEBUFFED,
    IS_SHIELDED,
    IS_STUNNED,
    IS_TAUNTING,
    ROUND_NUMBER,
    SELF_CHARGE,
    SELF_COOLDOWN,
    SELF_HP_PCT,
    SELF_STATUS_OFFSET,
    UNIT_CHARGE,
    UNIT_HP_PCT,
)
from fracas.rulesets.squads.rules.units import unit_at

# No number of lanes is as large.
BEYOND = (1 << 16) - 1


@kernel
def compares(state: Any, value: Any, relation: int, number: int) -> Any:
    """Where a value has a relation to a number. Conditions of squads know no `multiple_of`.

    Rule:    docs/reference/conditions.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    bound = splat(state, min(number, BEYOND))
    if relation == LESS:
        answer = value < bound
    elif relation == AT_MOST:
        answer = value <= bound
    elif relation == MORE:
        answer = value > bound
    elif relation == AT_LEAST:
        answer = value >= bound
    elif relation == EQUAL:
        answer = value == bound
    else:
        answer = value != bound
    return answer


@kernel
def share_compares(state: Any, unit: Any, relation: int, number: int) -> Any:
    """Where a unit's share of its HP has a relation to a per cent: 100 * hp < number * max_hp is hp < a bound.

    Rule:    docs/reference/conditions.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    hp = load(state, HP + unit.index)
    bound = number * unit.max_hp
    # No HP is above max_hp, whatever the number.
    is_below = hp < splat(state, min((bound + 99) // 100, unit.max_hp + 1))
    is_at_most = hp < splat(state, min(bound // 100, unit.max_hp) + 1)
    return by_relation(is_below, is_at_most, relation)


@kernel
def extreme_share_compares(state: Any, battle: Any, unit: Any, fact: int, relation: int, number: int) -> Any:
    """Where a side's lowest or highest share has a relation to a per cent.

    The lowest is below a number if any unit's is, the highest if every unit's is.

    Rule:    docs/reference/conditions.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    own = fact == ALLIES_LOWEST or fact == ALLIES_HIGHEST
    lowest = fact == ALLIES_LOWEST or fact == ENEMIES_LOWEST
    side = battle.sides[unit.side if own else 1 - unit.side]
    is_below, is_at_most = no_lanes(), no_lanes()
    for index in range(side.first, side.first + side.unit_count):
        other = unit_at(battle, index)
        lives = load(state, HP + index) != splat(state, 0)
        below = share_compares(state, other, LESS, number)
        at_most = share_compares(state, other, AT_MOST, number)
        is_below = is_below | (lives & (below if lowest else ~below))
        is_at_most = is_at_most | (lives & (at_most if lowest else ~at_most))
    if not lowest:
        is_below, is_at_most = ~is_below, ~is_at_most
    return by_relation(is_below, is_at_most, relation)


@kernel
def plain_fact(state: Any, battle: Any, unit: Any, ask: Any) -> Any:
    """A fact that is no share of HP, in lanes.

    Rule:    squads/README.md, Conditions, facts.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if ask.group != SCALAR:
        value = count_matching(state, battle, unit.side if ask.group == ALLIES else 1 - unit.side, ask)
    elif ask.fact == SELF_CHARGE:
        value = load(state, CHARGE + unit.index)
    elif ask.fact == SELF_COOLDOWN:
        value = load(state, COOLDOWN + unit.index)
    elif ask.fact == ROUND_NUMBER:
        value = load(state, TICK)
    elif ask.fact == ALLY_COUNT:
        value = load(state, LIVING + unit.side)
    elif ask.fact == ENEMY_COUNT:
        value = load(state, LIVING + 1 - unit.side)
    else:
        value = truth(state, has_status(state, unit, ask.fact - SELF_STATUS_OFFSET))
    return value


@kernel_noinline
def count_matching(state: Any, battle: Any, place: int, ask: Any) -> Any:
    """How many living units of a side match an ask.

    Rule:    squads/README.md, Conditions, groups.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[place]
    count = splat(state, 0)
    if ask.fact == EVERY_UNIT:
        return load(state, LIVING + place)
    for index in range(side.first, side.first + side.unit_count):
        unit = unit_at(battle, index)
        if ask.fact == UNIT_HP_PCT:
            matches = share_compares(state, unit, ask.compare, ask.number)
        elif ask.fact == UNIT_CHARGE:
            matches = compares(state, load(state, CHARGE + index), ask.compare, ask.number)
        else:
            matches = compares(state, truth(state, has_status(state, unit, ask.fact)), ask.compare, ask.number)
        matches = matches & (load(state, HP + index) != splat(state, 0))
        count = count + truth(state, matches)
    return count


@kernel_noinline
def has_status(state: Any, unit: Any, status: int) -> Any:
    """Where a unit has a status.

    Rule:    squads/README.md, Conditions, statuses (a buff is a shield, attack up or taunt).
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if status >= FIRST_CLASS_FACT:
        return ~no_lanes() if unit.role == status - FIRST_CLASS_FACT else no_lanes()
    none = splat(state, 0)
    answer = no_lanes()
    if status == IS_SHIELDED or status == IS_BUFFED:
        answer = answer | (load(state, SHIELD + unit.index) != none)
    if status == IS_ATTACK_UP or status == IS_BUFFED:
        answer = answer | (load(state, ATTACK_UP + unit.index) != none)
    if status == IS_TAUNTING or status == IS_BUFFED:
        answer = answer | (load(state, TAUNT_UNTIL + unit.index) != none)
    if status == IS_ATTACK_DOWN or status == IS_DEBUFFED:
        answer = answer | (load(state, ATTACK_DOWN + unit.index) != none)
    if status == IS_STUNNED or status == IS_DEBUFFED:
        answer = answer | (load(state, STUNNED + unit.index) != none)
    if status == IS_DAMAGED_OVER_TIME or status == IS_DEBUFFED:
        answer = answer | (load(state, WOUND_STRIKES + unit.index) != none)
    return answer


@kernel
def fraction(state: Any, battle: Any, unit: Any, ask: Any) -> Any:
    """A fact as numerator and denominator, with 64 bits each.

    Rule:    docs/reference/conditions.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    one = widest(splat_words(1))
    if not is_share(ask):
        return widest(plain_fact(state, battle, unit, ask)), one
    if ask.fact == SELF_HP_PCT:
        return share(state, unit)
    own = ask.fact == ALLIES_LOWEST or ask.fact == ALLIES_HIGHEST
    highest = ask.fact == ALLIES_HIGHEST or ask.fact == ENEMIES_HIGHEST
    side = battle.sides[unit.side if own else 1 - unit.side]
    found = no_lanes()
    best, best_of = one, one
    for index in range(side.first, side.first + side.unit_count):
        lives = load(state, HP + index) != splat(state, 0)
        hp, hp_of = share(state, unit_at(battle, index))
        left, right = hp * best_of, best * hp_of
        is_better = left > right if highest else left < right
        chosen = lives & (~found | is_better)
        best, best_of = select(chosen, hp, best), select(chosen, hp_of, best_of)
        found = found | lives
    return best, best_of


@kernel
def share(state: Any, unit: Any) -> Any:
    """A unit's share of its HP as a fraction, with 64 bits.

    Rule:    docs/reference/conditions.md.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    hp = widest(load(state, HP + unit.index))
    return hp * widest(splat_words(100)), widest(splat_words(unit.max_hp))


@kernel
def someone_is_hurt(state: Any, battle: Any, unit: Any) -> Any:
    """Where a living ally, the unit included, is below the healer threshold.

    Rule:    squads/README.md, A turn, "Configured and unconfigured".
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    side = battle.sides[unit.side]
    answer = no_lanes()
    for index in range(side.first, side.first + side.unit_count):
        is_below = share_compares(state, unit_at(battle, index), LESS, battle.options.healer_threshold)
        answer = answer | (is_below & (load(state, HP + index) != splat(state, 0)))
    return answer
