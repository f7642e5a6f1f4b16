"""Set-up: reset the battle, run what comes before the first turn, and decide who acts first.

The rules: relics/README.md, Set-up.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.constants import (
    ARMOR,
    ATTACK,
    BATTLE_EVENT,
    BATTLE_START,
    BATTLE_START_STEP,
    COUNTDOWN,
    DRAW,
    EFFECT_MASK,
    FIGHTER_EVENT,
    HAS_EVENT,
    HP,
    HP_MAX,
    LEFT,
    PIECE_EVENT,
    PIECE_SLOTS,
    PIECES,
    PRE,
    PRE_LANE,
    PRE_STEP,
    RIGHT,
    SIDES,
    SPEED,
    STEP_EVENT,
    UNDECIDED,
    VALUE_SLOTS,
)
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule
from fracas.rulesets.relics.rules.effects.resolution import judge_deaths
from fracas.rulesets.relics.rules.rolls import turn_to
from fracas.rulesets.relics.rules.status_ticks import come_up
from fracas.rulesets.relics.rules.targeting import choose_first


@kernel
def set_up(battle: Any, log: Any) -> None:
    """Set up both fighters, run the pre and battle_start effects, and decide who acts first.

    Rule:    relics/README.md, Order of play, Set-up.
    Changes: everything that a battle changes.
    Draws:   as come_up; as choose_first.
    Emits:   as stand_ready; STEP and as come_up for each step; as judge_deaths; as choose_first.
    """
    stand_ready(battle)
    if log is not None:
        tell_builds(battle, log)
    if battle.options.allow_pre_phase == 1:
        take_step(battle, RIGHT, PRE_STEP, PRE, PRE_LANE + RIGHT, log)
        take_step(battle, LEFT, PRE_STEP, PRE, PRE_LANE + LEFT, log)
        judge_deaths(battle, log)
    take_step(battle, LEFT, BATTLE_START_STEP, BATTLE_START, LEFT, log)
    take_step(battle, RIGHT, BATTLE_START_STEP, BATTLE_START, RIGHT, log)
    judge_deaths(battle, log)
    if battle.reason == UNDECIDED:
        choose_first(battle, log)


@kernel_noinline
def stand_ready(battle: Any) -> None:
    """Reset everything that a battle changes to its starting state.

    Rule:    relics/README.md, Order of play, Set-up, step 1.
    Changes: everything that a battle changes.
    Draws:   none.
    Emits:   nothing.
    """
    battle.turn = 0
    battle.active = NOBODY
    battle.first = NOBODY
    battle.winner = DRAW
    battle.reason = UNDECIDED
    battle.strike = 0
    battle.attempts = 0
    battle.base_strikes = 0
    battle.may_strike = 0
    battle.striking = 0
    battle.deferring = 0
    battle.judging = 0
    battle.cut_count = 0
    battle.frame_count = 0
    turn_to(battle, LEFT)
    caused_by_rule(battle, NOBODY, NOBODY)
    for piece in range(PIECE_SLOTS):
        battle.counters[piece] = 0
    for side in range(SIDES):
        refresh(fighter_of(battle, side), build_of(battle, side))
        forget_runs(battle, build_of(battle, side).effects)


@kernel
def refresh(fighter: Any, build: Any) -> None:
    """Reset a fighter to its starting values.

    Rule:    relics/README.md, Builds, Stats at the start.
    Changes: the fighter.
    Draws:   none.
    Emits:   nothing.
    """
    for quantity in range(VALUE_SLOTS):
        fighter.values[quantity] = build.start[quantity]
    fighter.struck = build.struck
    fighter.reflected = 0
    fighter.exposed = build.exposed
    fighter.wounded = build.wounded
    fighter.exposed_due = 0
    fighter.wounded_due = 0
    fighter.own_turn = 0
    fighter.phase = 1
    fighter.strikes_made = 0
    fighter.extra_now = 0
    fighter.extra_next = 0
    fighter.extra_always = 0
    fighter.dealt = 0
    fighter.absorbed = 0
    fighter.healed = 0


@kernel
def forget_runs(battle: Any, span: Any) -> None:
    """Reset all effects: none has run, and countdowns have n turns left.

    Rule:    relics/README.md, State; Order of play, Set-up, step 1.
    Changes: runs of the span.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(span.first, span.first + span.entries):
        run, effect = battle.runs[place & EFFECT_MASK], battle.effects[place & EFFECT_MASK]
        run.running = 0
        run.this_turn = 0
        run.this_battle = 0
        run.tick = 0
        run.left = effect.n if effect.trigger == COUNTDOWN else 0
        run.due = 0
        run.reported = 0


@kernel_noinline
def tell_builds(battle: Any, log: Any) -> None:
    """Report the fighters, what they wear and what they have.

    Rule:    relics/README.md, Order of play, Set-up, step 1.
    Changes: nothing.
    Draws:   none.
    Emits:   BATTLE; for each fighter FIGHTER, PIECE for each piece, HAS for each quantity that is not shown yet.
    """
    options = battle.options
    numbers = options.turn_cap, options.fatigue_start, battle.deterministic
    emit(log, 0, BATTLE_EVENT, NOBODY, NOBODY, numbers[0], numbers[1], numbers[2], 0)
    for side in range(SIDES):
        values = fighter_of(battle, side).values
        emit(log, 0, FIGHTER_EVENT, side, NOBODY, values[HP], values[ATTACK], values[ARMOR], values[SPEED])
        for piece in range(side * PIECES, (side + 1) * PIECES):
            kind, tier = battle.piece_kinds[piece], battle.piece_tiers[piece]
            if kind != NOBODY:
                emit(log, 0, PIECE_EVENT, side, NOBODY, piece, kind, tier, 0)
        for quantity in range(HP_MAX, VALUE_SLOTS):
            value = values[quantity]
            is_shown = quantity == ATTACK or quantity == ARMOR or quantity == SPEED
            if quantity == HP_MAX:
                is_shown = value == values[HP]
            if value != 0 and not is_shown:
                emit(log, 0, HAS_EVENT, side, NOBODY, quantity, value, 0, 0)


@kernel
def take_step(battle: Any, side: int, step: int, trigger: int, lane: int, log: Any) -> None:
    """Run a fighter's step of set-up.

    Rule:    relics/README.md, Order of play, Set-up, steps 2 and 3.
    Changes: the battle.
    Draws:   opens (0, lane); as the effects.
    Emits:   STEP; as the effects.
    """
    if battle.reason == UNDECIDED:
        turn_to(battle, lane)
        if log is not None:
            emit(log, battle.turn, STEP_EVENT, side, NOBODY, step, 0, 0, 0)
        come_up(battle, side, trigger, 0, log)
