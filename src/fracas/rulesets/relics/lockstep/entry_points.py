"""The compiled entry points: plan a battle, play a range of battles in lanes, play rollouts on in lanes.

The rules: relics/README.md, Order of play.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.snapshots import FROM_SET_UP, restore
from fracas.lanes.lane_state import LEFT_TO_RULES, end_range, leave
from fracas.lanes.operations import LANES, any_lane, count_lanes, first_lane, load_mask, no_lanes, one_lane
from fracas.lanes.source_names import named_after_sources
from fracas.rulesets.relics.lockstep.handover import clear, enter, give_dice, write_lane
from fracas.rulesets.relics.lockstep.plan import plan_battle
from fracas.rulesets.relics.lockstep.state import ALIVE, GIVEN_UP, RIGHT_IS_NEXT
from fracas.rulesets.relics.lockstep.turns import play_set_up, play_turn
from fracas.rulesets.relics.rules.constants import LEFT, SIDES
from fracas.rulesets.relics.rules.setup import stand_ready

# Set-up takes as long for one lane as for many, so lanes wait until this many can begin.
BEGIN_TOGETHER = 16
# In a longer range it is worth asking first whether a battle draws dice at all.
ASKED_FROM = 1024


def judge_battles(battles, plans) -> None:
    """Find out whether a battle is played in lanes, in plain Python. battles: (1,) of battle_t. plans: (1,), zeroed."""
    plan_battle(battles[0], plans[0])


@named_after_sources
def plan_battles(battles, plans) -> None:
    """Plan a battle. battles: (1,) of battle_t, the same afterwards. plans: (1,) of plan_t, zeroed."""
    plan_battle(battles[0], plans[0])


@named_after_sources
def play_in_lanes(battles, plans, states, first_stream: int, results) -> None:
    """Play battles number first_stream, first_stream + 1, ... of one scenario, one for each row of the results.

    battles: (1,) of battle_t; what a battle changes is reset. plans: (1,) of plan_t. states: (1,) of lanes_t, aligned
    to 64 bytes; what it holds does not matter. results: (n,) of result_t, zeroed; where the winner is LEFT_TO_RULES the
    caller must play the battle.
    """
    stand_ready(battles[0])
    play_range(battles[0], plans[0], states[0], first_stream, results, True)


@named_after_sources
def resume_in_lanes(battles, plans, states, memory, kept, spans, first_stream: int, results, place) -> None:
    """Play rollouts with the dice of streams first_stream, first_stream + 1, ..., one for each row of the results.

    The first four and the results are as in play_in_lanes, the others as in resume_many. All rollouts begin alike, with
    set-up or between two turns.
    """
    restore(memory, kept, spans)
    if place[0] == FROM_SET_UP:
        stand_ready(battles[0])
    play_range(battles[0], plans[0], states[0], first_stream, results, place[0] == FROM_SET_UP)


@kernel
def play_range(battle, plan, state, first_stream: int, results, from_set_up: bool) -> None:
    """Play battles; if the first draws no dice, the others are the same (README, Dice)."""
    clear(state)
    done = 0
    if len(results) >= ASKED_FROM:
        done = 1
        play_some(battle, plan, state, first_stream, results, 0, 1, from_set_up)
        if results[0].winner != LEFT_TO_RULES and results[0].blocks_drawn == 0:
            for index in range(1, len(results)):
                results[index] = results[0]
            return
    play_some(battle, plan, state, first_stream, results, done, len(results), from_set_up)


@kernel_noinline
def play_some(battle, plan, state, first_stream: int, results, started: int, end: int, from_set_up: bool) -> None:
    """Play the battles of some places of a range. Each turn of a fighter is played in all lanes whose turn it is."""
    running = no_lanes()
    while not end_range(state, results, started, end, running):
        if started < end and LANES - count_lanes(running) >= BEGIN_TOGETHER:
            free = ~running
            starting = no_lanes()
            while started < end and any_lane(free):
                lane = first_lane(free)
                give_dice(state, lane, first_stream + started, started)
                started += 1
                free = free & ~one_lane(lane)
                starting = starting | one_lane(lane)
            enter(state, battle, plan, starting)
            if from_set_up:
                play_set_up(state, battle, starting)
            running = running | starting
        for actor in range(SIDES):
            is_right = load_mask(state, RIGHT_IS_NEXT)
            mask = running & load_mask(state, ALIVE) & (~is_right if actor == LEFT else is_right)
            if any_lane(mask):
                play_turn(state, battle, actor, mask)
        running = write_decided(state, running, results)


@kernel_noinline
def write_decided(state, running, results) -> Any:
    """Write the results of decided battles; returns the lanes that go on (README, Death check)."""
    left = running & load_mask(state, ALIVE)
    given_up = running & load_mask(state, GIVEN_UP)
    leave(state, results, given_up)
    over = running & ~left & ~given_up
    while any_lane(over):
        lane = first_lane(over)
        write_lane(state, lane, results[state.places[lane]])
        over = over & ~one_lane(lane)
    return left
