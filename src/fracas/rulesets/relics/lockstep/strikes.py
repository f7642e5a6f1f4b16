"""The strikes of a turn in lanes: rules/strikes.py and rules/thorns.py for 64 battles. relics/README.md, Strikes."""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import any_lane, load, load_mask, no_lanes, select, splat
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.agenda import caused_by, crossed, has_listener, put, put_thresholds
from fracas.rulesets.relics.lockstep.damage import landing, packet, take
from fracas.rulesets.relics.lockstep.deaths import check_at_once
from fracas.rulesets.relics.lockstep.facts import value
from fracas.rulesets.relics.lockstep.modifiers import has_any, holds_for, sum_of
from fracas.rulesets.relics.lockstep.quantity_changes import lose
from fracas.rulesets.relics.lockstep.resolution import decay, fire, judge_deaths, resolve
from fracas.rulesets.relics.lockstep.signed_lanes import count, is_less, mark, most, unmark, with_percentage
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING

# Twice as much as a packet may be, because Freeze halves it afterwards.
_LARGEST_PART = 2 * codes.LARGEST + 1


@kernel_noinline
def make_strikes(state, battle, actor: int, mask) -> None:
    """Attempt the active fighter's strikes, as many as it has by then, at most 16."""
    mask = mask & load_mask(state, rows.ALIVE)
    base = (
        splat(state, 1) + load(state, rows.EXTRA_ALWAYS + actor) + sum_of(state, battle, actor, codes.STRIKES, ANYTHING)
    )
    attempts = 0
    while any_lane(mask):
        all_strikes = base + load(state, rows.EXTRA_NOW + actor)
        mask = mask & load_mask(state, rows.ALIVE) & is_less(state, splat(state, attempts), all_strikes)
        if attempts == codes.MOST_STRIKES:
            count(state, rows.CUTS, mask)
            mask = no_lanes()
        if has_any(battle, actor, codes.CANNOT_ATTACK):
            mask = mask & ~holds_for(state, battle, actor, codes.CANNOT_ATTACK, ANYTHING)
        attempts += 1
        stunned = mask & (value(state, actor, codes.STUN) != splat(state, 0))
        if any_lane(stunned):
            skip_strike(state, battle, actor, stunned)
        striking = mask & ~stunned
        if any_lane(striking):
            strike(state, battle, actor, 1 - actor, striking)
    state.may_strike = 0


@kernel_noinline
def skip_strike(state, battle, actor: int, mask) -> None:
    """Skip a strike for a stun, and use the stun up."""
    state.striking = 1
    caused_by(state, actor, codes.BY_STUN, 0, 0)
    left = value(state, actor, codes.STUN) - splat(state, 1)
    put(state, battle, actor, codes.STRIKE_SKIPPED, left, NOTHING_OF, mask)
    caused_by(state, codes.NOBODY, codes.BY_STUN, 0, 0)
    lose(state, battle, actor, codes.STUN, splat(state, 1), mask)
    resolve(state, battle)
    state.striking = 0
    judge_deaths(state, battle, mask)


@kernel_noinline
def strike(state, battle, actor: int, target: int, mask) -> None:
    """Make a strike with everything that belongs to it."""
    state.striking = 1
    count(state, rows.STRIKE, mask)
    part = attack_part(state, battle, actor, target)
    count(state, rows.STRIKES_MADE + actor, mask)
    caused_by(state, actor, codes.BY_STRIKE, 0, 0)
    state.deferring = 1
    amount = landing(state, battle, target, part, True)
    to_armor = mask
    if has_any(battle, actor, codes.IGNORES_ARMOR):
        to_armor = mask & ~holds_for(state, battle, actor, codes.IGNORES_ARMOR, ANYTHING)
        to_hp = mask & ~to_armor
        if any_lane(to_hp):
            take(state, battle, target, amount, 0, True, to_hp)
    if any_lane(to_armor):
        take(state, battle, target, amount, 1, True, to_armor)
    check_at_once(state, battle, mask)
    resolve(state, battle)
    run_on_hit(state, battle, actor, amount, mask)
    fire(state, battle, actor, codes.EVERY_N_STRIKES, load(state, rows.STRIKES_MADE + actor), NOTHING_OF, mask)
    fire(state, battle, target, codes.ON_STRUCK, amount, NOTHING_OF, mask)
    reflect(state, battle, actor, target, mask)
    state.deferring = 0
    waiting = mask & load_mask(state, rows.ALIVE) & (crossed(state, actor) | crossed(state, target))
    if any_lane(waiting):
        caused_by(state, codes.NOBODY, codes.BY_STRIKE, 0, 0)
        put_thresholds(state, battle, actor, waiting)
        put_thresholds(state, battle, target, waiting)
        resolve(state, battle)
    state.striking = 0
    judge_deaths(state, battle, mask)


@kernel
def attack_part(state, battle, actor: int, target: int):
    """The ATK part of a strike: ATK and everything added, then percentages, then Freeze."""
    none = splat(state, 0)
    part = value(state, actor, codes.ATTACK) + value(state, actor, codes.TEMP_ATTACK)
    if has_any(battle, actor, codes.ATTACK_BONUS):
        part = part + sum_of(state, battle, actor, codes.ATTACK_BONUS, ANYTHING)
    part = most(state, part, none)
    if has_any(battle, actor, codes.ATTACK_PCT):
        part = with_percentage(state, part, sum_of(state, battle, actor, codes.ATTACK_PCT, ANYTHING), _LARGEST_PART)
    frozen = value(state, actor if battle.options.freeze_side == codes.BY_ATTACKER else target, codes.FREEZE) != none
    return select(frozen, part >> 1, part)


@kernel
def run_on_hit(state, battle, actor: int, taken, mask) -> None:
    """Run on-hit effects, once or more often."""
    if not has_listener(battle, actor, codes.ON_HIT):
        return
    if not has_any(battle, actor, codes.ON_HIT_RUNS):
        fire(state, battle, actor, codes.ON_HIT, taken, NOTHING_OF, mask)
        return
    mask = mask & load_mask(state, rows.ALIVE)
    more = sum_of(state, battle, actor, codes.ON_HIT_RUNS, ANYTHING)
    for time in range(codes.MOST_STRIKES):
        if time > 0:
            mask = mask & is_less(state, splat(state, time - 1), more)
        fire(state, battle, actor, codes.ON_HIT, taken, NOTHING_OF, mask)


@kernel
def reflect(state, battle, actor: int, target: int, mask) -> None:
    """Deal the defender's Thorns to the striker."""
    thorns = value(state, target, codes.THORNS)
    mask = mask & load_mask(state, rows.ALIVE) & (thorns != splat(state, 0))
    if any_lane(mask):
        mark(state, rows.REFLECTED + target, mask)
        caused_by(state, target, codes.BY_THORNS, 0, 0)
        packet(state, battle, actor, thorns, 0, 1, mask)
        check_at_once(state, battle, mask)
        resolve(state, battle)


@kernel
def clear_thorns(state, battle, mask) -> None:
    """Remove all Thorns of a fighter that was struck, or whose Thorns did damage, unless a modifier keeps them.

    README, A turn, step 3.1.
    """
    for side in range(codes.SIDES):
        thorns = value(state, side, codes.THORNS)
        had = load_mask(
            state, (rows.REFLECTED if battle.options.thorns_clear == codes.CLEARED_IF_FIRED else rows.STRUCK) + side
        )
        cleared = mask & had & (thorns != splat(state, 0))
        if any_lane(cleared):
            cleared = cleared & ~holds_for(state, battle, side, codes.THORNS_KEPT, ANYTHING)
            decay(state, battle, side, codes.THORNS, thorns, codes.BY_TURN_END, cleared)
    for side in range(codes.SIDES):
        unmark(state, rows.STRUCK + side, mask)
        unmark(state, rows.REFLECTED + side, mask)
