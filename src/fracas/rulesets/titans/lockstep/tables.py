"""Chooses by solved tables: each lane looks its cell up by itself, its dice are drawn in lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.battles import count_block, draw_block, give_up, may_refuse
from fracas.lanes.operations import any_lane, first_lane, load_words, no_lanes, one_lane
from fracas.rulesets.titans.lockstep.state import CHARGE, CHOICE, HP, OTHER_BLOCK, TOTALS
from fracas.rulesets.titans.rules.constants import (
    ATTACK,
    CELL_MASK,
    CHANCE_LANE,
    FIRST_ABILITY,
    MAX_CHARGE,
)
from fracas.rulesets.titans.rules.titan_stats import cost_of, titan_at


@kernel_noinline
def choose_by_table(state: Any, battle: Any, index: int, running: Any) -> None:
    """Choose a legal choice by the weights of the state's cell; attack if all are 0.

    Rule:    README, Policies, solved.
    Changes: CHOICE of the player, GIVEN_UP.
    Draws:   a block of (round, 0x8000 + player), where the total of the weights is above 0.
    Emits:   nothing.
    """
    draws = no_lanes()
    left = running
    while any_lane(left):
        lane = first_lane(left)
        left = left & ~one_lane(lane)
        total = total_weight(state, battle, index, lane)
        state.words[TOTALS, lane] = total
        state.rows[CHOICE + index, lane] = ATTACK + 1
        if total > 0:
            draws = draws | one_lane(lane)
    draw_block(state, battle, OTHER_BLOCK, CHANCE_LANE + index, draws)
    count_block(state, draws)
    give_up(state, draws & may_refuse(load_words(state, OTHER_BLOCK), load_words(state, TOTALS)))
    while any_lane(draws):
        lane = first_lane(draws)
        draws = draws & ~one_lane(lane)
        state.rows[CHOICE + index, lane] = choice_in_cell(state, battle, index, lane) + 1


@kernel
def total_weight(state: Any, battle: Any, index: int, lane: int) -> int:
    """The total of the weights of a lane's legal choices.

    Rule:    README, Policies, solved.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    one = titan_at(battle, index)
    charge = np.int64(state.rows[CHARGE + index, lane])
    cell = cell_of_lane(state, battle, index, lane)
    total = 0
    for choice in range(FIRST_ABILITY + one.ability_count):
        if cost_of(one, choice) <= charge:
            total += np.int64(battle.cells[cell, choice])
    return total


@kernel
def choice_in_cell(state: Any, battle: Any, index: int, lane: int) -> int:
    """The choice that a lane's word gives.

    Rule:    README, Policies, solved; docs/reference/dice.md, below(n).
    Changes: nothing.
    Draws:   none; the word is drawn already.
    Emits:   nothing.
    """
    one = titan_at(battle, index)
    charge = np.int64(state.rows[CHARGE + index, lane])
    cell = cell_of_lane(state, battle, index, lane)
    left = np.int64(state.words[OTHER_BLOCK, lane]) * np.int64(state.words[TOTALS, lane]) >> 32
    for choice in range(FIRST_ABILITY + one.ability_count):
        if cost_of(one, choice) <= charge:
            left -= np.int64(battle.cells[cell, choice])
            if left < 0:
                return choice
    return ATTACK


@kernel
def cell_of_lane(state: Any, battle: Any, index: int, lane: int) -> int:
    """The cell of a solved table for the state in a lane.

    Rule:    README, Policies, solved.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    grid = battle.policies[index].grid
    one, other = titan_at(battle, index), titan_at(battle, 1 - index)
    hp, others_hp = np.int64(state.rows[HP + index, lane]), np.int64(state.rows[HP + 1 - index, lane])
    charge, others_charge = np.int64(state.rows[CHARGE + index, lane]), np.int64(state.rows[CHARGE + 1 - index, lane])
    own_hp = (hp * grid.own_hp + one.max_hp - 1) // one.max_hp - 1
    enemy_hp = (others_hp * grid.enemy_hp + other.max_hp - 1) // other.max_hp - 1
    own_charge = charge * grid.own_charge // (MAX_CHARGE + 1)
    enemy_charge = others_charge * grid.enemy_charge // (MAX_CHARGE + 1)
    row = own_hp * grid.enemy_hp + enemy_hp
    return grid.first + (row * grid.own_charge + own_charge) * grid.enemy_charge + enemy_charge & CELL_MASK
