"""The strikes of a turn. relics/README.md, Strikes; the steps of an attempt are in order here."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.constants import (
    ATTACK,
    ATTACK_BONUS,
    ATTACK_EVENT,
    ATTACK_PCT,
    BY_ATTACKER,
    BY_STRIKE,
    BY_STUN,
    CANNOT_ATTACK,
    CUT_EVENT,
    CUT_STRIKES,
    EVERY_N_STRIKES,
    FREEZE,
    IGNORES_ARMOR,
    MOST_STRIKES,
    ON_HIT,
    ON_HIT_RUNS,
    ON_STRUCK,
    SKIP_EVENT,
    STRIKE_EVENT,
    STRIKE_SKIPPED,
    STRIKES,
    STUN,
    STUNNED,
    TEMP_ATTACK,
    UNABLE,
    UNDECIDED,
)
from fracas.rulesets.relics.rules.deaths import check_at_once
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule, has_crossed, has_listener, put, put_thresholds
from fracas.rulesets.relics.rules.effects.fast_path import packet_of_step
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING, holds_for, sum_of
from fracas.rulesets.relics.rules.effects.quantity_changes import lose
from fracas.rulesets.relics.rules.effects.resolution import fire_trigger, judge_deaths, resolve_stack
from fracas.rulesets.relics.rules.thorns import reflect


@kernel
def make_strikes(battle: Any, log: Any) -> None:
    """Attempt the active fighter's strikes, as many as it has by then, at most 16.

    Rule:    relics/README.md, Strikes.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as attempt; CUT.
    """
    actor = battle.active
    fighter = fighter_of(battle, actor)
    battle.attempts = 0
    battle.base_strikes = 1 + fighter.extra_always + sum_of(battle, actor, STRIKES, ANYTHING)
    while battle.reason == UNDECIDED and battle.attempts < battle.base_strikes + fighter.extra_now:
        if battle.attempts == MOST_STRIKES:
            battle.cut_count += 1
            if log is not None:
                emit(log, battle.turn, CUT_EVENT, actor, NOBODY, CUT_STRIKES, NOBODY, NOBODY, 0)
            break
        if holds_for(battle, actor, CANNOT_ATTACK, ANYTHING):
            if log is not None:
                emit(log, battle.turn, SKIP_EVENT, actor, NOBODY, UNABLE, fighter.values[STUN], 0, 0)
            break
        battle.attempts += 1
        battle.striking = 1
        if fighter.values[STUN] > 0:
            skip_strike(battle, actor, log)
        else:
            strike(battle, actor, 1 - actor, log)
        battle.striking = 0
    battle.may_strike = 0


@kernel_noinline
def skip_strike(battle: Any, actor: int, log: Any) -> None:
    """Skip a strike for a stun, and use the stun up.

    Rule:    relics/README.md, Strikes, steps 2 and 10.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   SKIP, CHANGE; as the effects; as judge_deaths.
    """
    left = fighter_of(battle, actor).values[STUN] - 1
    caused_by_rule(battle, actor, BY_STUN)
    if log is not None:
        emit(log, battle.turn, SKIP_EVENT, actor, NOBODY, STUNNED, left, 0, 0)
    put(battle, actor, STRIKE_SKIPPED, left, NOBODY)
    caused_by_rule(battle, NOBODY, BY_STUN)
    lose(battle, actor, STUN, 1, log)
    resolve_stack(battle, log)
    battle.striking = 0
    judge_deaths(battle, log)


@kernel_noinline
def strike(battle: Any, actor: int, target: int, log: Any) -> None:
    """Make a strike with everything that belongs to it.

    Rule:    relics/README.md, Strikes, steps 3 to 10.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   ATTACK, STRIKE, as packet_of_step; as the effects; as check_deaths and judge.
    """
    attacker = fighter_of(battle, actor)
    battle.strike += 1
    part = attack_part(battle, actor, target, log)
    attacker.strikes_made += 1
    caused_by_rule(battle, actor, BY_STRIKE)
    battle.deferring = 1
    to_armor = 0 if holds_for(battle, actor, IGNORES_ARMOR, ANYTHING) else 1
    taken = packet_of_step(battle, target, part, 1, to_armor, log)
    check_at_once(battle, log)
    resolve_stack(battle, log)
    run_on_hit(battle, actor, taken, log)
    run_of_strike(battle, actor, EVERY_N_STRIKES, attacker.strikes_made, log)
    run_of_strike(battle, target, ON_STRUCK, taken, log)
    reflect(battle, actor, target, log)
    battle.deferring = 0
    cross_thresholds(battle, actor, target, log)
    battle.striking = 0
    judge_deaths(battle, log)


@kernel
def attack_part(battle: Any, actor: int, target: int, log: Any) -> int:
    """The ATK part of a strike: ATK and everything added, then percentages, then Freeze.

    Rule:    relics/README.md, Strikes, step 3.
    Changes: battle.facts.
    Draws:   none.
    Emits:   ATTACK, STRIKE.
    """
    values = fighter_of(battle, actor).values
    bonus = sum_of(battle, actor, ATTACK_BONUS, ANYTHING)
    percent = sum_of(battle, actor, ATTACK_PCT, ANYTHING)
    before = max(0, values[ATTACK] + values[TEMP_ATTACK] + bonus)
    if percent != 0:
        before = before * (100 + max(percent, -100)) // 100
    frozen = fighter_of(battle, actor if battle.options.freeze_side == BY_ATTACKER else target).values[FREEZE] > 0
    part = before >> 1 if frozen else before
    if log is not None:
        emit(log, battle.turn, ATTACK_EVENT, actor, NOBODY, values[ATTACK], values[TEMP_ATTACK], bonus, percent)
        emit(log, battle.turn, STRIKE_EVENT, actor, target, battle.strike, before, part, 1 if frozen else 0)
    return part


@kernel
def cross_thresholds(battle: Any, actor: int, target: int, log: Any) -> None:
    """Run the effects of thresholds crossed since the strike was made, the defender's first.

    Rule:    relics/README.md, Strikes, step 9.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    if battle.reason == UNDECIDED and (has_crossed(battle, actor) or has_crossed(battle, target)):
        caused_by_rule(battle, NOBODY, BY_STRIKE)
        put_thresholds(battle, actor)
        put_thresholds(battle, target)
        resolve_stack(battle, log)


@kernel
def run_of_strike(battle: Any, side: int, trigger: int, payload: int, log: Any) -> None:
    """Raise a trigger that belongs to a strike.

    Rule:    relics/README.md, Strikes, steps 5 to 7.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    if battle.reason == UNDECIDED and has_listener(battle, side, trigger):
        fire_trigger(battle, side, trigger, payload, NOBODY, log)


@kernel
def run_on_hit(battle: Any, actor: int, taken: int, log: Any) -> None:
    """Run on-hit effects, once or more often.

    Rule:    relics/README.md, Strikes, step 5.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    if not has_listener(battle, actor, ON_HIT):
        return
    times = 1 + max(0, sum_of(battle, actor, ON_HIT_RUNS, ANYTHING))
    for _ in range(min(times, MOST_STRIKES)):
        run_of_strike(battle, actor, ON_HIT, taken, log)
