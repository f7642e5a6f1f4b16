"""Chooses by solved tables: each lane looks its cell up by itself, its dice are drawn in lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import count_block, draw_block, give_up, may_refuse
from fracas.lanes.operations import any_lane, first_lane, load, load_words, no_lanes, one_lane, splat, store
from fracas.lanes.reals import as_reals, floor_row, splat_reals
from fracas.rulesets.titans.lockstep.state import CHARGE, CHARGE_CELL, CHOICE, HP, HP_CELL, OTHER_BLOCK, TOTALS
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

    Rule:    titans/README.md, Policies, solved.
    Changes: CHOICE of the player, TOTALS, GIVEN_UP.
    Draws:   a block of (round, 0x8000 + player), where the total of the weights is above 0.
    Emits:   nothing.
    """
    find_cells(state, battle, index)
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

    Rule:    titans/README.md, Policies, solved.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    one = titan_at(battle, index)
    charge = np.int64(state.rows[CHARGE + index, lane])
    cell = cell_of_lane(state, battle, index, lane)
    total: Any = 0
    for choice in range(FIRST_ABILITY + one.ability_count):
        if cost_of(one, choice) <= charge:
            total += np.int64(battle.cells[cell, choice])
    return total  # type: ignore[no-any-return]


@kernel
def choice_in_cell(state: Any, battle: Any, index: int, lane: int) -> int:
    """The choice that a lane's word gives.

    Rule:    titans/README.md, Policies, solved; docs/reference/dice.md, below(n).
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
def find_cells(state: Any, battle: Any, index: int) -> None:
    """Find the place of each lane's cell, by the HP and by the charge of both: quotients this small round down exactly.

    Rule:    titans/README.md, Policies, solved.
    Changes: HP_CELL, CHARGE_CELL.
    Draws:   none.
    Emits:   nothing.
    """
    grid = battle.policies[index].grid
    own = step_of_hp(state, battle, index, grid.own_hp)
    store(state, HP_CELL, own * splat(state, grid.enemy_hp) + step_of_hp(state, battle, 1 - index, grid.enemy_hp))
    own = step_of_charge(state, index, grid.own_charge)
    others = step_of_charge(state, 1 - index, grid.enemy_charge)
    store(state, CHARGE_CELL, own * splat(state, grid.enemy_charge) + others)


@kernel
def step_of_hp(state: Any, battle: Any, index: int, steps: int) -> Any:
    """The step that a titan's HP are on, from 0, of this many.

    Rule:    titans/README.md, Policies, solved.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    most = float(titan_at(battle, index).max_hp)
    number = as_reals(load(state, HP + index)) * splat_reals(float(steps)) + splat_reals(most - 1.0)
    return floor_row(state, number / splat_reals(most)) - splat(state, 1)


@kernel
def step_of_charge(state: Any, index: int, steps: int) -> Any:
    """The step that a titan's charge is on, from 0, of this many.

    Rule:    titans/README.md, Policies, solved.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    number = as_reals(load(state, CHARGE + index)) * splat_reals(float(steps))
    return floor_row(state, number / splat_reals(MAX_CHARGE + 1.0))


@kernel
def cell_of_lane(state: Any, battle: Any, index: int, lane: int) -> int:
    """The cell of a solved table for the state in a lane.

    Rule:    titans/README.md, Policies, solved.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    grid = battle.policies[index].grid
    by_hp, by_charge = np.int64(state.rows[HP_CELL, lane]), np.int64(state.rows[CHARGE_CELL, lane])
    return grid.first + by_hp * (grid.own_charge * grid.enemy_charge) + by_charge & CELL_MASK  # type: ignore[no-any-return]
