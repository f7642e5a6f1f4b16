"""Plays rounds in lanes: rules/mechanics.py and rules/outcome.py for 64 battles at once.

The rules: squads/README.md, A turn; Round end.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import TABLE
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import (
    BLOCKS_DRAWN,
    TICK_WORDS,
    change,
    count_block,
    draw_block,
    give_up,
    truth,
)
from fracas.lanes.operations import (
    any_lane,
    load,
    load_words,
    no_lanes,
    select,
    smaller,
    splat,
    splat_words,
    store,
    store_words,
)
from fracas.rulesets.squads.lockstep import state as rows
from fracas.rulesets.squads.lockstep.conditions import condition_holds
from fracas.rulesets.squads.lockstep.effects import apply_ability, gain_charge, strike_one_each
from fracas.rulesets.squads.lockstep.facts import someone_is_hurt
from fracas.rulesets.squads.lockstep.plan import masked_turns
from fracas.rulesets.squads.lockstep.plan_choices import choice_of
from fracas.rulesets.squads.lockstep.targets import aim, may_be_refused
from fracas.rulesets.squads.lockstep.turn_dice import draw_turn, rank_tied
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.units import unit_at


@kernel
def play_round(state, battle, plan, running) -> Any:
    """Play one round in the running lanes; returns those that are undecided after it (README, A round)."""
    start_round(state, battle, plan, running)
    for group in range(plan.group_count):
        first, size = plan.group_first[group], plan.group_size[group]
        for index in range(first, first + size):
            draw_turn(state, battle, plan, unit_at(battle, battle.by_speed[index]), running)
        for turn in range(masked_turns(size)):
            # Two tied units: the first where it goes first, the second, the first where it goes last.
            index = first
            mask = running
            if size == 2:
                index += turn & 1
                if turn != 1:
                    mask = mask & (load(state, rows.RANK + battle.by_speed[first]) == splat(state, turn >> 1))
            elif size > 2:
                index += turn % size
                mask = mask & (load(state, rows.RANK + battle.by_speed[index]) == splat(state, turn // size))
            running = take_turn(state, battle, plan, unit_at(battle, battle.by_speed[index]), mask, running)
    return end_round(state, battle, plan, running)


@kernel
def start_round(state, battle, plan, running) -> None:
    """Start a round, and rank the units that tie for their place in its order (README, Initiative)."""
    store(state, rows.TICK, load(state, rows.TICK) + splat(state, 1))
    store_words(state, TICK_WORDS, load_words(state, TICK_WORDS) + splat_words(1))
    store_words(state, BLOCKS_DRAWN, load_words(state, BLOCKS_DRAWN) + splat_words(1))
    if not plan.has_ties:
        return
    draw_block(state, battle, rows.BLOCK, TABLE, running)
    for group in range(plan.group_count):
        first, size = plan.group_first[group], plan.group_size[group]
        if size > 1:
            for index in range(first, first + size):
                rank_tied(state, battle, battle.by_speed[index], first, first + size)


@kernel_noinline
def take_turn(state, battle, plan, unit, mask, running) -> Any:
    """Play a unit's turn where it lives; returns where the battle goes on."""
    index = unit.index & codes.LAST_SLOT
    mask = mask & running & (load(state, rows.HP + index) != splat(state, 0))
    if not any_lane(mask):
        return running
    mask = begin_turn(state, battle, plan, index, mask)
    ultimate = judge_ultimate(state, battle, plan, unit, mask)
    ability = mask & ~ultimate & (load(state, rows.COOLDOWN + index) == splat(state, 0))
    refused = no_lanes()
    if any_lane(ability):
        planned = choice_of(plan, index, codes.CLASS_ABILITY)
        wanted = ability & wants(state, battle, unit, planned)
        if planned.falls_back:
            refused = ability & ~wanted & someone_is_hurt(state, battle, unit)
        ability = wanted | refused
    basic = mask & ~ultimate & ~ability
    pay(state, battle, plan, index, ultimate, ability, basic)
    for choice in range(codes.CHOICE_COUNT):
        chosen = basic if choice == codes.BASIC else ability if choice == codes.CLASS_ABILITY else ultimate
        if any_lane(chosen):
            use_ability(state, battle, plan, unit, choice_of(plan, index, choice), chosen, refused)
    return running & ~(mask & (load(state, rows.LIVING + 1 - unit.side) == splat(state, 0)))


@kernel
def begin_turn(state, battle, plan, index: int, mask):
    """Begin a unit's turn: lower its cooldowns; returns where it does not lose the turn to a stun."""
    one, none = splat(state, 1), splat(state, 0)
    cooldown = load(state, rows.COOLDOWN + index)
    change(state, rows.COOLDOWN + index, mask, cooldown - smaller(cooldown, one))
    if battle.options.ultimate_rule != codes.BY_CHARGE:
        cooldown = load(state, rows.ULTIMATE_COOLDOWN + index)
        change(state, rows.ULTIMATE_COOLDOWN + index, mask, cooldown - smaller(cooldown, one))
    if plan.can_stun >> index & 1:
        stunned = load(state, rows.STUNNED + index)
        change(state, rows.STUNNED + index, mask, none)
        change(state, rows.JUST_STUNNED + index, mask, stunned)
        mask = mask & (stunned == none)
    return mask


@kernel
def judge_ultimate(state, battle, plan, unit, mask) -> Any:
    """Where the ultimate is used."""
    index = unit.index & codes.LAST_SLOT
    if battle.options.ultimate_rule == codes.BY_CHARGE:
        ready = mask & (load(state, rows.CHARGE + index) >= splat(state, codes.MAX_CHARGE))
    else:
        ready = mask & (load(state, rows.ULTIMATE_COOLDOWN + index) == splat(state, 0))
    if any_lane(ready):
        ready = ready & wants(state, battle, unit, choice_of(plan, index, codes.ULTIMATE))
    return ready


@kernel_noinline
def wants(state, battle, unit, planned) -> Any:
    """Where the strategy wants a choice that is ready."""
    if planned.step_count > 0:
        return condition_holds(state, battle, unit, planned)
    if planned.needs_hurt:
        return someone_is_hurt(state, battle, unit)
    return ~no_lanes()


@kernel
def pay(state, battle, plan, index: int, ultimate, ability, basic) -> None:
    """Start the cooldowns of what is used, spend an ultimate's charge, and gain charge for anything else.

    Nobody else looks at this charge before the turn is over.
    """
    if any_lane(ability):
        change(
            state, rows.COOLDOWN + index, ability, splat(state, choice_of(plan, index, codes.CLASS_ABILITY).cooldown)
        )
    if battle.options.ultimate_rule == codes.BY_CHARGE:
        if any_lane(ultimate):
            change(state, rows.CHARGE + index, ultimate, splat(state, 0))
        gain_charge(state, index, ability | basic, battle.options.charge_action)
    elif any_lane(ultimate):
        cooldown = choice_of(plan, index, codes.ULTIMATE).cooldown
        change(state, rows.ULTIMATE_COOLDOWN + index, ultimate, splat(state, cooldown))


@kernel
def use_ability(state, battle, plan, unit, planned, mask, refused) -> None:
    """Apply an ability to all its targets in index order (README, Reach and targets)."""
    index = unit.index & codes.LAST_SLOT
    if planned.words > 0:
        count_block(state, mask)
    if planned.is_random:
        give_up(state, mask & may_be_refused(state, battle, plan, unit, planned))
        rolls = load(state, rows.CRITICALS + index)
        store(state, rows.CRITICALS + index, select(mask, rolls >> 1, rolls))
    target = splat(state, 0)
    if planned.is_aimed:
        target = aim(state, battle, plan, unit, planned, mask, refused)
        if planned.is_one_strike:
            strike_one_each(state, battle, plan, unit, planned, target, mask)
            return
    for index in range(planned.first, planned.first + planned.count):
        reached = mask & (load(state, rows.HP + index) != splat(state, 0))
        if planned.is_aimed:
            reached = reached & (target == splat(state, index))
        if any_lane(reached):
            apply_ability(state, battle, plan, unit, planned, index, reached)


@kernel
def end_round(state, battle, plan, running) -> Any:
    """End a round: damage over time, expiries, the test whether battles are over; returns where they are not.

    README, End.
    """
    none = splat(state, 0)
    tick = load(state, rows.TICK)
    if plan.can_wound:
        for index in range(codes.SLOTS):
            if plan.can_wound >> index & 1:
                tick_dot(state, battle, index, running)
    for index in range(codes.SLOTS):
        if plan.can_shield >> index & 1:
            expire(state, rows.SHIELD + index, rows.SHIELD_UNTIL + index, tick)
        if plan.can_raise >> index & 1:
            expire(state, rows.ATTACK_UP + index, rows.ATTACK_UP_UNTIL + index, tick)
        if plan.can_lower >> index & 1:
            expire(state, rows.ATTACK_DOWN + index, rows.ATTACK_DOWN_UNTIL + index, tick)
        if plan.can_taunt >> index & 1:
            expire(state, rows.TAUNT_UNTIL + index, rows.TAUNT_UNTIL + index, tick)
    decided = (load(state, rows.LIVING) == none) | (load(state, rows.LIVING + 1) == none)
    return running & ~decided & (tick < splat(state, battle.options.round_cap))


@kernel_noinline
def tick_dot(state, battle, index: int, running) -> None:
    """Damage over time strikes a unit; after its last strike it ends (README, Effects, damage over time)."""
    none = splat(state, 0)
    hp, strikes = load(state, rows.HP + index), load(state, rows.WOUND_STRIKES + index)
    struck = running & (hp != none) & (strikes != none)
    if not any_lane(struck):
        return
    left = hp - smaller(hp, load(state, rows.WOUND + index))
    strikes = strikes - splat(state, 1)
    change(state, rows.HP + index, struck, left)
    change(state, rows.WOUND_STRIKES + index, struck, strikes)
    change(state, rows.WOUND + index, struck & (strikes == none), none)
    living = load(state, rows.LIVING + unit_at(battle, index).side)
    fallen = struck & (left == none)
    store(state, rows.LIVING + unit_at(battle, index).side, living - truth(state, fallen))


@kernel
def expire(state, row: int, until: int, tick) -> None:
    """End an effect whose last round this was."""
    change(state, row, load(state, until) <= tick, splat(state, 0))
