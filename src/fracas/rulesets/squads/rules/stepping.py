"""A battle for agents, turn by turn: what a side sees, what its unit may do, and the turns until its next decision.

The rules: squads/README.md, A round.
"""

from __future__ import annotations

from fracas.kernel.dice import open_address
from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.stepping import place_of, scripted, stepper
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.entry_points import write_result
from fracas.rulesets.squads.rules.mechanics import act_on, begin_turn, choose_and_act, set_up, start_round
from fracas.rulesets.squads.rules.observation import (
    encode,
    mark_legal,
    see_battle,
    see_from_other_side,
    see_lasting,
    target_of,
)
from fracas.rulesets.squads.rules.outcome import announce_outcome, decide_if_wiped_out, end_round
from fracas.rulesets.squads.rules.units import unit_at


@kernel
def begin(battle, agents, cursor, log) -> None:
    """Set a battle up and play to the first decision of an agent (README, Order of play)."""
    set_up(battle, log)
    start_round(battle, log)
    cursor[0] = 0
    advance(battle, agents, cursor, log)


@kernel
def take(battle, agents, actions, cursor, log) -> None:
    """The unit whose turn it is does what its side's agent chose; then play to the next decision of an agent.

    README, A turn, step 3.
    """
    unit = unit_at(battle, battle.order_keys[cursor[0] & codes.LAST_SLOT])
    action = actions[place_of(agents, unit.side)]
    open_address(battle.dice, battle.tick, unit.index)
    act_on(battle, unit, action // codes.TARGETS, target_of(unit.side, action), log, None)
    decide_if_wiped_out(battle)
    cursor[0] += 1
    advance(battle, agents, cursor, log)


@kernel_noinline
def advance(battle, agents, cursor, log) -> None:
    """Play on until a unit of an agent's side may choose, or the battle is decided."""
    while battle.reason == codes.UNDECIDED:
        if cursor[0] >= battle.order_count:
            end_round(battle, log)
            if battle.reason == codes.UNDECIDED:
                start_round(battle, log)
                cursor[0] = 0
            continue
        unit = unit_at(battle, battle.order_keys[cursor[0] & codes.LAST_SLOT])
        if unit.hp > 0:
            if begin_turn(battle, unit, log):
                if place_of(agents, unit.side) != NOBODY:
                    return
                choose_and_act(battle, unit, log, None)
            decide_if_wiped_out(battle)
        cursor[0] += 1


@kernel
def actor_of(battle, side: int, cursor) -> int:
    """The unit that a side decides for now; NOBODY while the other side decides and once the battle is over."""
    if battle.reason == codes.UNDECIDED:
        unit = unit_at(battle, battle.order_keys[cursor[0] & codes.LAST_SLOT])
        if unit.side == side:
            return unit.index
    return NOBODY


@kernel
def legal_actions(battle, side: int, cursor, mask) -> None:
    """What a side may choose: 1, else 0 (as mark_legal)."""
    mark_legal(battle, actor_of(battle, side, cursor), mask)


@kernel
def observe(battle, agents, cursor, seen, masks, anew: bool) -> None:
    """What agents see and may choose. Both sides see the same, each its own units first (as see_battle)."""
    for number in range(len(agents)):
        legal_actions(battle, agents[number], cursor, masks[number])
    see_battle(battle, agents[0], actor_of(battle, agents[0], cursor), seen[0], anew)
    if len(agents) > 1:
        see_from_other_side(agents[1], actor_of(battle, agents[1], cursor), seen)


step_many = stepper(begin, take, observe, last_hot="units", see_lasting=see_lasting)
play_script = scripted(begin, take, legal_actions, actor_of, encode, announce_outcome, write_result)
