"""The compiled entry points: plan a battle, play a range of battles in lanes, play rollouts on in lanes.

The rules: squads/README.md, Set-up; End.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.entry_points import lane_batch, lane_rollout
from fracas.lanes.lane_state import BLOCKS_DRAWN, change
from fracas.lanes.operations import splat, store
from fracas.lanes.source_names import named_after_sources
from fracas.rulesets.squads.lockstep import state as rows
from fracas.rulesets.squads.lockstep.effect_values import fill_figures
from fracas.rulesets.squads.lockstep.handover import is_over, load_lane, play_to_round_end
from fracas.rulesets.squads.lockstep.plan import plan_battle
from fracas.rulesets.squads.lockstep.rounds import play_round
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.entry_points import write_result
from fracas.rulesets.squads.rules.units import unit_at


def judge_battles(battles, plans) -> None:
    """Find out whether a battle is played in lanes, in plain Python. battles: (1,) of battle_t. plans: (1,), zeroed."""
    plan_battle(battles[0], plans[0])


@named_after_sources
def plan_battles(battles, plans) -> None:
    """Plan a battle. battles: (1,) of battle_t, the same afterwards. plans: (1,) of plan_t, zeroed."""
    plan_battle(battles[0], plans[0])
    if plans[0].bits != rows.NOT_PLANNED:
        fill_figures(battles[0], plans[0])


@kernel
def clear(state, battle, plan) -> None:
    """Make every row zero: rows that nothing in a battle changes are never written."""
    for row in range(rows.ROWS):
        store(state, row, splat(state, 0))


@kernel
def set_up_lanes(state, battle, plan, mask) -> None:
    """Set up battles: every unit at full HP, without charge, cooldowns or effects. Rows that nothing changes stay 0."""
    none = splat(state, 0)
    change(state, rows.TICK, mask, none)
    for side in range(codes.SIDES):
        change(state, rows.LIVING + side, mask, splat(state, battle.sides[side].unit_count))
    for index in range(codes.SLOTS):
        if unit_at(battle, index).max_hp > 0:
            change(state, rows.HP + index, mask, splat(state, unit_at(battle, index).max_hp))
            change(state, rows.CHARGE + index, mask, none)
            change(state, rows.COOLDOWN + index, mask, none)
            change(state, rows.ULTIMATE_COOLDOWN + index, mask, none)
    clear_effect(state, rows.SHIELD, rows.SHIELD_UNTIL, plan.can_shield, mask)
    clear_effect(state, rows.ATTACK_UP, rows.ATTACK_UP_UNTIL, plan.can_raise, mask)
    clear_effect(state, rows.ATTACK_DOWN, rows.ATTACK_DOWN_UNTIL, plan.can_lower, mask)
    clear_effect(state, rows.TAUNT_UNTIL, rows.TAUNT_UNTIL, plan.can_taunt, mask)
    clear_effect(state, rows.STUNNED, rows.JUST_STUNNED, plan.can_stun, mask)
    clear_effect(state, rows.WOUND, rows.WOUND_STRIKES, plan.can_wound, mask)


@kernel_noinline
def clear_effect(state, row: int, other: int, slots: int, mask) -> None:
    """Clear two rows of each of these slots."""
    for index in range(codes.SLOTS):
        if slots >> index & 1:
            change(state, row + index, mask, splat(state, 0))
            change(state, other + index, mask, splat(state, 0))


@kernel
def write_lane(state, battle, plan, lane: int, result) -> None:
    """Write the result of a decided battle."""
    result.rounds = state.rows[rows.TICK, lane]
    result.blocks_drawn = state.words[BLOCKS_DRAWN, lane]
    for side in range(codes.SIDES):
        first = battle.sides[side].first
        total = 0
        for index in range(first, first + battle.sides[side].unit_count):
            total += state.rows[rows.HP + index, lane]
        result.hp_left[side] = total
        result.units_left[side] = state.rows[rows.LIVING + side, lane]
    decide(battle, result)


@kernel
def decide(battle, result) -> None:
    """Who won, and why."""
    living, hp = result.units_left, result.hp_left
    result.winner = codes.DRAW
    if living[0] == 0 and living[1] == 0:
        result.reason = codes.BOTH_WIPED_OUT
    elif living[0] == 0 or living[1] == 0:
        result.winner = 1 if living[1] == 0 else 2
        result.reason = codes.WIPED_OUT
    elif hp[0] != hp[1]:
        result.winner = 1 if hp[0] > hp[1] else 2
        result.reason = codes.CAP_HP
    else:
        result.winner = 1 if battle.options.cap_tie == codes.CAP_TIE_SIDE1 else codes.DRAW
        result.reason = codes.CAP_EQUAL


play_in_lanes = lane_batch(clear, set_up_lanes, play_round, write_lane)
resume_in_lanes = lane_rollout(clear, play_to_round_end, is_over, load_lane, play_round, write_lane, write_result)
