"""The strikes of a turn. relics/README.md, Strikes; the steps of an attempt are in order here."""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import fighter_of
from fracas.rulesets.relics.rules.deaths import check_at_once
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule, has_crossed, has_listener, put, put_thresholds
from fracas.rulesets.relics.rules.effects.fast_path import packet_of_step
from fracas.rulesets.relics.rules.effects.modifiers import ANYTHING, holds_for, sum_of
from fracas.rulesets.relics.rules.effects.quantity_changes import lose
from fracas.rulesets.relics.rules.effects.resolution import fire_trigger, judge_deaths, resolve_stack
from fracas.rulesets.relics.rules.events import emit_attack, emit_cut, emit_skip, emit_strike
from fracas.rulesets.relics.rules.thorns import reflect


@kernel
def make_strikes(battle, log) -> None:
    """Attempt the active fighter's strikes, as many as it has by then, at most 16."""
    actor = battle.active
    fighter = fighter_of(battle, actor)
    battle.attempts = 0
    battle.base_strikes = 1 + fighter.extra_always + sum_of(battle, actor, codes.STRIKES, ANYTHING)
    while battle.reason == codes.UNDECIDED and battle.attempts < battle.base_strikes + fighter.extra_now:
        if battle.attempts == codes.MOST_STRIKES:
            battle.cut_count += 1
            emit_cut(log, battle.turn, actor, codes.CUT_STRIKES, NOBODY, NOBODY, 0)
            break
        if holds_for(battle, actor, codes.CANNOT_ATTACK, ANYTHING):
            emit_skip(log, battle.turn, actor, codes.UNABLE, fighter.values[codes.STUN])
            break
        battle.attempts += 1
        battle.striking = 1
        if fighter.values[codes.STUN] > 0:
            skip_strike(battle, actor, log)
        else:
            strike(battle, actor, 1 - actor, log)
        battle.striking = 0
    battle.may_strike = 0


@kernel_noinline
def skip_strike(battle, actor: int, log) -> None:
    """Skip a strike for a stun, and use the stun up."""
    left = fighter_of(battle, actor).values[codes.STUN] - 1
    caused_by_rule(battle, actor, codes.BY_STUN)
    emit_skip(log, battle.turn, actor, codes.STUNNED, left)
    put(battle, actor, codes.STRIKE_SKIPPED, left, NOBODY)
    caused_by_rule(battle, NOBODY, codes.BY_STUN)
    lose(battle, actor, codes.STUN, 1, log)
    resolve_stack(battle, log)
    battle.striking = 0
    judge_deaths(battle, log)


@kernel_noinline
def strike(battle, actor: int, target: int, log) -> None:
    """Make a strike with everything that belongs to it."""
    attacker = fighter_of(battle, actor)
    battle.strike += 1
    part = attack_part(battle, actor, target, log)
    attacker.strikes_made += 1
    caused_by_rule(battle, actor, codes.BY_STRIKE)
    battle.deferring = 1
    to_armor = 0 if holds_for(battle, actor, codes.IGNORES_ARMOR, ANYTHING) else 1
    taken = packet_of_step(battle, target, part, 1, to_armor, log)
    check_at_once(battle, log)
    resolve_stack(battle, log)
    run_on_hit(battle, actor, taken, log)
    run_of_strike(battle, actor, codes.EVERY_N_STRIKES, attacker.strikes_made, log)
    run_of_strike(battle, target, codes.ON_STRUCK, taken, log)
    reflect(battle, actor, target, log)
    battle.deferring = 0
    cross_thresholds(battle, actor, target, log)
    battle.striking = 0
    judge_deaths(battle, log)


@kernel
def attack_part(battle, actor: int, target: int, log) -> int:
    """The ATK part of a strike: ATK and everything added, then percentages, then Freeze."""
    values = fighter_of(battle, actor).values
    bonus = sum_of(battle, actor, codes.ATTACK_BONUS, ANYTHING)
    percent = sum_of(battle, actor, codes.ATTACK_PCT, ANYTHING)
    before = max(0, values[codes.ATTACK] + values[codes.TEMP_ATTACK] + bonus)
    if percent != 0:
        before = before * (100 + max(percent, -100)) // 100
    frozen = (
        fighter_of(battle, actor if battle.options.freeze_side == codes.BY_ATTACKER else target).values[codes.FREEZE]
        > 0
    )
    part = before >> 1 if frozen else before
    emit_attack(log, battle.turn, actor, values[codes.ATTACK], values[codes.TEMP_ATTACK], bonus, percent)
    emit_strike(log, battle.turn, actor, target, battle.strike, before, part, frozen)
    return part


@kernel
def cross_thresholds(battle, actor: int, target: int, log) -> None:
    """Run the effects of thresholds crossed since the strike was made, the defender's first."""
    if battle.reason == codes.UNDECIDED and (has_crossed(battle, actor) or has_crossed(battle, target)):
        caused_by_rule(battle, NOBODY, codes.BY_STRIKE)
        put_thresholds(battle, actor)
        put_thresholds(battle, target)
        resolve_stack(battle, log)


@kernel
def run_of_strike(battle, side: int, trigger: int, payload: int, log) -> None:
    """Raise a trigger that belongs to a strike."""
    if battle.reason == codes.UNDECIDED and has_listener(battle, side, trigger):
        fire_trigger(battle, side, trigger, payload, NOBODY, log)


@kernel
def run_on_hit(battle, actor: int, taken: int, log) -> None:
    """Run on-hit effects, once or more often."""
    if not has_listener(battle, actor, codes.ON_HIT):
        return
    times = 1 + max(0, sum_of(battle, actor, codes.ON_HIT_RUNS, ANYTHING))
    for _ in range(min(times, codes.MOST_STRIKES)):
        run_of_strike(battle, actor, codes.ON_HIT, taken, log)
