"""Plays rounds in lanes: rules/mechanics.py and rules/outcome.py for 64 battles at once."""

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
from fracas.rulesets.squads.lockstep.conditions import condition_holds
from fracas.rulesets.squads.lockstep.effects import apply_ability, gain_charge, strike_one_each
from fracas.rulesets.squads.lockstep.facts import someone_is_hurt
from fracas.rulesets.squads.lockstep.plan import masked_turns
from fracas.rulesets.squads.lockstep.plan_choices import choice_of
from fracas.rulesets.squads.lockstep.state import (
    ATTACK_DOWN,
    ATTACK_DOWN_UNTIL,
    ATTACK_UP,
    ATTACK_UP_UNTIL,
    BLOCK,
    CHARGE,
    COOLDOWN,
    CRITICALS,
    HP,
    JUST_STUNNED,
    LIVING,
    RANK,
    SHIELD,
    SHIELD_UNTIL,
    STUNNED,
    TAUNT_UNTIL,
    TICK,
    ULTIMATE_COOLDOWN,
    WOUND,
    WOUND_STRIKES,
)
from fracas.rulesets.squads.lockstep.targets import aim, may_be_refused
from fracas.rulesets.squads.lockstep.turn_dice import draw_turn, rank_tied
from fracas.rulesets.squads.rules.constants import (
    BASIC,
    BY_CHARGE,
    CHOICE_COUNT,
    CLASS_ABILITY,
    LAST_SLOT,
    MAX_CHARGE,
    SLOTS,
    ULTIMATE,
)
from fracas.rulesets.squads.rules.units import unit_at


@kernel
def play_round(state: Any, battle: Any, plan: Any, running: Any) -> Any:
    """Play one round in the running lanes; returns those that are undecided after it.

    Rule:    squads/README.md, A round.
    Changes: the state.
    Draws:   as the functions below, in their order.
    Emits:   nothing.
    """
    start_round(state, battle, plan, running)
    for group in range(plan.group_count):
        first, size = plan.group_first[group], plan.group_size[group]
        for place in range(first, first + size):
            draw_turn(state, battle, plan, unit_at(battle, battle.by_speed[place]), running)
        for turn in range(masked_turns(size)):
            # Two tied units: the first where it goes first, the second, the first where it goes last.
            place = first
            mask = running
            if size == 2:
                place += turn & 1
                if turn != 1:
                    mask = mask & (load(state, RANK + battle.by_speed[first]) == splat(state, turn >> 1))
            elif size > 2:
                place += turn % size
                mask = mask & (load(state, RANK + battle.by_speed[place]) == splat(state, turn // size))
            running = take_turn(state, battle, plan, unit_at(battle, battle.by_speed[place]), mask, running)
    return end_round(state, battle, plan, running)


@kernel
def start_round(state: Any, battle: Any, plan: Any, running: Any) -> None:
    """Start a round, and rank the units that tie for their place in its order.

    Rule:    squads/README.md, Initiative.
    Changes: TICK, RANK, the words.
    Draws:   word() for every unit slot from (round, table), if any units are tied; they always count as drawn.
    Emits:   nothing.
    """
    store(state, TICK, load(state, TICK) + splat(state, 1))
    store_words(state, TICK_WORDS, load_words(state, TICK_WORDS) + splat_words(1))
    store_words(state, BLOCKS_DRAWN, load_words(state, BLOCKS_DRAWN) + splat_words(1))
    if not plan.has_ties:
        return
    draw_block(state, battle, BLOCK, TABLE, running)
    for group in range(plan.group_count):
        first, size = plan.group_first[group], plan.group_size[group]
        if size > 1:
            for place in range(first, first + size):
                rank_tied(state, battle, battle.by_speed[place], first, first + size)


@kernel_noinline
def take_turn(state: Any, battle: Any, plan: Any, unit: Any, mask: Any, running: Any) -> Any:
    """Play a unit's turn where it lives; returns where the battle goes on.

    Rule:    squads/README.md, A turn.
    Changes: the state, GIVEN_UP.
    Draws:   none; the words are drawn already, and count as drawn here.
    Emits:   nothing.
    """
    index = unit.index & LAST_SLOT
    mask = mask & running & (load(state, HP + index) != splat(state, 0))
    if not any_lane(mask):
        return running
    mask = begin_turn(state, battle, plan, index, mask)
    ultimate = judge_ultimate(state, battle, plan, unit, mask)
    ability = mask & ~ultimate & (load(state, COOLDOWN + index) == splat(state, 0))
    refused = no_lanes()
    if any_lane(ability):
        planned = choice_of(plan, index, CLASS_ABILITY)
        wanted = ability & judge(state, battle, unit, planned)
        if planned.falls_back:
            refused = ability & ~wanted & someone_is_hurt(state, battle, unit)
        ability = wanted | refused
    basic = mask & ~ultimate & ~ability
    pay(state, battle, plan, index, ultimate, ability, basic)
    for choice in range(CHOICE_COUNT):
        chosen = basic if choice == BASIC else ability if choice == CLASS_ABILITY else ultimate
        if any_lane(chosen):
            use_ability(state, battle, plan, unit, choice_of(plan, index, choice), chosen, refused)
    return running & ~(mask & (load(state, LIVING + 1 - unit.side) == splat(state, 0)))


@kernel
def begin_turn(state: Any, battle: Any, plan: Any, index: int, mask: Any) -> Any:
    """Begin a unit's turn: lower its cooldowns; returns where it does not lose the turn to a stun.

    Rule:    squads/README.md, A turn, steps 1 and 2.
    Changes: the unit's rows.
    Draws:   none.
    Emits:   nothing.
    """
    one, none = splat(state, 1), splat(state, 0)
    cooldown = load(state, COOLDOWN + index)
    change(state, COOLDOWN + index, mask, cooldown - smaller(cooldown, one))
    if battle.options.ultimate_rule != BY_CHARGE:
        cooldown = load(state, ULTIMATE_COOLDOWN + index)
        change(state, ULTIMATE_COOLDOWN + index, mask, cooldown - smaller(cooldown, one))
    if plan.can_stun >> index & 1:
        stunned = load(state, STUNNED + index)
        change(state, STUNNED + index, mask, none)
        change(state, JUST_STUNNED + index, mask, stunned)
        mask = mask & (stunned == none)
    return mask


@kernel
def judge_ultimate(state: Any, battle: Any, plan: Any, unit: Any, mask: Any) -> Any:
    """Where the ultimate is used.

    Rule:    squads/README.md, A turn, step 3a.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    index = unit.index & LAST_SLOT
    if battle.options.ultimate_rule == BY_CHARGE:
        ready = mask & (load(state, CHARGE + index) >= splat(state, MAX_CHARGE))
    else:
        ready = mask & (load(state, ULTIMATE_COOLDOWN + index) == splat(state, 0))
    if any_lane(ready):
        ready = ready & judge(state, battle, unit, choice_of(plan, index, ULTIMATE))
    return ready


@kernel_noinline
def judge(state: Any, battle: Any, unit: Any, planned: Any) -> Any:
    """Where the strategy wants a choice that is ready.

    Rule:    squads/README.md, A turn, "Configured and unconfigured".
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if planned.step_count > 0:
        return condition_holds(state, battle, unit, planned)
    if planned.needs_hurt:
        return someone_is_hurt(state, battle, unit)
    return ~no_lanes()


@kernel
def pay(state: Any, battle: Any, plan: Any, index: int, ultimate: Any, ability: Any, basic: Any) -> None:
    """Start the cooldowns of what is used, spend an ultimate's charge, and gain charge for anything else.

    Rule:    squads/README.md, A turn, steps 4 and 5. Nobody else looks at this charge before the turn is over.
    Changes: the unit's rows.
    Draws:   none.
    Emits:   nothing.
    """
    if any_lane(ability):
        change(state, COOLDOWN + index, ability, splat(state, choice_of(plan, index, CLASS_ABILITY).cooldown))
    if battle.options.ultimate_rule == BY_CHARGE:
        if any_lane(ultimate):
            change(state, CHARGE + index, ultimate, splat(state, 0))
        gain_charge(state, index, ability | basic, battle.options.charge_action)
    elif any_lane(ultimate):
        cooldown = choice_of(plan, index, ULTIMATE).cooldown
        change(state, ULTIMATE_COOLDOWN + index, ultimate, splat(state, cooldown))


@kernel
def use_ability(state: Any, battle: Any, plan: Any, unit: Any, planned: Any, mask: Any, refused: Any) -> None:
    """Apply an ability to all its targets in index order.

    Rule:    squads/README.md, Reach and targets.
    Changes: the state, GIVEN_UP.
    Draws:   none; the words are drawn already, and count as drawn here.
    Emits:   nothing.
    """
    index = unit.index & LAST_SLOT
    if planned.words > 0:
        count_block(state, mask)
    if planned.is_random:
        give_up(state, mask & may_be_refused(state, battle, plan, unit, planned))
        rolls = load(state, CRITICALS + index)
        store(state, CRITICALS + index, select(mask, rolls >> 1, rolls))
    target = splat(state, 0)
    if planned.is_aimed:
        target = aim(state, battle, plan, unit, planned, mask, refused)
        if planned.is_one_strike:
            strike_one_each(state, battle, plan, unit, planned, target, mask)
            return
    for index in range(planned.first, planned.first + planned.count):
        reached = mask & (load(state, HP + index) != splat(state, 0))
        if planned.is_aimed:
            reached = reached & (target == splat(state, index))
        if any_lane(reached):
            apply_ability(state, battle, plan, unit, planned, index, reached)


@kernel
def end_round(state: Any, battle: Any, plan: Any, running: Any) -> Any:
    """End a round: damage over time, expiries, the test whether battles are over; returns where they are not.

    Rule:    squads/README.md, Round end; End.
    Changes: the state.
    Draws:   none.
    Emits:   nothing.
    """
    none = splat(state, 0)
    tick = load(state, TICK)
    if plan.can_wound:
        for index in range(SLOTS):
            if plan.can_wound >> index & 1:
                suffer(state, battle, index, running)
    for index in range(SLOTS):
        if plan.can_shield >> index & 1:
            expire(state, SHIELD + index, SHIELD_UNTIL + index, tick)
        if plan.can_raise >> index & 1:
            expire(state, ATTACK_UP + index, ATTACK_UP_UNTIL + index, tick)
        if plan.can_lower >> index & 1:
            expire(state, ATTACK_DOWN + index, ATTACK_DOWN_UNTIL + index, tick)
        if plan.can_taunt >> index & 1:
            expire(state, TAUNT_UNTIL + index, TAUNT_UNTIL + index, tick)
    decided = (load(state, LIVING) == none) | (load(state, LIVING + 1) == none)
    return running & ~decided & (tick < splat(state, battle.options.round_cap))


@kernel_noinline
def suffer(state: Any, battle: Any, index: int, running: Any) -> None:
    """Damage over time strikes a unit; after its last strike it ends.

    Rule:    squads/README.md, Effects, damage over time; Round end.
    Changes: the unit's rows, LIVING.
    Draws:   none.
    Emits:   nothing.
    """
    none = splat(state, 0)
    hp, strikes = load(state, HP + index), load(state, WOUND_STRIKES + index)
    struck = running & (hp != none) & (strikes != none)
    if not any_lane(struck):
        return
    left = hp - smaller(hp, load(state, WOUND + index))
    strikes = strikes - splat(state, 1)
    change(state, HP + index, struck, left)
    change(state, WOUND_STRIKES + index, struck, strikes)
    change(state, WOUND + index, struck & (strikes == none), none)
    living = load(state, LIVING + unit_at(battle, index).side)
    fallen = struck & (left == none)
    store(state, LIVING + unit_at(battle, index).side, living - truth(state, fallen))


@kernel
def expire(state: Any, row: int, until: int, tick: Any) -> None:
    """End an effect whose last round this was.

    Rule:    squads/README.md, Round end.
    Changes: the row.
    Draws:   none.
    Emits:   nothing.
    """
    change(state, row, load(state, until) <= tick, splat(state, 0))
