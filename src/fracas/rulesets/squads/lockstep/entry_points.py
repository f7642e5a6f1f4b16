"""The compiled entry points: plan a battle, play a range of battles in lanes, play rollouts on in lanes."""

from __future__ import annotations

from typing import Any

from fracas.kernel.entry_points import write_outcome
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.operations import (
    LANES,
    any_lane,
    count_lanes,
    first_lane,
    load_mask,
    no_lanes,
    one_lane,
    splat,
    store,
)
from fracas.lanes.sources import named_after_sources
from fracas.rulesets.squads.lockstep.effects import change
from fracas.rulesets.squads.lockstep.figures import fill_figures
from fracas.rulesets.squads.lockstep.handover import load_lane, play_to_round_end
from fracas.rulesets.squads.lockstep.plan import plan_battle
from fracas.rulesets.squads.lockstep.rounds import play_round
from fracas.rulesets.squads.lockstep.state import (
    ATTACK_DOWN,
    ATTACK_DOWN_UNTIL,
    ATTACK_UP,
    ATTACK_UP_UNTIL,
    BLOCKS_DRAWN,
    CHARGE,
    COOLDOWN,
    GIVEN_UP,
    HP,
    JUST_STUNNED,
    LIVING,
    NOT_PLANNED,
    ROWS,
    SHIELD,
    SHIELD_UNTIL,
    STREAM_HIGH,
    STREAM_LOW,
    STUNNED,
    TAUNT_UNTIL,
    TICK,
    TICK_WORDS,
    ULTIMATE_COOLDOWN,
    WOUND,
    WOUND_STRIKES,
)
from fracas.rulesets.squads.rules.constants import (
    BOTH_WIPED_OUT,
    CAP_EQUAL,
    CAP_HP,
    CAP_TIE_SIDE1,
    DRAW,
    SIDES,
    SLOTS,
    UNDECIDED,
    WIPED_OUT,
)
from fracas.rulesets.squads.rules.entry_points import write_result
from fracas.rulesets.squads.rules.units import unit_at

# The winner of a battle that the caller must play by the rules of rules/.
LEFT_TO_RULES = -1
# With no battle left to start, this few are quicker played one by one.
FEW_LANES = 2


def judge_battles(battles: Any, plans: Any) -> None:
    """Find out whether a battle is played in lanes, in plain Python. battles: (1,) of battle_t. plans: (1,), zeroed."""
    plan_battle(battles[0], plans[0])


@named_after_sources
def plan_battles(battles: Any, plans: Any) -> None:
    """Plan a battle. battles: (1,) of battle_t, the same afterwards. plans: (1,) of plan_t, zeroed."""
    plan_battle(battles[0], plans[0])
    if plans[0].bits != NOT_PLANNED:
        fill_figures(battles[0], plans[0])


@named_after_sources
def play_in_lanes(battles: Any, plans: Any, states: Any, first_stream: int, results: Any) -> None:
    """Play battles number first_stream, first_stream + 1, ... of one scenario, one for each row of the results.

    battles: (1,) of battle_t, which stays as it is. plans: (1,) of plan_t, with as many bits as the state's rows.
    states: (1,) of lanes_of_16_t or lanes_of_32_t, aligned to 64 bytes; what it holds does not matter. results: (n,) of
    result_t, zeroed; where the winner is LEFT_TO_RULES the caller must play the battle.
    """
    battle, plan, state = battles[0], plans[0], states[0]
    clear(state)
    running = no_lanes()
    started = 0
    while True:
        free = ~running
        if started < len(results) and any_lane(free):
            set_up_lanes(state, battle, plan, free)
            while started < len(results) and any_lane(free):
                lane = first_lane(free)
                start_battle(state, lane, first_stream + started, started)
                started += 1
                free = free & ~one_lane(lane)
                running = running | one_lane(lane)
        running = play_on(state, battle, plan, running, started == len(results), results)
        if started == len(results) and not any_lane(running):
            return


@named_after_sources
def resume_in_lanes(
    battles: Any,
    plans: Any,
    states: Any,
    memory: Any,
    saved: Any,
    spans: Any,
    first_stream: int,
    results: Any,
    place: Any,
) -> None:
    """Play rollouts with the dice of streams first_stream, first_stream + 1, ..., one for each row of the results.

    The first four and the results are as in play_in_lanes, the others as in resume_many. The rules of rules/ play each
    rollout to the end of its round, lanes from there on.
    """
    battle, plan, state = battles[0], plans[0], states[0]
    clear(state)
    running = no_lanes()
    started = 0
    while True:
        free = ~running
        while started < len(results) and any_lane(free):
            lane = first_lane(free)
            play_to_round_end(battle, memory, saved, spans, first_stream + started, place)
            if battle.reason == UNDECIDED:
                load_lane(state, battle, plan, lane, started)
                free = free & ~one_lane(lane)
                running = running | one_lane(lane)
            else:
                write_outcome(battle, None, results[started])
                write_result(battle, results[started])
            started += 1
        if started == len(results) and not any_lane(running):
            return
        running = play_on(state, battle, plan, running, started == len(results), results)


@kernel
def clear(state: Any) -> None:
    """Make every row zero: rows that nothing in a battle changes are never written.

    Rule:    none.
    Changes: state.rows.
    Draws:   none.
    Emits:   nothing.
    """
    for row in range(ROWS):
        store(state, row, splat(state, 0))


@kernel
def play_on(state: Any, battle: Any, plan: Any, running: Any, is_last: bool, results: Any) -> Any:
    """Play a round, and write the results of what it decided; returns the lanes that go on.

    is_last: whether no battle is left to start.

    Rule:    squads/README.md, Order of play.
    Changes: the state, the results.
    Draws:   as play_round.
    Emits:   nothing.
    """
    if is_last and len(results) >= LANES and count_lanes(running) <= FEW_LANES:
        leave(state, results, running)
        return no_lanes()
    left = play_round(state, battle, plan, running)
    given_up = running & load_mask(state, GIVEN_UP)
    over = running & ~left & ~given_up
    while any_lane(over):
        lane = first_lane(over)
        write_lane(state, battle, lane, results[state.places[lane]])
        over = over & ~one_lane(lane)
    leave(state, results, given_up)
    return left & ~given_up


@kernel
def leave(state: Any, results: Any, mask: Any) -> None:
    """Mark battles as left to the rules of rules/.

    Rule:    none.
    Changes: the results.
    Draws:   none.
    Emits:   nothing.
    """
    while any_lane(mask):
        lane = first_lane(mask)
        results[state.places[lane]].winner = LEFT_TO_RULES
        mask = mask & ~one_lane(lane)


@kernel
def set_up_lanes(state: Any, battle: Any, plan: Any, mask: Any) -> None:
    """Set up battles: every unit at full HP, without charge, cooldowns or effects. Rows that nothing changes stay 0.

    Rule:    squads/README.md, Set-up.
    Changes: the lanes.
    Draws:   none.
    Emits:   nothing.
    """
    none = splat(state, 0)
    change(state, TICK, mask, none)
    for side in range(SIDES):
        change(state, LIVING + side, mask, splat(state, battle.sides[side].unit_count))
    for index in range(SLOTS):
        if unit_at(battle, index).max_hp > 0:
            change(state, HP + index, mask, splat(state, unit_at(battle, index).max_hp))
            change(state, CHARGE + index, mask, none)
            change(state, COOLDOWN + index, mask, none)
            change(state, ULTIMATE_COOLDOWN + index, mask, none)
    clear_effect(state, SHIELD, SHIELD_UNTIL, plan.can_shield, mask)
    clear_effect(state, ATTACK_UP, ATTACK_UP_UNTIL, plan.can_raise, mask)
    clear_effect(state, ATTACK_DOWN, ATTACK_DOWN_UNTIL, plan.can_lower, mask)
    clear_effect(state, TAUNT_UNTIL, TAUNT_UNTIL, plan.can_taunt, mask)
    clear_effect(state, STUNNED, JUST_STUNNED, plan.can_stun, mask)
    clear_effect(state, WOUND, WOUND_STRIKES, plan.can_wound, mask)


@kernel_noinline
def clear_effect(state: Any, row: int, other: int, slots: int, mask: Any) -> None:
    """Clear two rows of each of these slots.

    Rule:    squads/README.md, Set-up.
    Changes: the lanes.
    Draws:   none.
    Emits:   nothing.
    """
    for index in range(SLOTS):
        if slots >> index & 1:
            change(state, row + index, mask, splat(state, 0))
            change(state, other + index, mask, splat(state, 0))


@kernel
def start_battle(state: Any, lane: int, stream: int, place: int) -> None:
    """Give a lane the dice of a battle, and note which battle it is.

    Rule:    docs/reference/dice.md (the stream is the battle's number).
    Changes: the lane.
    Draws:   none.
    Emits:   nothing.
    """
    state.words[TICK_WORDS, lane] = 0
    state.words[STREAM_LOW, lane] = stream & 0xFFFFFFFF
    state.words[STREAM_HIGH, lane] = (stream >> 32) & 0xFFFFFFFF
    state.words[BLOCKS_DRAWN, lane] = 0
    state.places[lane] = place


@kernel
def write_lane(state: Any, battle: Any, lane: int, result: Any) -> None:
    """Write the result of a decided battle.

    Rule:    squads/README.md, End.
    Changes: the result.
    Draws:   none.
    Emits:   nothing.
    """
    result.rounds = state.rows[TICK, lane]
    result.blocks_drawn = state.words[BLOCKS_DRAWN, lane]
    for side in range(SIDES):
        first = battle.sides[side].first
        total = 0
        for index in range(first, first + battle.sides[side].unit_count):
            total += state.rows[HP + index, lane]
        result.hp_left[side] = total
        result.units_left[side] = state.rows[LIVING + side, lane]
    decide(battle, result)


@kernel
def decide(battle: Any, result: Any) -> None:
    """Who won, and why.

    Rule:    squads/README.md, End.
    Changes: the result.
    Draws:   none.
    Emits:   nothing.
    """
    living, hp = result.units_left, result.hp_left
    result.winner = DRAW
    if living[0] == 0 and living[1] == 0:
        result.reason = BOTH_WIPED_OUT
    elif living[0] == 0 or living[1] == 0:
        result.winner = 1 if living[1] == 0 else 2
        result.reason = WIPED_OUT
    elif hp[0] != hp[1]:
        result.winner = 1 if hp[0] > hp[1] else 2
        result.reason = CAP_HP
    else:
        result.winner = 1 if battle.options.cap_tie == CAP_TIE_SIDE1 else DRAW
        result.reason = CAP_EQUAL
