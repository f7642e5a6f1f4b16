"""The turns of relics, in the order of play. Every function cites the rule book, relics/README.md.

Set-up is in setup.py, strikes in strikes.py. Everything that happens is a change from effects/quantity_changes.py or
effects/damage.py; effects/resolution.py processes the consequences.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.relics.rules.condition_facts import build_of, fighter_of
from fracas.rulesets.relics.rules.constants import (
    ACID,
    ARMOR,
    BY_ACID,
    BY_FATIGUE,
    BY_POISON,
    BY_REGEN,
    BY_RIPTIDE,
    BY_TURN_END,
    COUNTDOWN,
    DECAYS_ON_OWN_TURN,
    EFFECT_MASK,
    EVERY_N_TURNS,
    EVERY_OTHER_TURN,
    FIRST_TURN,
    FREEZE,
    HP,
    LATER_TURNS,
    LEFT,
    ODD,
    OUTCOME_EVENT,
    POISON,
    REGEN,
    RIGHT,
    RIPTIDE,
    RIPTIDE_DAMAGE,
    ROUTE_ARMOR,
    SIDES,
    TEMP_ATTACK,
    TURN_CAP,
    TURN_END,
    TURN_END_EVENT,
    TURN_EVENT,
    TURN_START,
    UNDECIDED,
)
from fracas.rulesets.relics.rules.deaths import check_at_once
from fracas.rulesets.relics.rules.effects.agenda import caused_by_rule, has_listener
from fracas.rulesets.relics.rules.effects.damage import heal
from fracas.rulesets.relics.rules.effects.fast_path import packet_of_step
from fracas.rulesets.relics.rules.effects.quantity_changes import write
from fracas.rulesets.relics.rules.effects.resolution import judge_deaths, resolve_stack
from fracas.rulesets.relics.rules.rolls import turn_to
from fracas.rulesets.relics.rules.status_ticks import come_up, fall_off, tick
from fracas.rulesets.relics.rules.strikes import make_strikes
from fracas.rulesets.relics.rules.thorns import clear_thorns


@kernel
def play_turn(battle: Any, log: Any) -> None:
    """Play the next turn: its start, strikes and end; after the last turn, declare a draw.

    Rule:    relics/README.md, Order of play, A turn.
    Changes: the battle.
    Draws:   opens (turn, active fighter); as the effects.
    Emits:   as its stages.
    """
    begin_turn(battle, log)
    start_turn(battle, log)
    make_strikes(battle, log)
    end_turn(battle, log)
    if battle.reason == UNDECIDED and battle.turn >= battle.options.turn_cap:
        battle.reason = TURN_CAP


@kernel
def begin_turn(battle: Any, log: Any) -> None:
    """Start a turn, up to its turn_start effects.

    Rule:    relics/README.md, A turn, step 1 without its last.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   TURN; as suffer_fatigue, suffer_poison, suffer_acid, count_down; as the effects.
    """
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
        hp = fighter_of(battle, LEFT).values[HP], fighter_of(battle, RIGHT).values[HP]
        emit(log, battle.turn, TURN_EVENT, actor, NOBODY, battle.turn, fighter.own_turn, hp[0], hp[1])
    fall_off(battle, actor, HP, battle.turn - battle.options.fatigue_start, BY_FATIGUE, log)
    suffer_poison(battle, actor, log)
    suffer_acid(battle, actor, log)
    count_down(battle, actor, log)
    if fighter.own_turn == 1:
        come_up(battle, actor, FIRST_TURN, 0, log)
    if build_of(battle, actor).due_turns >> min(fighter.own_turn, LATER_TURNS) & 1 == 1:
        come_up(battle, actor, EVERY_N_TURNS, 0, log)


@kernel
def start_turn(battle: Any, log: Any) -> None:
    """Run the active fighter's turn_start effects.

    Rule:    relics/README.md, A turn, step 1.7.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects; as judge_deaths.
    """
    come_up(battle, battle.active, TURN_START, 0, log)
    judge_deaths(battle, log)


@kernel
def suffer_poison(battle: Any, side: int, log: Any) -> None:
    """Apply Poison: damage if the fighter has no ARMOR; Poison falls by 1 either way.

    Rule:    relics/README.md, A turn, step 1.2.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as packet_of_step, as fall_off; as the effects.
    """
    values = fighter_of(battle, side).values
    if battle.reason != UNDECIDED or values[POISON] == 0:
        return
    if values[ARMOR] == 0:
        caused_by_rule(battle, NOBODY, BY_POISON)
        taken = packet_of_step(battle, side, values[POISON], 0, 0, log)
        check_at_once(battle, log)
        resolve_stack(battle, log)
        tick(battle, side, POISON, taken, log)
    fall_off(battle, side, POISON, 1, BY_POISON, log)


@kernel
def suffer_acid(battle: Any, side: int, log: Any) -> None:
    """Apply Acid: it takes ARMOR and stays.

    Rule:    relics/README.md, A turn, step 1.3.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as fall_off; as the effects.
    """
    lost = fall_off(battle, side, ARMOR, fighter_of(battle, side).values[ACID], BY_ACID, log)
    tick(battle, side, ACID, lost, log)


@kernel
def count_down(battle: Any, side: int, log: Any) -> None:
    """Count down a fighter's countdowns and run those that reach 0.

    Rule:    relics/README.md, A turn, step 1.4.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as the effects.
    """
    if has_listener(battle, side, COUNTDOWN):
        bring_nearer(battle, build_of(battle, side).listeners[COUNTDOWN])
        come_up(battle, side, COUNTDOWN, 0, log)


@kernel_noinline
def bring_nearer(battle: Any, span: Any) -> None:
    """Take one turn off every countdown; those that reach 0 are due.

    Rule:    relics/README.md, A turn, step 1.4.
    Changes: the countdowns' left and due.
    Draws:   none.
    Emits:   nothing.
    """
    for place in range(span.first, span.first + span.entries):
        run = battle.runs[place & EFFECT_MASK]
        if run.left > 0:
            run.left -= 1
            if run.left == 0:
                run.due = 1


@kernel
def end_turn(battle: Any, log: Any) -> None:
    """Play the end of a turn: statuses decay and tick, and turn-end effects run.

    Rule:    relics/README.md, A turn, step 3.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   TURN_END; as its steps; as the effects; CHANGE; as judge_deaths.
    """
    if battle.reason != UNDECIDED:
        return
    actor = battle.active
    fighter = fighter_of(battle, actor)
    if log is not None:
        emit(log, battle.turn, TURN_END_EVENT, actor, NOBODY, battle.strike, 0, 0, 0)
    clear_thorns(battle, log)
    for side in range(SIDES):
        if side == actor or battle.options.freeze_decay != DECAYS_ON_OWN_TURN:
            fall_off(battle, side, FREEZE, min(fighter_of(battle, side).values[FREEZE], 1), BY_TURN_END, log)
    suffer_riptide(battle, actor, log)
    regenerate(battle, actor, log)
    come_up(battle, actor, TURN_END, 0, log)
    if fighter.own_turn % 2 == (1 if battle.options.cadence_parity == ODD else 0):
        come_up(battle, actor, EVERY_OTHER_TURN, 0, log)
    if battle.reason == UNDECIDED and fighter.values[TEMP_ATTACK] != 0:
        caused_by_rule(battle, NOBODY, BY_TURN_END)
        write(battle, actor, TEMP_ATTACK, 0, log)
    judge_deaths(battle, log)


@kernel
def suffer_riptide(battle: Any, side: int, log: Any) -> None:
    """Apply Riptide: damage; it falls by 1.

    Rule:    relics/README.md, A turn, step 3.3.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as packet_of_step, as fall_off; as the effects.
    """
    if battle.reason != UNDECIDED or fighter_of(battle, side).values[RIPTIDE] == 0:
        return
    caused_by_rule(battle, NOBODY, BY_RIPTIDE)
    to_armor = 1 if battle.options.riptide_route == ROUTE_ARMOR else 0
    taken = packet_of_step(battle, side, RIPTIDE_DAMAGE, 0, to_armor, log)
    check_at_once(battle, log)
    resolve_stack(battle, log)
    tick(battle, side, RIPTIDE, taken, log)
    fall_off(battle, side, RIPTIDE, 1, BY_RIPTIDE, log)


@kernel
def regenerate(battle: Any, side: int, log: Any) -> None:
    """Apply Regen: a heal; it falls by 1.

    Rule:    relics/README.md, A turn, step 3.4.
    Changes: the battle.
    Draws:   as the effects.
    Emits:   as heal, as fall_off; as the effects.
    """
    stacks = fighter_of(battle, side).values[REGEN]
    if battle.reason != UNDECIDED or stacks == 0:
        return
    caused_by_rule(battle, NOBODY, BY_REGEN)
    healed = heal(battle, side, stacks, 1, log)
    resolve_stack(battle, log)
    tick(battle, side, REGEN, healed, log)
    fall_off(battle, side, REGEN, 1, BY_REGEN, log)


@kernel
def announce_outcome(battle: Any, log: Any) -> None:
    """Emit the outcome of the battle.

    Rule:    relics/README.md, Death check; A turn, step 4.
    Changes: nothing.
    Draws:   none.
    Emits:   OUTCOME.
    """
    if log is not None:
        hp = fighter_of(battle, LEFT).values[HP], fighter_of(battle, RIGHT).values[HP]
        emit(log, battle.turn, OUTCOME_EVENT, NOBODY, NOBODY, battle.winner, battle.reason, hp[0], hp[1])
