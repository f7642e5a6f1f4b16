"""Makes the entry points that play battles in lanes, as kernel/entry_points.py makes those that play them one by one.

A ruleset passes its kernels, module-level functions of its room `lockstep`. Among them are always

    clear(state, battle, plan)                      makes the state ready for any battle
    play_round(state, battle, plan, running)        plays a round, and returns the lanes whose battle goes on after it
    write_lane(state, battle, plan, lane, result)   writes the result of a battle that is over
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fracas.kernel.entry_points import belongs_to, write_outcome
from fracas.lanes.lane_state import GIVEN_UP, begin_battle, end_range, finish_round
from fracas.lanes.operations import any_lane, first_lane, no_lanes, one_lane, store_mask
from fracas.lanes.source_names import named_after_sources

Kernel = Callable[..., Any]
Entry = Callable[..., None]


def lane_batch(clear: Kernel, set_up_lanes: Kernel, play_round: Kernel, write_lane: Kernel) -> Entry:
    """Make the entry point that plays many battles in lanes.

    set_up_lanes(state, battle, plan, mask) sets battles up where the mask is true.
    """

    def play_in_lanes(battles, plans, states, first_stream: int, results) -> None:
        """Play battles number first_stream, first_stream + 1, ... of one scenario, one for each row of the results.

        battles: (1,) of battle_t, which stays as it is. plans: (1,) of plan_t, with as many bits as the state's rows.
        states: (1,) of the state of lanes, aligned to 64 bytes; what it holds does not matter. results: (n,) of
        result_t, zeroed; where the winner is LEFT_TO_RULES the caller must play the battle.
        """
        battle, plan, state = battles[0], plans[0], states[0]
        clear(state, battle, plan)
        running = no_lanes()
        started = 0
        while True:
            free = ~running
            if started < len(results) and any_lane(free):
                set_up_lanes(state, battle, plan, free)
                while started < len(results) and any_lane(free):
                    lane = first_lane(free)
                    begin_battle(state, lane, first_stream + started, started)
                    started += 1
                    free = free & ~one_lane(lane)
                    running = running | one_lane(lane)
            if end_range(state, results, started, len(results), running):
                return
            store_mask(state, GIVEN_UP, no_lanes())
            going_on = play_round(state, battle, plan, running)
            running = finish_round(state, battle, plan, running, going_on, results, write_lane)

    return _named(play_in_lanes, play_round)


def lane_rollout(
    clear: Kernel,
    play_to_round_end: Kernel,
    is_over: Kernel,
    load_lane: Kernel,
    play_round: Kernel,
    write_lane: Kernel,
    write_result: Kernel,
) -> Entry:
    """Make the entry point that plays many rollouts in lanes.

    play_to_round_end(battle, memory, kept, spans, stream, place) begins a rollout by the rules and plays it to the end
    of its round; is_over(battle) says whether that ended it; load_lane(state, battle, plan, lane, place) takes it over
    at the start of a round; write_result(battle, result) writes the result of one that the rules have ended.
    """

    def resume_in_lanes(
        battles,
        plans,
        states,
        memory,
        kept,
        spans,
        first_stream: int,
        results,
        place,
    ) -> None:
        """Play rollouts with the dice of streams first_stream, first_stream + 1, ..., one for each row of the results.

        The first three and the results are as in play_in_lanes, the others as in resume_many. The rules play each
        rollout to the end of its round, lanes from there on.
        """
        battle, plan, state = battles[0], plans[0], states[0]
        clear(state, battle, plan)
        running = no_lanes()
        started = 0
        while True:
            free = ~running
            while started < len(results) and any_lane(free):
                lane = first_lane(free)
                play_to_round_end(battle, memory, kept, spans, first_stream + started, place)
                if is_over(battle):
                    write_outcome(battle, None, results[started])
                    write_result(battle, results[started])
                else:
                    load_lane(state, battle, plan, lane, started)
                    free = free & ~one_lane(lane)
                    running = running | one_lane(lane)
                started += 1
            if end_range(state, results, started, len(results), running):
                return
            store_mask(state, GIVEN_UP, no_lanes())
            going_on = play_round(state, battle, plan, running)
            running = finish_round(state, battle, plan, running, going_on, results, write_lane)

    return _named(resume_in_lanes, play_round)


def _named(entry: Entry, of: Kernel) -> Entry:
    """Give an entry point the name of its sources, and the module of a kernel, which decides its cache folder."""
    return named_after_sources(belongs_to(of, entry), Path(of.__code__.co_filename).parent)
