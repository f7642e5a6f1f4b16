"""Picks targets in lanes: rules/targeting.py for 64 battles at once.

The rules: squads/README.md, Reach and targets; docs/reference/dice.md, below(n).
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import below_few, may_refuse
from fracas.lanes.operations import (
    any_lane,
    as_words,
    load,
    load_words,
    look_up,
    no_lanes,
    select,
    splat,
    wide,
)
from fracas.rulesets.squads.lockstep import state as rows
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.units import unit_at


@kernel
def goes_first(state, battle, plan, planned, index: int):
    """Where a unit is one of those candidates that go before all others: it lives and taunts, or is hurt."""
    none = splat(state, 0)
    hp = load(state, rows.HP + index)
    answer = hp != none
    if planned.goes_first == rows.TAUNTERS_FIRST:
        if not plan.can_taunt >> index & 1:
            return no_lanes()
        answer = answer & (load(state, rows.TAUNT_UNTIL + index) != none)
    elif planned.goes_first == rows.HURT_FIRST:
        answer = answer & (hp < splat(state, unit_at(battle, index).max_hp))
    return answer


@kernel
def someone_goes_first(state, battle, plan, planned) -> Any:
    """Where some candidates go before all others."""
    answer = no_lanes()
    if planned.goes_first != rows.ALL_ARE_EQUAL:
        for index in range(planned.first, planned.first + planned.count):
            answer = answer | goes_first(state, battle, plan, planned, index)
    return answer


@kernel
def is_candidate(state, battle, plan, planned, index: int, others_first):
    """Where a unit can be chosen; `others_first` is where only those can who go first."""
    answer = load(state, rows.HP + index) != splat(state, 0)
    if planned.goes_first != rows.ALL_ARE_EQUAL:
        answer = answer & (goes_first(state, battle, plan, planned, index) | ~others_first)
    return answer


@kernel
def aim(state, battle, plan, unit, planned, wanted, default) -> Any:
    """The index of the target that a choice aims at, in the wanted lanes; by default where that is true."""
    others_first = someone_goes_first(state, battle, plan, planned)
    if planned.is_random:
        return aim_at_random(state, battle, plan, unit, planned, others_first)
    found_at = splat(state, 0)
    left = wanted
    for position in range(planned.entry_count):
        entry = planned.entries[position]
        if entry.selector == codes.BY_LOWEST_HP_ALLY:
            found_at = select(left, lowest_share(state, battle, planned), found_at)
            left = no_lanes()
        elif entry.selector == codes.BY_SELF:
            found_at = select(left & ~default, splat(state, unit.index), found_at)
            left = left & default
        elif entry.selector == codes.BY_LOWEST_HP:
            least = splat(state, (1 << plan.bits) - 1)
            open_lanes = left & ~default
            found = no_lanes()
            for index in range(planned.first, planned.first + planned.count):
                if entry.slots >> index & 1:
                    hp = load(state, rows.HP + index)
                    fits = open_lanes & is_candidate(state, battle, plan, planned, index, others_first)
                    chosen = fits & (hp < least)
                    least = select(chosen, hp, least)
                    found_at = select(chosen, splat(state, index), found_at)
                    found = found | fits
            left = left & ~found
        else:
            most = splat(state, 0)
            open_lanes = left & ~default
            found = no_lanes()
            for index in range(planned.first, planned.first + planned.count):
                value = value_of(state, battle, plan, entry.selector, index)
                fits = open_lanes & is_candidate(state, battle, plan, planned, index, others_first)
                chosen = fits & (~found | (value > most))
                most = select(chosen, value, most)
                found_at = select(chosen, splat(state, index), found_at)
                found = found | fits
            left = left & ~found
        if not any_lane(left):
            break
    return found_at


@kernel_noinline
def value_of(state, battle, plan, selector: int, index: int):
    """What a selector for the highest of something compares: HP, attack or the rank of speed."""
    if selector == codes.BY_HIGHEST_HP:
        return load(state, rows.HP + index)
    if selector == codes.BY_FASTEST:
        return splat(state, plan.swiftness[index])
    return look_up(plan.figures, plan.threats[index], variant_of(state, plan, battle.units[index].side, index))


@kernel
def variant_of(state, plan, side: int, index: int):
    """Which combination of attack up and attack down a unit is under, as figures count them.

    README, Effects: attack up, attack down.
    """
    variant = splat(state, 0)
    if plan.up_count[side] > 1:
        variant = load(state, rows.ATTACK_UP + index) * splat(state, plan.down_count[side])
    if plan.down_count[side] > 1:
        variant = variant + load(state, rows.ATTACK_DOWN + index)
    return variant


@kernel_noinline
def lowest_share(state, battle, planned) -> Any:
    """The index of the living unit with the lowest share of its HP, found by cross-multiplication."""
    found = no_lanes()
    found_at = splat(state, 0)
    best, best_of = wide(found_at), wide(found_at)
    for index in range(planned.first, planned.first + planned.count):
        hp = load(state, rows.HP + index)
        lives = hp != splat(state, 0)
        share, share_of = wide(hp), wide(splat(state, unit_at(battle, index).max_hp))
        chosen = lives & (~found | (share * best_of < best * share_of))
        best, best_of = select(chosen, share, best), select(chosen, share_of, best_of)
        found_at = select(chosen, splat(state, index), found_at)
        found = found | lives
    return found_at


@kernel
def aim_at_random(state, battle, plan, unit, planned, others_first) -> Any:
    """The index of a random candidate, by the first word of the turn."""
    count = count_candidates(state, battle, plan, planned, others_first)
    left = below_few(state, load_words(state, rows.FIRST_WORD + unit.index), as_words(count))
    found_at = splat(state, 0)
    waits = ~no_lanes()
    for index in range(planned.first, planned.first + planned.count):
        fits = waits & is_candidate(state, battle, plan, planned, index, others_first)
        chosen = fits & (left == splat(state, 0))
        found_at = select(chosen, splat(state, index), found_at)
        waits = waits & ~chosen
        left = select(fits, left - splat(state, 1), left)
    return found_at


@kernel
def count_candidates(state, battle, plan, planned, others_first) -> Any:
    """How many units can be chosen."""
    count = splat(state, 0)
    for index in range(planned.first, planned.first + planned.count):
        fits = is_candidate(state, battle, plan, planned, index, others_first)
        count = select(fits, count + splat(state, 1), count)
    return count


@kernel
def may_be_refused(state, battle, plan, unit, planned) -> Any:
    """Where below(n) could refuse the turn's first word: the low half of the product is below n."""
    others_first = someone_goes_first(state, battle, plan, planned)
    n = as_words(count_candidates(state, battle, plan, planned, others_first))
    return may_refuse(load_words(state, rows.FIRST_WORD + unit.index), n)
