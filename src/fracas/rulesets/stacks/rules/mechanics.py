"""The rules of stacks, in the order of play. stacks/README.md is the rule book that every function cites.

Choices are in policies.py, the moves in moves/, rolls in rolls.py.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import open_address
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.networks import has_network
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.events import (
    ROLL,
    emit_amount,
    emit_battle,
    emit_choice,
    emit_fall,
    emit_health,
    emit_move,
    emit_ready,
    emit_roll,
    emit_scores,
    emit_stack,
    emit_turn,
    emit_turn_end,
)
from fracas.rulesets.stacks.rules.moves.dispatch import apply, generate, is_viable, provokes, repeats
from fracas.rulesets.stacks.rules.moves.melee import riposte_generate, riposte_is_viable
from fracas.rulesets.stacks.rules.outcome import decide, take_stock
from fracas.rulesets.stacks.rules.participants import (
    in_order,
    involved_at,
    is_living,
    is_meant_for,
    participant_at,
    place_at,
)
from fracas.rulesets.stacks.rules.policies import choose_move
from fracas.rulesets.stacks.rules.rolls import begin_making
from fracas.rulesets.stacks.rules.trained import trained_action


@kernel
def set_up(battle, log) -> None:
    """Set up a battle: participants start with their health and scores; an attack without defenders is won.

    README, Set-up.
    """
    battle.turn = 0
    battle.tick = battle.first_tick
    battle.winner = codes.DRAW
    battle.reason = codes.UNDECIDED
    battle.turns_played = 0
    battle.idle = 0
    battle.stale = 0
    battle.overfull = 0
    battle.noting = 0 if log is None else 1
    for index in range(battle.involved_count):
        refresh(battle, participant_at(battle, involved_at(battle, index)))
    for number in range(codes.SIDES):
        side = battle.sides[number]
        take_stock(battle, side)
        side.least_health = side.total_health
    if log is not None:
        log_set_up(battle, log)
    if battle.sides[codes.DEFENDERS].living == 0:
        battle.winner = 1 + codes.ATTACKERS
        battle.reason = codes.UNOPPOSED


@kernel
def refresh(battle, one) -> None:
    """Reset a participant to the state in which it enters a battle (README, Set-up)."""
    one.health = one.first_health
    one.attack = one.first_attack
    one.defence = one.first_defence
    one.damage = one.first_damage
    for move in range(battle.move_type_count):
        one.used[move & codes.MOVE_TYPE_MASK] = 0


@kernel
def log_set_up(battle, log) -> None:
    """Log the stacks on the field and the participants (README, Set-up)."""
    counts = battle.sides[codes.ATTACKERS].member_count, battle.sides[codes.DEFENDERS].member_count
    emit_battle(log, battle.tick, battle.stack, counts[0], counts[1], battle.number)
    for direction in range(battle.direction_count):
        place = place_at(battle, direction)
        if place.stack != NOBODY:
            emit_stack(log, battle.tick, place.stack, direction, place.role, place.unit_count)
    for entry in range(battle.involved_count):
        one = participant_at(battle, involved_at(battle, entry))
        emit_ready(log, battle.tick, one.id, one.side + 1, one.health, one.full_health, one.initiative)


@kernel
def play_turn(battle, log, plugins) -> None:
    """Play one turn: every participant still living acts in the order of play, then the turn ends (README, A turn)."""
    start_turn(battle, log)
    take_turns(battle, 0, log, plugins)


@kernel_noinline
def take_turns(battle, first: int, log, plugins) -> None:
    """Let every participant still living act, from a place in the order of play on, then end the turn.

    README, A turn.
    """
    for index in range(first, battle.involved_count):
        actor = in_order(battle, index)
        if is_living(battle, actor):
            take_turn(battle, actor, log, plugins)
    end_turn(battle, log)


@kernel
def start_turn(battle, log) -> None:
    """Start a turn (README, A turn, step 1)."""
    battle.tick = battle.first_tick + battle.turn
    battle.harmed = 0
    if log is not None:
        living = battle.sides[codes.ATTACKERS].living, battle.sides[codes.DEFENDERS].living
        emit_turn(log, battle.tick, battle.turn, living[0], living[1])


@kernel
def take_turn(battle, actor: int, log, plugins) -> None:
    """Play a participant's turn: choose a move and repeat it while it is viable, or wait.

    README, A participant's turn.
    """
    value = 0.0
    if has_network(battle.networks[participant_at(battle, actor).side & 1]):
        choose_as_told(battle, trained_action(battle, actor))
    else:
        value = choose_move(battle, actor, log, plugins)
    carry_out(battle, actor, value, log, plugins)


@kernel
def choose_as_told(battle, action: int) -> None:
    """Choose the move that an agent or a trained policy wants, or none to wait.

    README, A participant's turn, step 1.
    """
    battle.chosen_move = NOBODY
    battle.chosen_target = NOBODY
    if action != codes.WAITING:
        battle.chosen_move = action // codes.SLOTS
        battle.chosen_target = action % codes.SLOTS


@kernel_noinline
def carry_out(battle, actor: int, value: float, log, plugins) -> None:
    """Make the chosen move, repeated while it is viable (README, A participant's turn, from step 2)."""
    move, target = battle.chosen_move, battle.chosen_target
    if target == NOBODY:
        return
    count = min(max(repeats(battle, move, actor, target, plugins), 1), codes.MOST_REPEATS)
    emit_choice(log, battle.tick, actor, target, move, value, count)
    open_address(battle.dice, battle.tick, actor)
    for repeat in range(1, count + 1):
        if repeat > 1 and not can_go_on(battle, move, actor, target, plugins):
            return
        make_move(battle, actor, target, move, repeat, log, plugins)


@kernel
def can_go_on(battle, move: int, actor: int, target: int, plugins) -> bool:
    """Whether a move can be made again (README, A participant's turn, step 4)."""
    return (
        is_living(battle, actor)
        and is_meant_for(battle, move, actor, target)
        and is_viable(battle, move, actor, target, plugins)
    )


@kernel
def make_move(battle, actor: int, target: int, move: int, repeat: int, log, plugins) -> None:
    """Make a move once: generate its tuples, apply them, then let targets answer (README, A making)."""
    begin_making(battle)
    generate(battle, move, actor, target, plugins)
    log_rolls(battle, actor, log)
    count = battle.tuple_count
    for index in range(count):
        made = battle.tuples[index & codes.TUPLE_MASK]
        apply_tuple(battle, actor, made.target, move, made.effect, repeat, log, plugins)
    if provokes(battle, move):
        for index in range(count):
            answer(battle, actor, index, repeat, log, plugins)


@kernel
def answer(battle, striker: int, index: int, repeat: int, log, plugins) -> None:
    """Let a tuple's target strike back, if a Riposte is viable. The Riposte's tuple replaces the answered one.

    README, A making, step 3.
    """
    made = battle.tuples[index & codes.TUPLE_MASK]
    struck = made.target
    if struck != NOBODY and riposte_is_viable(battle, struck, striker):
        battle.roll_count = 0
        battle.tuple_count = index
        riposte_generate(battle, struck, striker)
        log_rolls(battle, struck, log)
        apply_tuple(battle, struck, striker, codes.RIPOSTE, made.effect, repeat, log, plugins)


@kernel
def log_rolls(battle, maker: int, log) -> None:
    """Log the rolls of a making (README, Order of rows)."""
    if log is not None:
        for index in range(battle.roll_count):
            stored = battle.rolls[index & codes.ROLL_MASK]
            if stored.kind == ROLL:
                emit_roll(log, battle.tick, maker, stored.target, stored.a, stored.b, stored.c, stored.d)
            else:
                emit_amount(log, battle.tick, maker, stored.target, stored.a, stored.b, stored.c)


@kernel
def apply_tuple(battle, actor: int, target: int, move: int, effect: int, repeat: int, log, plugins) -> None:
    """Apply one tuple: change actor and target, count it, and note harm to a defender (README, Applying)."""
    one, other = participant_at(battle, actor), participant_at(battle, target)
    own_health, own_scores = one.health, scores_of(one)
    health, scores = other.health, scores_of(other)
    apply(battle, move, actor, target, effect, plugins)
    one.used[move & codes.MOVE_TYPE_MASK] += 1
    if target != NOBODY and one.side == codes.ATTACKERS and other.side == codes.DEFENDERS and other.health < health:
        battle.harmed = 1
    if log is not None:
        shown = one.health if target == NOBODY else other.health
        emit_move(log, battle.tick, actor, target, move, effect, shown, repeat)
        if target != NOBODY:
            log_changes(battle, actor, other, health, scores, log)
        if target != actor:
            if one.health != own_health:
                emit_health(log, battle.tick, actor, own_health, one.health)
            log_changes(battle, actor, one, own_health, own_scores, log)


@kernel
def scores_of(one) -> Any:
    """A participant's three scores (README, State)."""
    return one.attack, one.defence, one.damage


@kernel
def log_changes(battle, actor: int, one, health: int, scores, log) -> None:
    """Log a participant's changed scores and its fall after a tuple (README, Applying)."""
    if one.attack != scores[0] or one.defence != scores[1] or one.damage != scores[2]:
        emit_scores(log, battle.tick, one.id, one.attack, one.defence, one.damage)
    if health > 0 and one.health == 0:
        emit_fall(log, battle.tick, actor, one.id)


@kernel
def end_turn(battle, log) -> None:
    """End a turn: note whether it was idle or stale, and whether it was the last (README, End of a turn)."""
    first, second = battle.sides[codes.ATTACKERS], battle.sides[codes.DEFENDERS]
    before = first.total_health, second.total_health
    take_stock(battle, first)
    take_stock(battle, second)
    totals = first.total_health, second.total_health
    is_idle = battle.harmed == 0
    if battle.options.idle_rule == codes.ANYONE_IDLE:
        is_idle = totals[0] == before[0] and totals[1] == before[1]
    if battle.turn == 0 and battle.options.first_turn_idle == 0:
        is_idle = False
    is_stale = totals[0] >= first.least_health and totals[1] >= second.least_health
    first.least_health = min(first.least_health, totals[0])
    second.least_health = min(second.least_health, totals[1])
    battle.idle = battle.idle + 1 if is_idle else 0
    battle.stale = battle.stale + 1 if is_stale else 0
    battle.turns_played = battle.turn + 1
    emit_turn_end(log, battle.tick, battle.idle, battle.stale, totals[0], totals[1])
    decide(battle)
    if battle.reason == codes.UNDECIDED:
        battle.turn += 1
