"""Hands battles over between the rules of rules/ and lanes, always at the start of a round."""

from __future__ import annotations

from fracas.kernel.dice import seek_stream
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.snapshots import restore
from fracas.lanes.lane_state import take_over_dice
from fracas.rulesets.squads.lockstep import state as rows
from fracas.rulesets.squads.lockstep.plan_choices import place_in
from fracas.rulesets.squads.rules.constants import SIDES, SLOTS, UNDECIDED
from fracas.rulesets.squads.rules.entry_points import enter
from fracas.rulesets.squads.rules.mechanics import take_turns
from fracas.rulesets.squads.rules.units import unit_at


@kernel_noinline
def load_lane(state, battle, plan, lane: int, position: int) -> None:
    """Take over a battle that is at the start of a round (README, State).

    position: the place of its result.
    """
    take_over_dice(state, battle, lane, position)
    state.rows[rows.TICK, lane] = battle.tick
    for side in range(SIDES):
        state.rows[rows.LIVING + side, lane] = battle.sides[side].living
    for index in range(SLOTS):
        unit = unit_at(battle, index)
        if unit.max_hp > 0:
            state.rows[rows.HP + index, lane] = unit.hp
            state.rows[rows.CHARGE + index, lane] = unit.charge
            state.rows[rows.COOLDOWN + index, lane] = unit.cooldown
            state.rows[rows.ULTIMATE_COOLDOWN + index, lane] = unit.ultimate_cooldown
            state.rows[rows.SHIELD + index, lane] = unit.shield
            state.rows[rows.SHIELD_UNTIL + index, lane] = unit.shield_until
            state.rows[rows.ATTACK_UP + index, lane] = place_in(plan.ups, plan.up_count, unit.side, unit.attack_up)
            state.rows[rows.ATTACK_UP_UNTIL + index, lane] = unit.attack_up_until
            state.rows[rows.ATTACK_DOWN + index, lane] = place_in(
                plan.downs, plan.down_count, unit.side, unit.attack_down
            )
            state.rows[rows.ATTACK_DOWN_UNTIL + index, lane] = unit.attack_down_until
            state.rows[rows.TAUNT_UNTIL + index, lane] = unit.taunt_until
            state.rows[rows.STUNNED + index, lane] = unit.stunned
            state.rows[rows.JUST_STUNNED + index, lane] = unit.just_stunned
            state.rows[rows.WOUND + index, lane] = unit.wound
            state.rows[rows.WOUND_STRIKES + index, lane] = unit.wound_strikes


@kernel_noinline
def play_to_round_end(battle, memory, saved, spans, stream: int, place) -> None:
    """Begin a rollout by the rules of rules/ and play it to the end of its round.

    docs/adr/0023; README, Order of play.
    """
    restore(memory, saved, spans)
    seek_stream(battle.dice, stream)
    first = enter(battle, place, None)
    if first != NOBODY and battle.reason == UNDECIDED:
        take_turns(battle, first, None, None)


@kernel
def is_over(battle) -> bool:
    """Whether a battle is decided (README, End)."""
    return battle.reason != UNDECIDED
