"""The strikes of a turn in lanes: rules/strikes.py and rules/thorns.py for 64 battles."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import any_lane, load, load_mask, no_lanes, select, splat
from fracas.rulesets.relics.lockstep.agenda import caused_by, crossed, has_listener, put, put_thresholds
from fracas.rulesets.relics.lockstep.damage import landing, packet, take
from fracas.rulesets.relics.lockstep.deaths import check_at_once
from fracas.rulesets.relics.lockstep.facts import value
from fracas.rulesets.relics.lockstep.modifiers import has_any, holds_for, sum_of
from fracas.rulesets.relics.lockstep.quantity_changes import lose
from fracas.rulesets.relics.lockstep.resolution import come_up, fall_off, judge_deaths, resolve
from fracas.rulesets.relics.lockstep.signed_lanes import count, is_less, mark, most, unmark, with_percentage
from fracas.rulesets.relics.lockstep.state import (
    ALIVE,
    CUTS,
    EXTRA_ALWAYS,
    EXTRA_NOW,
    REFLECTED,
    STRIKE,
    STRIKES_MADE,
    STRUCK,
)
from fracas.rulesets.relics.rules.constants import (
    ATTACK,
    ATTACK_BONUS,
    ATTACK_PCT,
    BY_ATTACKER,
    BY_STRIKE,
    BY_STUN,
    BY_THORNS,
    BY_TURN_END,
    CANNOT_ATTACK,
    CLEARED_IF_FIRED,
    EVERY_N_STRIKES,
    FREEZE,
    IGNORES_ARMOR,
    LARGEST,
    MOST_STRIKES,
    NOBODY,
    ON_HIT,
    ON_HIT_RUNS,
    ON_STRUCK,
    SIDES,
    STRIKE_SKIPPED,
    STRIKES,
    STUN,
    TEMP_ATTACK,
    THORNS,
    THORNS_KEPT,
)
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING

# Twice as much as a packet may be, because Freeze halves it afterwards.
_LARGEST_PART = 2 * LARGEST + 1


@kernel_noinline
def make_strikes(state: Any, battle: Any, actor: int, mask: Any) -> None:
    """Attempt the active fighter's strikes, as many as it has by then, at most 16.

    Rule:    relics/README.md, Strikes.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    mask = mask & load_mask(state, ALIVE)
    base = splat(state, 1) + load(state, EXTRA_ALWAYS + actor) + sum_of(state, battle, actor, STRIKES, ANYTHING)
    attempts = 0
    while any_lane(mask):
        all_strikes = base + load(state, EXTRA_NOW + actor)
        mask = mask & load_mask(state, ALIVE) & is_less(state, splat(state, attempts), all_strikes)
        if attempts == MOST_STRIKES:
            count(state, CUTS, mask)
            mask = no_lanes()
        if has_any(battle, actor, CANNOT_ATTACK):
            mask = mask & ~holds_for(state, battle, actor, CANNOT_ATTACK, ANYTHING)
        attempts += 1
        stunned = mask & (value(state, actor, STUN) != splat(state, 0))
        if any_lane(stunned):
            skip_strike(state, battle, actor, stunned)
        striking = mask & ~stunned
        if any_lane(striking):
            strike(state, battle, actor, 1 - actor, striking)
    state.may_strike = 0


@kernel_noinline
def skip_strike(state: Any, battle: Any, actor: int, mask: Any) -> None:
    """Skip a strike for a stun, and use the stun up.

    Rule:    relics/README.md, Strikes, steps 2 and 10.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    state.striking = 1
    caused_by(state, actor, BY_STUN, 0, 0)
    left = value(state, actor, STUN) - splat(state, 1)
    put(state, battle, actor, STRIKE_SKIPPED, left, NOTHING_OF, mask)
    caused_by(state, NOBODY, BY_STUN, 0, 0)
    lose(state, battle, actor, STUN, splat(state, 1), mask)
    resolve(state, battle)
    state.striking = 0
    judge_deaths(state, battle, mask)


@kernel_noinline
def strike(state: Any, battle: Any, actor: int, target: int, mask: Any) -> None:
    """Make a strike with everything that belongs to it.

    Rule:    relics/README.md, Strikes, steps 3 to 10.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    state.striking = 1
    count(state, STRIKE, mask)
    part = attack_part(state, battle, actor, target)
    count(state, STRIKES_MADE + actor, mask)
    caused_by(state, actor, BY_STRIKE, 0, 0)
    state.deferring = 1
    amount = landing(state, battle, target, part, True)
    to_armor = mask
    if has_any(battle, actor, IGNORES_ARMOR):
        to_armor = mask & ~holds_for(state, battle, actor, IGNORES_ARMOR, ANYTHING)
        to_hp = mask & ~to_armor
        if any_lane(to_hp):
            take(state, battle, target, amount, 0, True, to_hp)
    if any_lane(to_armor):
        take(state, battle, target, amount, 1, True, to_armor)
    check_at_once(state, battle, mask)
    resolve(state, battle)
    run_on_hit(state, battle, actor, amount, mask)
    come_up(state, battle, actor, EVERY_N_STRIKES, load(state, STRIKES_MADE + actor), NOTHING_OF, mask)
    come_up(state, battle, target, ON_STRUCK, amount, NOTHING_OF, mask)
    reflect(state, battle, actor, target, mask)
    state.deferring = 0
    waiting = mask & load_mask(state, ALIVE) & (crossed(state, actor) | crossed(state, target))
    if any_lane(waiting):
        caused_by(state, NOBODY, BY_STRIKE, 0, 0)
        put_thresholds(state, battle, actor, waiting)
        put_thresholds(state, battle, target, waiting)
        resolve(state, battle)
    state.striking = 0
    judge_deaths(state, battle, mask)


@kernel
def attack_part(state: Any, battle: Any, actor: int, target: int) -> Any:
    """The ATK part of a strike: ATK and everything added, then percentages, then Freeze.

    Rule:    relics/README.md, Strikes, step 3.
    Changes: as asked.
    Draws:   none.
    Emits:   nothing.
    """
    none = splat(state, 0)
    part = value(state, actor, ATTACK) + value(state, actor, TEMP_ATTACK)
    if has_any(battle, actor, ATTACK_BONUS):
        part = part + sum_of(state, battle, actor, ATTACK_BONUS, ANYTHING)
    part = most(state, part, none)
    if has_any(battle, actor, ATTACK_PCT):
        part = with_percentage(state, part, sum_of(state, battle, actor, ATTACK_PCT, ANYTHING), _LARGEST_PART)
    frozen = value(state, actor if battle.options.freeze_side == BY_ATTACKER else target, FREEZE) != none
    return select(frozen, part >> 1, part)


@kernel
def run_on_hit(state: Any, battle: Any, actor: int, taken: Any, mask: Any) -> None:
    """Run on-hit effects, once or more often.

    Rule:    relics/README.md, Strikes, step 5.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    if not has_listener(battle, actor, ON_HIT):
        return
    if not has_any(battle, actor, ON_HIT_RUNS):
        come_up(state, battle, actor, ON_HIT, taken, NOTHING_OF, mask)
        return
    mask = mask & load_mask(state, ALIVE)
    more = sum_of(state, battle, actor, ON_HIT_RUNS, ANYTHING)
    for time in range(MOST_STRIKES):
        if time > 0:
            mask = mask & is_less(state, splat(state, time - 1), more)
        come_up(state, battle, actor, ON_HIT, taken, NOTHING_OF, mask)


@kernel
def reflect(state: Any, battle: Any, actor: int, target: int, mask: Any) -> None:
    """Deal the defender's Thorns to the striker.

    Rule:    relics/README.md, Strikes, step 8.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    thorns = value(state, target, THORNS)
    mask = mask & load_mask(state, ALIVE) & (thorns != splat(state, 0))
    if any_lane(mask):
        mark(state, REFLECTED + target, mask)
        caused_by(state, target, BY_THORNS, 0, 0)
        packet(state, battle, actor, thorns, 0, 1, mask)
        check_at_once(state, battle, mask)
        resolve(state, battle)


@kernel
def clear_thorns(state: Any, battle: Any, mask: Any) -> None:
    """Remove all Thorns of a fighter that was struck, or whose Thorns did damage, unless a modifier keeps them.

    Rule:    relics/README.md, A turn, step 3.1.
    Changes: the state; both fighters' STRUCK and REFLECTED.
    Draws:   as the effects.
    Emits:   nothing.
    """
    for side in range(SIDES):
        thorns = value(state, side, THORNS)
        had = load_mask(state, (REFLECTED if battle.options.thorns_clear == CLEARED_IF_FIRED else STRUCK) + side)
        cleared = mask & had & (thorns != splat(state, 0))
        if any_lane(cleared):
            cleared = cleared & ~holds_for(state, battle, side, THORNS_KEPT, ANYTHING)
            fall_off(state, battle, side, THORNS, thorns, BY_TURN_END, cleared)
    for side in range(SIDES):
        unmark(state, STRUCK + side, mask)
        unmark(state, REFLECTED + side, mask)
