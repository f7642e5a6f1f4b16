"""The turns of relics, in the order of play. Every function cites the rule book, relics/README.md.

Set-up is in setup.py, strikes in strikes.py. Everything that happens is a change from effects/quantity_changes.py or
effects/damage.py; effects/resolution.py processes the consequences.

The rules: relics/README.md, A turn.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.deaths import check_at_once
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule, has_listener
from fracas.rulesets.relics.rules.effects.damage import heal
from fracas.rulesets.relics.rules.effects.fast_path import packet_of_step
from fracas.rulesets.relics.rules.effects.quantity_changes import write
from fracas.rulesets.relics.rules.effects.resolution import judge_deaths, resolve_stack
from fracas.rulesets.relics.rules.events import emit_outcome, emit_turn, emit_turn_end
from fracas.rulesets.relics.rules.rolls import turn_to
from fracas.rulesets.relics.rules.status_ticks import decay, fire, tick
from fracas.rulesets.relics.rules.strikes import make_strikes
from fracas.rulesets.relics.rules.thorns import clear_thorns


@kernel
def play_turn(battle, log) -> None:
    """Play the next turn: its start, strikes and end; after the last turn, declare a draw.

    README, Order of play, A turn.
    """
    begin_turn(battle, log)
    start_turn(battle, log)
    make_strikes(battle, log)
    end_turn(battle, log)
    if battle.reason == codes.UNDECIDED and battle.turn >= battle.options.turn_cap:
        battle.reason = codes.TURN_CAP


@kernel
def begin_turn(battle, log) -> None:
    """Start a turn, up to its turn_start effects."""
    battle.turn += 1
    actor = battle.first ^ ((battle.turn - 1) & 1)
    battle.active = actor
    battle.strike = 0
    battle.may_strike = 1
    turn_to(battle, actor)
    fighter = fighter_of(battle, actor)
    fighter.own_turn += 1
    fighter.extra_now = fighter.extra_next
    fighter.extra_next = 0
    if log is not None:
        hp = fighter_of(battle, codes.LEFT).values[codes.HP], fighter_of(battle, codes.RIGHT).values[codes.HP]
        emit_turn(log, battle.turn, actor, battle.turn, fighter.own_turn, hp[0], hp[1])
    decay(battle, actor, codes.HP, battle.turn - battle.options.fatigue_start, codes.BY_FATIGUE, log)
    suffer_poison(battle, actor, log)
    suffer_acid(battle, actor, log)
    count_down(battle, actor, log)
    if fighter.own_turn == 1:
        fire(battle, actor, codes.FIRST_TURN, 0, log)
    if build_of(battle, actor).due_turns >> min(fighter.own_turn, codes.LATER_TURNS) & 1 == 1:
        fire(battle, actor, codes.EVERY_N_TURNS, 0, log)


@kernel
def start_turn(battle, log) -> None:
    """Run the active fighter's turn_start effects."""
    fire(battle, battle.active, codes.TURN_START, 0, log)
    judge_deaths(battle, log)


@kernel
def suffer_poison(battle, side: int, log) -> None:
    """Apply Poison: damage if the fighter has no ARMOR; Poison falls by 1 either way."""
    values = fighter_of(battle, side).values
    if battle.reason != codes.UNDECIDED or values[codes.POISON] == 0:
        return
    if values[codes.ARMOR] == 0:
        caused_by_rule(battle, NOBODY, codes.BY_POISON)
        taken = packet_of_step(battle, side, values[codes.POISON], 0, 0, log)
        check_at_once(battle, log)
        resolve_stack(battle, log)
        tick(battle, side, codes.POISON, taken, log)
    decay(battle, side, codes.POISON, 1, codes.BY_POISON, log)


@kernel
def suffer_acid(battle, side: int, log) -> None:
    """Apply Acid: it takes ARMOR and stays."""
    lost = decay(battle, side, codes.ARMOR, fighter_of(battle, side).values[codes.ACID], codes.BY_ACID, log)
    tick(battle, side, codes.ACID, lost, log)


@kernel
def count_down(battle, side: int, log) -> None:
    """Count down a fighter's countdowns and run those that reach 0."""
    if has_listener(battle, side, codes.COUNTDOWN):
        tick_countdowns(battle, build_of(battle, side).listeners[codes.COUNTDOWN])
        fire(battle, side, codes.COUNTDOWN, 0, log)


@kernel_noinline
def tick_countdowns(battle, span) -> None:
    """Take one turn off every countdown; those that reach 0 are due."""
    for index in range(span.first, span.first + span.entries):
        run = battle.runs[index & codes.EFFECT_MASK]
        if run.left > 0:
            run.left -= 1
            if run.left == 0:
                run.due = 1


@kernel
def end_turn(battle, log) -> None:
    """Play the end of a turn: statuses decay and tick, and turn-end effects run."""
    if battle.reason != codes.UNDECIDED:
        return
    actor = battle.active
    fighter = fighter_of(battle, actor)
    emit_turn_end(log, battle.turn, actor, battle.strike)
    clear_thorns(battle, log)
    for side in range(codes.SIDES):
        if side == actor or battle.options.freeze_decay != codes.DECAYS_ON_OWN_TURN:
            decay(
                battle,
                side,
                codes.FREEZE,
                min(fighter_of(battle, side).values[codes.FREEZE], 1),
                codes.BY_TURN_END,
                log,
            )
    suffer_riptide(battle, actor, log)
    regenerate(battle, actor, log)
    fire(battle, actor, codes.TURN_END, 0, log)
    if fighter.own_turn % 2 == (1 if battle.options.cadence_parity == codes.ODD else 0):
        fire(battle, actor, codes.EVERY_OTHER_TURN, 0, log)
    if battle.reason == codes.UNDECIDED and fighter.values[codes.TEMP_ATTACK] != 0:
        caused_by_rule(battle, NOBODY, codes.BY_TURN_END)
        write(battle, actor, codes.TEMP_ATTACK, 0, log)
    judge_deaths(battle, log)


@kernel
def suffer_riptide(battle, side: int, log) -> None:
    """Apply Riptide: damage; it falls by 1."""
    if battle.reason != codes.UNDECIDED or fighter_of(battle, side).values[codes.RIPTIDE] == 0:
        return
    caused_by_rule(battle, NOBODY, codes.BY_RIPTIDE)
    to_armor = 1 if battle.options.riptide_route == codes.ROUTE_ARMOR else 0
    taken = packet_of_step(battle, side, codes.RIPTIDE_DAMAGE, 0, to_armor, log)
    check_at_once(battle, log)
    resolve_stack(battle, log)
    tick(battle, side, codes.RIPTIDE, taken, log)
    decay(battle, side, codes.RIPTIDE, 1, codes.BY_RIPTIDE, log)


@kernel
def regenerate(battle, side: int, log) -> None:
    """Apply Regen: a heal; it falls by 1."""
    stacks = fighter_of(battle, side).values[codes.REGEN]
    if battle.reason != codes.UNDECIDED or stacks == 0:
        return
    caused_by_rule(battle, NOBODY, codes.BY_REGEN)
    healed = heal(battle, side, stacks, 1, log)
    resolve_stack(battle, log)
    tick(battle, side, codes.REGEN, healed, log)
    decay(battle, side, codes.REGEN, 1, codes.BY_REGEN, log)


@kernel
def announce_outcome(battle, log) -> None:
    """Emit the outcome of the battle (README, Death check)."""
    if log is not None:
        hp = fighter_of(battle, codes.LEFT).values[codes.HP], fighter_of(battle, codes.RIGHT).values[codes.HP]
        emit_outcome(log, battle.turn, battle.winner, battle.reason, hp[0], hp[1])
