"""Turns in lanes, in the order of play: rules/turns.py and the effects of rules/setup.py for 64 battles."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import change
from fracas.lanes.operations import any_lane, load, load_mask, load_words, select, splat, splat_words, store_words
from fracas.rulesets.relics.lockstep.agenda import caused_by, has_listener
from fracas.rulesets.relics.lockstep.countdowns import bring_nearer
from fracas.rulesets.relics.lockstep.damage import heal, packet
from fracas.rulesets.relics.lockstep.deaths import check_at_once
from fracas.rulesets.relics.lockstep.facts import value
from fracas.rulesets.relics.lockstep.resolution import come_up, fall_off, judge_deaths, resolve
from fracas.rulesets.relics.lockstep.rolls import picked, turn_to
from fracas.rulesets.relics.lockstep.signed_lanes import count, is_above_0, is_less, mark, unmark
from fracas.rulesets.relics.lockstep.state import (
    ALIVE,
    EXTRA_NEXT,
    EXTRA_NOW,
    OWN_TURN,
    REASON,
    RIGHT_IS_NEXT,
    STRIKE,
    TICK_WORDS,
    TURN,
    VALUES,
    WINNER,
)
from fracas.rulesets.relics.lockstep.strikes import clear_thorns, make_strikes
from fracas.rulesets.relics.rules.constants import (
    ACID,
    ARMOR,
    BATTLE_START,
    BY_ACID,
    BY_FATIGUE,
    BY_POISON,
    BY_REGEN,
    BY_RIPTIDE,
    BY_TURN_END,
    COUNTDOWN,
    DECAYS_ON_OWN_TURN,
    DRAW,
    EVERY_N_TURNS,
    EVERY_OTHER_TURN,
    FIRST_TURN,
    FREEZE,
    HP,
    LEFT,
    NOBODY,
    ODD,
    POISON,
    PRE,
    PRE_LANE,
    RANDOM_FIRST,
    REGEN,
    RIGHT,
    RIGHT_FIRST,
    RIPTIDE,
    RIPTIDE_DAMAGE,
    ROUTE_ARMOR,
    SIDES,
    SPEED,
    STATUS_TICKED,
    TEMP_ATTACK,
    TIE_LANE,
    TURN_CAP,
    TURN_END,
    TURN_START,
    VALUE_SLOTS,
)
from fracas.rulesets.relics.rules.effects.agenda import NOTHING_OF


@kernel_noinline
def play_set_up(state: Any, battle: Any, mask: Any) -> None:
    """Run the pre and battle_start effects of battles that are set up, and decide who acts first.

    Rule:    relics/README.md, Order of play, Set-up, steps 2 to 4.
    Changes: the state.
    Draws:   as the effects; below(2) if the first is to be drawn.
    Emits:   nothing.
    """
    none = splat(state, 0)
    state.active = NOBODY
    if battle.options.allow_pre_phase == 1:
        turn_to(state, PRE_LANE + RIGHT)
        come_up(state, battle, RIGHT, PRE, none, NOTHING_OF, mask)
        turn_to(state, PRE_LANE + LEFT)
        come_up(state, battle, LEFT, PRE, none, NOTHING_OF, mask)
        judge_deaths(state, battle, mask)
    turn_to(state, LEFT)
    come_up(state, battle, LEFT, BATTLE_START, none, NOTHING_OF, mask)
    turn_to(state, RIGHT)
    come_up(state, battle, RIGHT, BATTLE_START, none, NOTHING_OF, mask)
    judge_deaths(state, battle, mask)
    left, right = value(state, LEFT, SPEED), value(state, RIGHT, SPEED)
    is_tied = mask & (left == right) & load_mask(state, ALIVE)
    right_first = is_less(state, left, right)
    if battle.options.tie_breaker == RIGHT_FIRST:
        right_first = right_first | is_tied
    elif battle.options.tie_breaker == RANDOM_FIRST and any_lane(is_tied):
        turn_to(state, TIE_LANE)
        right_first = right_first | (is_tied & (picked(state, battle, splat(state, SIDES), is_tied) != none))
    unmark(state, RIGHT_IS_NEXT, mask)
    mark(state, RIGHT_IS_NEXT, mask & right_first)


@kernel_noinline
def play_turn(state: Any, battle: Any, actor: int, mask: Any) -> None:
    """Play a fighter's turn; after the last turn, declare a draw.

    Rule:    relics/README.md, Order of play, A turn.
    Changes: the state.
    Draws:   opens (turn, active fighter); as the effects.
    Emits:   nothing.
    """
    begin_turn(state, battle, actor, mask)
    come_up(state, battle, actor, TURN_START, splat(state, 0), NOTHING_OF, mask)
    judge_deaths(state, battle, mask)
    make_strikes(state, battle, actor, mask)
    end_turn(state, battle, actor, mask)
    if actor == LEFT:
        mark(state, RIGHT_IS_NEXT, mask)
    else:
        unmark(state, RIGHT_IS_NEXT, mask)
    capped = mask & load_mask(state, ALIVE) & (load(state, TURN) >= splat(state, battle.options.turn_cap))
    if any_lane(capped):
        change(state, REASON, capped, splat(state, TURN_CAP))
        change(state, WINNER, capped, splat(state, DRAW))
        unmark(state, ALIVE, capped)


@kernel_noinline
def begin_turn(state: Any, battle: Any, actor: int, mask: Any) -> None:
    """Start a turn, up to its turn_start effects.

    Rule:    relics/README.md, A turn, step 1 without its last.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    none = splat(state, 0)
    count(state, TURN, mask)
    store_words(state, TICK_WORDS, load_words(state, TICK_WORDS) + select(mask, splat_words(1), splat_words(0)))
    state.active = actor
    change(state, STRIKE, mask, none)
    state.may_strike = 1
    turn_to(state, actor)
    count(state, OWN_TURN + actor, mask)
    change(state, EXTRA_NOW + actor, mask, load(state, EXTRA_NEXT + actor))
    change(state, EXTRA_NEXT + actor, mask, none)
    tiredness = load(state, TURN) - splat(state, battle.options.fatigue_start)
    fall_off(state, battle, actor, HP, tiredness, BY_FATIGUE, mask)
    suffer_poison(state, battle, actor, mask)
    acid = value(state, actor, ACID)
    if any_lane(mask & (acid != none)):
        lost = fall_off(state, battle, actor, ARMOR, acid, BY_ACID, mask)
        tick(state, battle, actor, ACID, lost, mask)
    if has_listener(battle, actor, COUNTDOWN):
        bring_nearer(state, battle, actor, mask & load_mask(state, ALIVE))
        come_up(state, battle, actor, COUNTDOWN, none, NOTHING_OF, mask)
    own_turn = load(state, OWN_TURN + actor)
    if has_listener(battle, actor, FIRST_TURN):
        come_up(state, battle, actor, FIRST_TURN, none, NOTHING_OF, mask & (own_turn == splat(state, 1)))
    if has_listener(battle, actor, EVERY_N_TURNS):
        come_up(state, battle, actor, EVERY_N_TURNS, none, NOTHING_OF, mask)


@kernel
def tick(state: Any, battle: Any, side: int, status: int, payload: Any, mask: Any) -> None:
    """Raise status_ticked after a status changed its owner's HP or ARMOR.

    Rule:    relics/README.md, Order of play, A turn.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    if has_listener(battle, side, STATUS_TICKED):
        come_up(state, battle, side, STATUS_TICKED, payload, status, mask & is_above_0(state, payload))


@kernel
def suffer_poison(state: Any, battle: Any, side: int, mask: Any) -> None:
    """Apply Poison: damage if the fighter has no ARMOR; Poison falls by 1 either way.

    Rule:    relics/README.md, A turn, step 1.2.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    none = splat(state, 0)
    poison = value(state, side, POISON)
    mask = mask & load_mask(state, ALIVE) & (poison != none)
    if not any_lane(mask):
        return
    bare = mask & (value(state, side, ARMOR) == none)
    if any_lane(bare):
        caused_by(state, NOBODY, BY_POISON, 0, 0)
        taken = packet(state, battle, side, poison, 0, 0, bare)
        check_at_once(state, battle, bare)
        resolve(state, battle)
        tick(state, battle, side, POISON, taken, bare)
    fall_off(state, battle, side, POISON, splat(state, 1), BY_POISON, mask)


@kernel_noinline
def end_turn(state: Any, battle: Any, actor: int, mask: Any) -> None:
    """Play the end of a turn: statuses decay and tick, and turn-end effects run.

    Rule:    relics/README.md, A turn, step 3.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    mask = mask & load_mask(state, ALIVE)
    if not any_lane(mask):
        return
    none = splat(state, 0)
    clear_thorns(state, battle, mask)
    for side in range(SIDES):
        if side == actor or battle.options.freeze_decay != DECAYS_ON_OWN_TURN:
            frozen = mask & (value(state, side, FREEZE) != none)
            if any_lane(frozen):
                fall_off(state, battle, side, FREEZE, splat(state, 1), BY_TURN_END, frozen)
    suffer_riptide(state, battle, actor, mask)
    regenerate(state, battle, actor, mask)
    come_up(state, battle, actor, TURN_END, none, NOTHING_OF, mask)
    if has_listener(battle, actor, EVERY_OTHER_TURN):
        wanted = splat(state, 1 if battle.options.cadence_parity == ODD else 0)
        is_other = (load(state, OWN_TURN + actor) & splat(state, 1)) == wanted
        come_up(state, battle, actor, EVERY_OTHER_TURN, none, NOTHING_OF, mask & is_other)
    change(state, VALUES + actor * VALUE_SLOTS + TEMP_ATTACK, mask & load_mask(state, ALIVE), none)
    judge_deaths(state, battle, mask)


@kernel
def suffer_riptide(state: Any, battle: Any, side: int, mask: Any) -> None:
    """Apply Riptide: damage; it falls by 1.

    Rule:    relics/README.md, A turn, step 3.3.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    mask = mask & load_mask(state, ALIVE) & (value(state, side, RIPTIDE) != splat(state, 0))
    if any_lane(mask):
        caused_by(state, NOBODY, BY_RIPTIDE, 0, 0)
        to_armor = 1 if battle.options.riptide_route == ROUTE_ARMOR else 0
        taken = packet(state, battle, side, splat(state, RIPTIDE_DAMAGE), 0, to_armor, mask)
        check_at_once(state, battle, mask)
        resolve(state, battle)
        tick(state, battle, side, RIPTIDE, taken, mask)
        fall_off(state, battle, side, RIPTIDE, splat(state, 1), BY_RIPTIDE, mask)


@kernel
def regenerate(state: Any, battle: Any, side: int, mask: Any) -> None:
    """Apply Regen: a heal; it falls by 1.

    Rule:    relics/README.md, A turn, step 3.4.
    Changes: the state.
    Draws:   as the effects.
    Emits:   nothing.
    """
    stacks = value(state, side, REGEN)
    mask = mask & load_mask(state, ALIVE) & (stacks != splat(state, 0))
    if any_lane(mask):
        caused_by(state, NOBODY, BY_REGEN, 0, 0)
        healed = heal(state, battle, side, stacks, mask)
        resolve(state, battle)
        tick(state, battle, side, REGEN, healed, mask)
        fall_off(state, battle, side, REGEN, splat(state, 1), BY_REGEN, mask)
