"""Plays rounds in lanes: rules/mechanics.py and rules/rolls.py for 64 duels at once."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import TABLE
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.lanes.lane_state import BLOCK_WORDS, TICK_WORDS, count_block, draw_block
from fracas.lanes.operations import (
    any_lane,
    load,
    load_words,
    no_lanes,
    splat,
    splat_words,
    store,
    store_words,
)
from fracas.lanes.reals import as_reals, load_reals, select_reals, splat_reals, store_reals
from fracas.rulesets.titans.lockstep.actions import act
from fracas.rulesets.titans.lockstep.choosing import choose
from fracas.rulesets.titans.lockstep.lane_state import chose, is_sudden_death, unit_at
from fracas.rulesets.titans.lockstep.stat_changes import expire
from fracas.rulesets.titans.lockstep.state import (
    ACTION_BLOCKS,
    CHOICE,
    HP,
    LAST_CHOICE,
    MISSED,
    NOW,
    ORDER_WITH_ALL,
    ORDER_WITH_BLOWS,
    OTHER_BLOCK,
    SHIELD,
    TICK,
)
from fracas.rulesets.titans.rules.constants import (
    ATTACK,
    ATTACK_STAT,
    BY_LIST,
    DEFEND,
    DEFENSE_STAT,
    FIRST_ABILITY,
    MISSES_TO_FORFEIT,
    PLAYERS,
    REST,
    SPEED_STAT,
)
from fracas.rulesets.titans.rules.titan_stats import titan_at


@kernel
def play_round(state: Any, battle: Any, plan: Any, running: Any) -> Any:
    """Play one round in the running lanes; returns those that are undecided after it.

    Rule:    titans/README.md, The round.
    Changes: the state.
    Draws:   as its parts.
    Emits:   nothing.
    """
    start_round(state)
    for index in range(PLAYERS):
        choose(state, battle, plan, index, running)
    running = running & ~forfeits(state, battle, 0) & ~forfeits(state, battle, 1)
    count_block(state, running)
    draw_actions(state, battle, plan, running)
    is_second = roll_speeds(state, battle, plan, running)
    act(state, battle, plan, 0, running & ~is_second)
    act(state, battle, plan, 1, running)
    if any_lane(is_second):
        act(state, battle, plan, 0, is_second)
    none = splat(state, 0)
    running = running & (load(state, HP) != none) & (load(state, HP + 1) != none)
    return end_round(state, battle, plan, running)


@kernel
def start_round(state: Any) -> None:
    """Start a round; the choices of the previous round become public.

    Rule:    titans/README.md, The round, step 1.
    Changes: TICK, LAST_CHOICE.
    Draws:   none.
    Emits:   nothing.
    """
    store(state, TICK, load(state, TICK) + splat(state, 1))
    store_words(state, TICK_WORDS, load_words(state, TICK_WORDS) + splat_words(1))
    for index in range(PLAYERS):
        store(state, LAST_CHOICE + index, load(state, CHOICE + index))


@kernel
def forfeits(state: Any, battle: Any, index: int) -> Any:
    """Where a player has missed three deadlines in a row.

    Rule:    titans/README.md, Deadlines.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.policies[index].kind != BY_LIST:
        return no_lanes()
    return load(state, MISSED + index) >= splat(state, MISSES_TO_FORFEIT)


@kernel
def draw_actions(state: Any, battle: Any, plan: Any, running: Any) -> None:
    """Draw the dice of both actions, wherever they can take some.

    Rule:    titans/README.md, Dice.
    Changes: state.words.
    Draws:   a block of (round, the player's index); acting counts it.
    Emits:   nothing.
    """
    for index in range(PLAYERS):
        draws = no_lanes()
        for choice in range(FIRST_ABILITY + titan_at(battle, index).ability_count):
            if plan.draws[index, choice]:
                draws = draws | chose(state, index, choice)
        draw_block(state, battle, ACTION_BLOCKS + BLOCK_WORDS * index, index, running & draws)


@kernel
def roll_speeds(state: Any, battle: Any, plan: Any, running: Any) -> Any:
    """Roll speed wherever it matters who acts first; returns where player 2 does.

    Rule:    titans/README.md, The round, step 4.
    Changes: state.words.
    Draws:   a block of (round, table); it is counted already, rolled or not.
    Emits:   nothing.
    """
    matters = order_matters(state, battle, plan, running)
    if not any_lane(matters):
        return matters
    draw_block(state, battle, OTHER_BLOCK, TABLE, matters)
    own = load_reals(state, NOW + PLAYERS * SPEED_STAT) * unit_at(state, OTHER_BLOCK, 0)
    others = load_reals(state, NOW + PLAYERS * SPEED_STAT + 1) * unit_at(state, OTHER_BLOCK, 2)
    return matters & (own < others)


@kernel
def order_matters(state: Any, battle: Any, plan: Any, running: Any) -> Any:
    """Where it may matter who acts first: where both do more than defend, and one may disturb or fell the other.

    Rule:    titans/README.md, Acting; Effects; Damage.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    acting = running & ~chose(state, 0, DEFEND) & ~chose(state, 1, DEFEND)
    disturbs = no_lanes()
    for index in range(PLAYERS):
        blows = ~chose(state, 1 - index, REST)
        for choice in range(FIRST_ABILITY, FIRST_ABILITY + titan_at(battle, index).ability_count):
            if plan.order[index, choice] == ORDER_WITH_ALL:
                disturbs = disturbs | chose(state, index, choice)
            elif plan.order[index, choice] == ORDER_WITH_BLOWS:
                disturbs = disturbs | (blows & chose(state, index, choice))
        disturbs = disturbs | may_fell(state, battle, plan, index)
    return acting & disturbs


@kernel
def may_fell(state: Any, battle: Any, plan: Any, index: int) -> Any:
    """Where a player's action may fell the opponent: if the most that it can deal is all of its HP, or nearly.

    Rule:    titans/README.md, Attack; Damage.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    other = 1 - index
    defense = load_reals(state, NOW + PLAYERS * DEFENSE_STAT + other)
    if battle.options.sudden_death > 0:
        defense = select_reals(is_sudden_death(state, battle), splat_reals(0.0), defense)
    most = splat_reals(2.0) * load_reals(state, NOW + PLAYERS * ATTACK_STAT + index) - defense
    if battle.options.criticals != 0:
        most = most * splat_reals(1.5)
    most = select_reals(chose(state, index, ATTACK), most, splat_reals(-1.0))
    for choice in range(FIRST_ABILITY, FIRST_ABILITY + titan_at(battle, index).ability_count):
        if plan.strikes[index, choice]:
            most = select_reals(chose(state, index, choice), splat_reals(plan.most[index, choice]), most)
    # Less than half of a point left is none; one more for what rounding may add.
    return most + splat_reals(1.5) > as_reals(load(state, HP + other))


@kernel_noinline
def end_round(state: Any, battle: Any, plan: Any, running: Any) -> Any:
    """End a round: remove shields, end expired changes; returns where it was not the last round.

    Rule:    titans/README.md, End of a round.
    Changes: the state.
    Draws:   none.
    Emits:   nothing.
    """
    for index in range(PLAYERS):
        if plan.can_shield[index]:
            store_reals(state, SHIELD + index, splat_reals(0.0))
        if plan.bears_any[index]:
            expire(state, battle, plan, index, running)
    return running & (load(state, TICK) < splat(state, battle.options.round_cap))
