"""The compiled entry points: plan a duel, play a range of duels in lanes, play rollouts on in lanes."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.entry_points import lane_batch, lane_rollout
from fracas.lanes.lane_state import BLOCKS_DRAWN, change
from fracas.lanes.operations import (
    splat,
    store,
)
from fracas.lanes.reals import load_reals, select_reals, splat_reals, store_reals
from fracas.lanes.source_names import named_after_sources
from fracas.rulesets.titans.lockstep.handover import is_over, load_lane, play_to_round_end
from fracas.rulesets.titans.lockstep.plan import plan_duel
from fracas.rulesets.titans.lockstep.plan_conditions import plan_tests
from fracas.rulesets.titans.lockstep.rounds import play_round
from fracas.rulesets.titans.lockstep.state import (
    BY_ANOTHER_WIN,
    BY_KNOCK_OUT,
    CHARGE,
    CHOICE,
    CRITICAL_CHANCE,
    HIT_CHANCE,
    HP,
    LAST_CHOICE,
    LOWERED,
    MISSED,
    NOT_PLANNED,
    NOW,
    RAISED,
    ROWS,
    SHIELD,
    STAMINA_FACTOR,
    SUMS,
    TICK,
    UNTIL,
    WITHOUT_WIN,
    ZERO_SUM,
)
from fracas.rulesets.titans.rules.constants import (
    BOTH_FORFEIT,
    CAP_EQUAL,
    CAP_HP,
    DRAW,
    FORFEIT,
    KNOCK_OUT,
    MISSES_TO_FORFEIT,
    PLAYERS,
    STAMINA_STAT,
    STATS,
)
from fracas.rulesets.titans.rules.entry_points import write_result
from fracas.rulesets.titans.rules.titan_stats import titan_at


def judge_battles(battles: Any, plans: Any) -> None:
    """Find out whether a duel is played in lanes, in plain Python. battles: (1,) of battle_t. plans: (1,), zeroed."""
    plan_duel(battles[0], plans[0])


@named_after_sources
def plan_battles(battles: Any, plans: Any) -> None:
    """Plan a duel. battles: (1,) of battle_t, the same afterwards. plans: (1,) of plan_t, zeroed."""
    plan_duel(battles[0], plans[0])
    if plans[0].bits != NOT_PLANNED:
        plan_tests(battles[0], plans[0])


@kernel_noinline
def clear(state: Any, battle: Any, plan: Any) -> None:
    """Set every row up: rows that nothing in a duel changes are never written again.

    Rule:    titans/README.md, Set-up.
    Changes: the state.
    Draws:   none.
    Emits:   nothing.
    """
    for row in range(ROWS):
        store(state, row, splat(state, 0))
    for index in range(PLAYERS):
        store_reals(state, SHIELD + index, splat_reals(0.0))
        store_reals(state, HIT_CHANCE + index, splat_reals(plan.hit_chance[index]))
        store_reals(state, CRITICAL_CHANCE + index, splat_reals(plan.critical_chance[index]))
        stamina = plan.now[index, STAMINA_STAT]
        store_reals(state, STAMINA_FACTOR + index, splat_reals(1.0 + stamina / 100.0))
        for stat in range(len(STATS)):
            store(state, SUMS + PLAYERS * stat + index, splat(state, ZERO_SUM))
            store_reals(state, NOW + PLAYERS * stat + index, splat_reals(plan.now[index, stat]))


@kernel
def set_up_lanes(state: Any, battle: Any, plan: Any, mask: Any) -> None:
    """Set up duels: full HP, no charge, no changes, no choices.

    Rule:    titans/README.md, Set-up.
    Changes: the lanes.
    Draws:   none.
    Emits:   nothing.
    """
    none = splat(state, 0)
    change(state, TICK, mask, none)
    for index in range(PLAYERS):
        change(state, HP + index, mask, splat(state, titan_at(battle, index).max_hp))
        change(state, CHARGE + index, mask, none)
        change(state, CHOICE + index, mask, none)
        change(state, LAST_CHOICE + index, mask, none)
        change(state, MISSED + index, mask, none)
        if plan.can_shield[index]:
            restore_reals(state, SHIELD + index, mask, 0.0)
        if plan.bears_any[index]:
            clear_changes(state, battle, plan, index, mask)
    if plan.bears_any[0] or plan.bears_any[1]:
        for index in range(PLAYERS):
            restore_reals(state, HIT_CHANCE + index, mask, plan.hit_chance[index])


@kernel_noinline
def clear_changes(state: Any, battle: Any, plan: Any, index: int, mask: Any) -> None:
    """Clear a titan's changes, and give it its own stats.

    Rule:    titans/README.md, Set-up.
    Changes: the lanes.
    Draws:   none.
    Emits:   nothing.
    """
    none = splat(state, 0)
    change(state, RAISED + index, mask, none)
    change(state, LOWERED + index, mask, none)
    for place in range(battle.change_count):
        if plan.can_bear[index, place]:
            stat = battle.changes[place].stat
            change(state, UNTIL + PLAYERS * place + index, mask, none)
            change(state, SUMS + PLAYERS * stat + index, mask, splat(state, ZERO_SUM))
            restore_reals(state, NOW + PLAYERS * stat + index, mask, plan.now[index, stat])
    restore_reals(state, CRITICAL_CHANCE + index, mask, plan.critical_chance[index])
    restore_reals(state, STAMINA_FACTOR + index, mask, 1.0 + plan.now[index, STAMINA_STAT] / 100.0)


@kernel
def restore_reals(state: Any, row: int, mask: Any, value: float) -> None:
    """Replace a row of doubles by a number where a mask is true.

    Rule:    none.
    Changes: state.reals.
    Draws:   none.
    Emits:   nothing.
    """
    store_reals(state, row, select_reals(mask, splat_reals(value), load_reals(state, row)))


@kernel
def write_lane(state: Any, battle: Any, plan: Any, lane: int, result: Any) -> None:
    """Write the result of a decided duel, with its titans' experience.

    Rule:    titans/README.md, Outcome; Experience.
    Changes: the result.
    Draws:   none; a block for each new level counts as drawn.
    Emits:   nothing.
    """
    write_resumed_lane(state, battle, plan, lane, result)
    for index in range(PLAYERS):
        outcome = WITHOUT_WIN
        if result.winner == index + 1:
            outcome = BY_KNOCK_OUT if result.reason == KNOCK_OUT else BY_ANOTHER_WIN
        result.blocks_drawn += plan.risen[index, outcome]


@kernel
def write_resumed_lane(state: Any, battle: Any, plan: Any, lane: int, result: Any) -> None:
    """Write the result of a decided rollout, which knows no experience.

    Rule:    titans/README.md, Outcome.
    Changes: the result.
    Draws:   none.
    Emits:   nothing.
    """
    result.rounds = state.rows[TICK, lane]
    result.blocks_drawn = state.words[BLOCKS_DRAWN, lane]
    for index in range(PLAYERS):
        hp = state.rows[HP + index, lane]
        result.hp_left[index] = hp
        result.units_left[index] = 1 if hp > 0 else 0
        result.charge_left[index] = state.rows[CHARGE + index, lane]
    decide(battle, result, state.rows[MISSED, lane], state.rows[MISSED + 1, lane])


@kernel
def decide(battle: Any, result: Any, missed: int, others_missed: int) -> None:
    """Who won, and why.

    Rule:    titans/README.md, Deadlines; Damage; End of a round.
    Changes: the result.
    Draws:   none.
    Emits:   nothing.
    """
    hp = result.hp_left
    one, other = titan_at(battle, 0), titan_at(battle, 1)
    result.winner = DRAW
    if missed >= MISSES_TO_FORFEIT and others_missed >= MISSES_TO_FORFEIT:
        result.reason = BOTH_FORFEIT
    elif missed >= MISSES_TO_FORFEIT or others_missed >= MISSES_TO_FORFEIT:
        result.reason = FORFEIT
        result.winner = 2 if missed >= MISSES_TO_FORFEIT else 1
    elif hp[0] == 0 or hp[1] == 0:
        result.reason = KNOCK_OUT
        result.winner = 1 if hp[1] == 0 else 2
    else:
        first, second = hp[0] * other.max_hp, hp[1] * one.max_hp
        result.reason = CAP_EQUAL if first == second else CAP_HP
        if first != second:
            result.winner = 1 if first > second else 2


play_in_lanes = lane_batch(clear, set_up_lanes, play_round, write_lane)
resume_in_lanes = lane_rollout(
    clear, play_to_round_end, is_over, load_lane, play_round, write_resumed_lane, write_result
)
