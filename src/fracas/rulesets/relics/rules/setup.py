"""Set-up: reset the battle, run what comes before the first turn, and decide who acts first.

The rules: relics/README.md, Set-up; Order of play.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule
from fracas.rulesets.relics.rules.effects.resolution import judge_deaths
from fracas.rulesets.relics.rules.events import emit_battle, emit_fighter, emit_has, emit_piece_worn, emit_step
from fracas.rulesets.relics.rules.rolls import turn_to
from fracas.rulesets.relics.rules.status_ticks import fire
from fracas.rulesets.relics.rules.targeting import choose_first


@kernel
def set_up(battle, log) -> None:
    """Set up both fighters, run the pre and battle_start effects, and decide who acts first."""
    stand_ready(battle)
    if log is not None:
        log_builds(battle, log)
    if battle.options.allow_pre_phase == 1:
        take_step(battle, codes.RIGHT, codes.PRE_STEP, codes.PRE, codes.PRE_LANE + codes.RIGHT, log)
        take_step(battle, codes.LEFT, codes.PRE_STEP, codes.PRE, codes.PRE_LANE + codes.LEFT, log)
        judge_deaths(battle, log)
    take_step(battle, codes.LEFT, codes.BATTLE_START_STEP, codes.BATTLE_START, codes.LEFT, log)
    take_step(battle, codes.RIGHT, codes.BATTLE_START_STEP, codes.BATTLE_START, codes.RIGHT, log)
    judge_deaths(battle, log)
    if battle.reason == codes.UNDECIDED:
        choose_first(battle, log)


@kernel_noinline
def stand_ready(battle) -> None:
    """Reset everything that a battle changes to its starting state."""
    battle.turn = 0
    battle.active = NOBODY
    battle.first = NOBODY
    battle.winner = codes.DRAW
    battle.reason = codes.UNDECIDED
    battle.strike = 0
    battle.attempts = 0
    battle.base_strikes = 0
    battle.may_strike = 0
    battle.striking = 0
    battle.deferring = 0
    battle.judging = 0
    battle.cut_count = 0
    battle.frame_count = 0
    turn_to(battle, codes.LEFT)
    caused_by_rule(battle, NOBODY, NOBODY)
    for piece in range(codes.PIECE_SLOTS):
        battle.counters[piece] = 0
    for side in range(codes.SIDES):
        refresh(fighter_of(battle, side), build_of(battle, side))
        forget_runs(battle, build_of(battle, side).effects)


@kernel
def refresh(fighter, build) -> None:
    """Reset a fighter to its starting values (README, Builds, Stats at the start)."""
    for quantity in range(codes.VALUE_SLOTS):
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
def forget_runs(battle, span) -> None:
    """Reset all effects: none has run, and countdowns have n turns left (README, State)."""
    for index in range(span.first, span.first + span.entries):
        run, effect = battle.runs[index & codes.EFFECT_MASK], battle.effects[index & codes.EFFECT_MASK]
        run.running = 0
        run.this_turn = 0
        run.this_battle = 0
        run.tick = 0
        run.left = effect.n if effect.trigger == codes.COUNTDOWN else 0
        run.due = 0
        run.reported = 0


@kernel_noinline
def log_builds(battle, log) -> None:
    """Report the fighters, what they wear and what they have."""
    options = battle.options
    emit_battle(log, 0, options.turn_cap, options.fatigue_start, battle.deterministic)
    for side in range(codes.SIDES):
        values = fighter_of(battle, side).values
        emit_fighter(log, 0, side, values[codes.HP], values[codes.ATTACK], values[codes.ARMOR], values[codes.SPEED])
        for piece in range(side * codes.PIECES, (side + 1) * codes.PIECES):
            kind, tier = battle.piece_kinds[piece], battle.piece_tiers[piece]
            if kind != NOBODY:
                emit_piece_worn(log, 0, side, piece, kind, tier)
        for quantity in range(codes.HP_MAX, codes.VALUE_SLOTS):
            value = values[quantity]
            is_shown = quantity == codes.ATTACK or quantity == codes.ARMOR or quantity == codes.SPEED
            if quantity == codes.HP_MAX:
                is_shown = value == values[codes.HP]
            if value != 0 and not is_shown:
                emit_has(log, 0, side, quantity, value)


@kernel
def take_step(battle, side: int, step: int, trigger: int, lane: int, log) -> None:
    """Run a fighter's step of set-up."""
    if battle.reason == codes.UNDECIDED:
        turn_to(battle, lane)
        emit_step(log, battle.turn, side, step)
        fire(battle, side, trigger, 0, log)
