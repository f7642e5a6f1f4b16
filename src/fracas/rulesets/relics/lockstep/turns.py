"""Turns in lanes, in the order of play: rules/turns.py and the effects of rules/setup.py for 64 battles.

The rules: relics/README.md, Order of play; A turn.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import any_lane, load, load_mask, load_words, select, splat, splat_words, store_words
from fracas.rulesets.relics.lockstep import state as rows
from fracas.rulesets.relics.lockstep.agenda import caused_by, has_listener
from fracas.rulesets.relics.lockstep.countdowns import tick_countdowns
from fracas.rulesets.relics.lockstep.damage import heal, packet
from fracas.rulesets.relics.lockstep.deaths import check_at_once
from fracas.rulesets.relics.lockstep.facts import value
from fracas.rulesets.relics.lockstep.resolution import decay, fire, judge_deaths, resolve
from fracas.rulesets.relics.lockstep.rolls import picked, turn_to
from fracas.rulesets.relics.lockstep.signed_lanes import count, is_above_0, is_less, mark, unmark
from fracas.rulesets.relics.lockstep.strikes import clear_thorns, make_strikes
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF


@kernel_noinline
def play_set_up(state, battle, mask) -> None:
    """Run the pre and battle_start effects of battles that are set up, and decide who acts first."""
    none = splat(state, 0)
    state.active = codes.NOBODY
    if battle.options.allow_pre_phase == 1:
        turn_to(state, codes.PRE_LANE + codes.RIGHT)
        fire(state, battle, codes.RIGHT, codes.PRE, none, NOTHING_OF, mask)
        turn_to(state, codes.PRE_LANE + codes.LEFT)
        fire(state, battle, codes.LEFT, codes.PRE, none, NOTHING_OF, mask)
        judge_deaths(state, battle, mask)
    turn_to(state, codes.LEFT)
    fire(state, battle, codes.LEFT, codes.BATTLE_START, none, NOTHING_OF, mask)
    turn_to(state, codes.RIGHT)
    fire(state, battle, codes.RIGHT, codes.BATTLE_START, none, NOTHING_OF, mask)
    judge_deaths(state, battle, mask)
    left, right = value(state, codes.LEFT, codes.SPEED), value(state, codes.RIGHT, codes.SPEED)
    is_tied = mask & (left == right) & load_mask(state, rows.ALIVE)
    right_first = is_less(state, left, right)
    if battle.options.tie_breaker == codes.RIGHT_FIRST:
        right_first = right_first | is_tied
    elif battle.options.tie_breaker == codes.RANDOM_FIRST and any_lane(is_tied):
        turn_to(state, codes.TIE_LANE)
        right_first = right_first | (is_tied & (picked(state, battle, splat(state, codes.SIDES), is_tied) != none))
    unmark(state, rows.RIGHT_IS_NEXT, mask)
    mark(state, rows.RIGHT_IS_NEXT, mask & right_first)


@kernel_noinline
def play_turn(state, battle, actor: int, mask) -> None:
    """Play a fighter's turn; after the last turn, declare a draw."""
    begin_turn(state, battle, actor, mask)
    fire(state, battle, actor, codes.TURN_START, splat(state, 0), NOTHING_OF, mask)
    judge_deaths(state, battle, mask)
    make_strikes(state, battle, actor, mask)
    end_turn(state, battle, actor, mask)
    if actor == codes.LEFT:
        mark(state, rows.RIGHT_IS_NEXT, mask)
    else:
        unmark(state, rows.RIGHT_IS_NEXT, mask)
    capped = mask & load_mask(state, rows.ALIVE) & (load(state, rows.TURN) >= splat(state, battle.options.turn_cap))
    if any_lane(capped):
        change(state, rows.REASON, capped, splat(state, codes.TURN_CAP))
        change(state, rows.WINNER, capped, splat(state, codes.DRAW))
        unmark(state, rows.ALIVE, capped)


@kernel_noinline
def begin_turn(state, battle, actor: int, mask) -> None:
    """Start a turn, up to its turn_start effects."""
    none = splat(state, 0)
    count(state, rows.TURN, mask)
    store_words(
        state, rows.TICK_WORDS, load_words(state, rows.TICK_WORDS) + select(mask, splat_words(1), splat_words(0))
    )
    state.active = actor
    change(state, rows.STRIKE, mask, none)
    state.may_strike = 1
    turn_to(state, actor)
    count(state, rows.OWN_TURN + actor, mask)
    change(state, rows.EXTRA_NOW + actor, mask, load(state, rows.EXTRA_NEXT + actor))
    change(state, rows.EXTRA_NEXT + actor, mask, none)
    tiredness = load(state, rows.TURN) - splat(state, battle.options.fatigue_start)
    decay(state, battle, actor, codes.HP, tiredness, codes.BY_FATIGUE, mask)
    suffer_poison(state, battle, actor, mask)
    acid = value(state, actor, codes.ACID)
    if any_lane(mask & (acid != none)):
        lost = decay(state, battle, actor, codes.ARMOR, acid, codes.BY_ACID, mask)
        tick(state, battle, actor, codes.ACID, lost, mask)
    if has_listener(battle, actor, codes.COUNTDOWN):
        tick_countdowns(state, battle, actor, mask & load_mask(state, rows.ALIVE))
        fire(state, battle, actor, codes.COUNTDOWN, none, NOTHING_OF, mask)
    own_turn = load(state, rows.OWN_TURN + actor)
    if has_listener(battle, actor, codes.FIRST_TURN):
        fire(state, battle, actor, codes.FIRST_TURN, none, NOTHING_OF, mask & (own_turn == splat(state, 1)))
    if has_listener(battle, actor, codes.EVERY_N_TURNS):
        fire(state, battle, actor, codes.EVERY_N_TURNS, none, NOTHING_OF, mask)


@kernel
def tick(state, battle, side: int, status: int, payload, mask) -> None:
    """Raise status_ticked after a status changed its owner's HP or ARMOR."""
    if has_listener(battle, side, codes.STATUS_TICKED):
        fire(state, battle, side, codes.STATUS_TICKED, payload, status, mask & is_above_0(state, payload))


@kernel
def suffer_poison(state, battle, side: int, mask) -> None:
    """Apply Poison: damage if the fighter has no ARMOR; Poison falls by 1 either way."""
    none = splat(state, 0)
    poison = value(state, side, codes.POISON)
    mask = mask & load_mask(state, rows.ALIVE) & (poison != none)
    if not any_lane(mask):
        return
    bare = mask & (value(state, side, codes.ARMOR) == none)
    if any_lane(bare):
        caused_by(state, codes.NOBODY, codes.BY_POISON, 0, 0)
        taken = packet(state, battle, side, poison, 0, 0, bare)
        check_at_once(state, battle, bare)
        resolve(state, battle)
        tick(state, battle, side, codes.POISON, taken, bare)
    decay(state, battle, side, codes.POISON, splat(state, 1), codes.BY_POISON, mask)


@kernel_noinline
def end_turn(state, battle, actor: int, mask) -> None:
    """Play the end of a turn: statuses decay and tick, and turn-end effects run."""
    mask = mask & load_mask(state, rows.ALIVE)
    if not any_lane(mask):
        return
    none = splat(state, 0)
    clear_thorns(state, battle, mask)
    for side in range(codes.SIDES):
        if side == actor or battle.options.freeze_decay != codes.DECAYS_ON_OWN_TURN:
            frozen = mask & (value(state, side, codes.FREEZE) != none)
            if any_lane(frozen):
                decay(state, battle, side, codes.FREEZE, splat(state, 1), codes.BY_TURN_END, frozen)
    suffer_riptide(state, battle, actor, mask)
    regenerate(state, battle, actor, mask)
    fire(state, battle, actor, codes.TURN_END, none, NOTHING_OF, mask)
    if has_listener(battle, actor, codes.EVERY_OTHER_TURN):
        wanted = splat(state, 1 if battle.options.cadence_parity == codes.ODD else 0)
        is_other = (load(state, rows.OWN_TURN + actor) & splat(state, 1)) == wanted
        fire(state, battle, actor, codes.EVERY_OTHER_TURN, none, NOTHING_OF, mask & is_other)
    change(
        state, rows.VALUES + actor * codes.VALUE_SLOTS + codes.TEMP_ATTACK, mask & load_mask(state, rows.ALIVE), none
    )
    judge_deaths(state, battle, mask)


@kernel
def suffer_riptide(state, battle, side: int, mask) -> None:
    """Apply Riptide: damage; it falls by 1."""
    mask = mask & load_mask(state, rows.ALIVE) & (value(state, side, codes.RIPTIDE) != splat(state, 0))
    if any_lane(mask):
        caused_by(state, codes.NOBODY, codes.BY_RIPTIDE, 0, 0)
        to_armor = 1 if battle.options.riptide_route == codes.ROUTE_ARMOR else 0
        taken = packet(state, battle, side, splat(state, codes.RIPTIDE_DAMAGE), 0, to_armor, mask)
        check_at_once(state, battle, mask)
        resolve(state, battle)
        tick(state, battle, side, codes.RIPTIDE, taken, mask)
        decay(state, battle, side, codes.RIPTIDE, splat(state, 1), codes.BY_RIPTIDE, mask)


@kernel
def regenerate(state, battle, side: int, mask) -> None:
    """Apply Regen: a heal; it falls by 1."""
    stacks = value(state, side, codes.REGEN)
    mask = mask & load_mask(state, rows.ALIVE) & (stacks != splat(state, 0))
    if any_lane(mask):
        caused_by(state, codes.NOBODY, codes.BY_REGEN, 0, 0)
        healed = heal(state, battle, side, stacks, mask)
        resolve(state, battle)
        tick(state, battle, side, codes.REGEN, healed, mask)
        decay(state, battle, side, codes.REGEN, splat(state, 1), codes.BY_REGEN, mask)
