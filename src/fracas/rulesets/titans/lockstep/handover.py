"""Hands duels over from the rules of rules/ to lanes, always at the start of a round."""

from __future__ import annotations

from typing import Any

from fracas.kernel.dice import seek_stream
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.snapshots import FROM_SET_UP, WITH_CHOICE, restore
from fracas.lanes.lane_state import take_over_dice
from fracas.rulesets.titans.lockstep.state import (
    CHARGE,
    CHOICE,
    CRITICAL_CHANCE,
    HIT_CHANCE,
    HP,
    LOWERED,
    MISSED,
    NOW,
    RAISED,
    SHIELD,
    STAMINA_FACTOR,
    SUMS,
    TICK,
    UNTIL,
    ZERO_SUM,
)
from fracas.rulesets.titans.rules.constants import PLAYERS, STAMINA_STAT, STATS, UNDECIDED
from fracas.rulesets.titans.rules.mechanics import carry_out, set_up, start_round
from fracas.rulesets.titans.rules.policies import choose
from fracas.rulesets.titans.rules.rolls import critical_chance, hit_chance
from fracas.rulesets.titans.rules.titan_stats import has_change, opponent_of, titan_at


@kernel_noinline
def load_lane(state: Any, battle: Any, plan: Any, lane: int, place: int) -> None:
    """Take over a duel that is at the start of a round: its last round is over, the next not yet begun.

    place: the place of its result.

    Rule:    titans/README.md, State.
    Changes: the lane.
    Draws:   none.
    Emits:   nothing.
    """
    take_over_dice(state, battle, lane, place)
    state.rows[TICK, lane] = battle.tick
    for index in range(PLAYERS):
        one = titan_at(battle, index)
        state.rows[HP + index, lane] = one.hp
        state.rows[CHARGE + index, lane] = one.charge
        state.rows[CHOICE + index, lane] = one.choice + 1
        state.rows[MISSED + index, lane] = one.missed
        state.reals[SHIELD + index, lane] = one.shield
        for stat in range(len(STATS)):
            state.rows[SUMS + PLAYERS * stat + index, lane] = ZERO_SUM + one.sums[stat]
            state.reals[NOW + PLAYERS * stat + index, lane] = one.now[stat]
        state.reals[HIT_CHANCE + index, lane] = hit_chance(one, opponent_of(battle, one))
        state.reals[CRITICAL_CHANCE + index, lane] = critical_chance(one)
        state.reals[STAMINA_FACTOR + index, lane] = 1.0 + one.now[STAMINA_STAT] / 100.0
        raised, lowered = 0, 0
        for change in range(battle.change_count):
            state.rows[UNTIL + PLAYERS * change + index, lane] = one.until[change]
            if has_change(one, change):
                raised += 1 if battle.changes[change].percent > 0 else 0
                lowered += 1 if battle.changes[change].percent < 0 else 0
        state.rows[RAISED + index, lane] = raised
        state.rows[LOWERED + index, lane] = lowered


@kernel_noinline
def play_to_round_end(battle: Any, memory: Any, kept: Any, spans: Any, stream: int, place: Any) -> None:
    """Begin a rollout by the rules of rules/ and play it to the end of its round.

    Rule:    docs/adr/0023; titans/README.md, Order of play.
    Changes: the duel.
    Draws:   as a round.
    Emits:   nothing.
    """
    restore(memory, kept, spans)
    seek_stream(battle.dice, stream)
    if place[0] == FROM_SET_UP:
        set_up(battle, None)
    elif place[0] == WITH_CHOICE and battle.reason == UNDECIDED:
        start_round(battle, None)
        for index in range(PLAYERS):
            one = titan_at(battle, index)
            choose(battle, one, None)
            one.choice = place[1 + index]
        carry_out(battle, None)


@kernel
def is_over(battle: Any) -> bool:
    """Whether a duel is decided.

    Rule:    titans/README.md, Outcome.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    return battle.reason != UNDECIDED  # type: ignore[no-any-return]
