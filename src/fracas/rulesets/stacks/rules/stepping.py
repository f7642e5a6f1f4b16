"""An attack for agents, turn by turn: what a side sees, what its participant may do, and the turns up to then.

The rules: stacks/README.md, A turn.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.kernel.stepping import place_of, scripted, stepper
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.entry_points import write_result
from fracas.rulesets.stacks.rules.mechanics import carry_out, choose_as_told, end_turn, set_up, start_turn, take_turn
from fracas.rulesets.stacks.rules.observation import encode, mark_legal, see_attack, see_lasting
from fracas.rulesets.stacks.rules.outcome import announce_outcome
from fracas.rulesets.stacks.rules.participants import in_order, is_living, participant_at


@kernel
def begin(battle, agents, cursor, log) -> None:
    """Set an attack up and play to the first decision of an agent (README, Order of play)."""
    set_up(battle, log)
    cursor[0] = 0
    if battle.reason == codes.UNDECIDED:
        start_turn(battle, log)
        advance(battle, agents, cursor, log)


@kernel
def take(battle, agents, actions, cursor, log) -> None:
    """The participant whose turn it is makes the move that its side's agent chose; then play to an agent's next one.

    README, A participant's turn, from step 2.
    """
    actor = in_order(battle, cursor[0])
    action = actions[place_of(agents, participant_at(battle, actor).side)]
    choose_as_told(battle, action)
    carry_out(battle, actor, 0.0, log, None)
    cursor[0] += 1
    advance(battle, agents, cursor, log)


@kernel_noinline
def advance(battle, agents, cursor, log) -> None:
    """Play on until a participant of an agent's side may choose, or the attack is decided."""
    while battle.reason == codes.UNDECIDED:
        if cursor[0] >= battle.involved_count:
            end_turn(battle, log)
            if battle.reason == codes.UNDECIDED:
                start_turn(battle, log)
                cursor[0] = 0
            continue
        actor = in_order(battle, cursor[0])
        if is_living(battle, actor):
            if place_of(agents, participant_at(battle, actor).side) != NOBODY:
                return
            take_turn(battle, actor, log, None)
        cursor[0] += 1


@kernel
def actor_of(battle, side: int, cursor) -> int:
    """The participant that a side decides for now; NOBODY while others decide and once the attack is over."""
    if battle.reason == codes.UNDECIDED:
        actor = in_order(battle, cursor[0])
        if participant_at(battle, actor).side == side:
            return actor
    return NOBODY


@kernel
def legal_actions(battle, side: int, cursor, mask) -> None:
    """What a side may choose: 1, else 0 (as mark_legal)."""
    mark_legal(battle, actor_of(battle, side, cursor), mask)


@kernel
def observe(battle, agents, cursor, seen, masks, anew: bool) -> None:
    """What agents see, and what they may choose (as see_attack)."""
    for number in range(len(agents)):
        side = agents[number]
        legal_actions(battle, side, cursor, masks[number])
        see_attack(battle, side, actor_of(battle, side, cursor), seen[number], anew)


step_many = stepper(begin, take, observe, last_hot="places", see_lasting=see_lasting)
play_script = scripted(begin, take, legal_actions, actor_of, encode, announce_outcome, write_result)
