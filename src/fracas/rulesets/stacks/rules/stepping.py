"""An attack for agents, turn by turn: what a side sees, what its participant may do, and the turns up to then."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.kernel.stepping import place_of, scripted, stepper
from fracas.rulesets.stacks.rules.constants import (
    LARGEST_SEEN,
    NOT_VIABLE,
    PARTICIPANT_FEATURES,
    SHIPPED_MOVES,
    SLOTS,
    UNDECIDED,
    UNIT_MOVE_MASK,
    WAITING,
)
from fracas.rulesets.stacks.rules.entry_points import write_result
from fracas.rulesets.stacks.rules.mechanics import carry_out, end_turn, set_up, start_turn, take_turn
from fracas.rulesets.stacks.rules.moves.dispatch import worth
from fracas.rulesets.stacks.rules.outcome import announce_outcome
from fracas.rulesets.stacks.rules.participants import in_order, involved_at, is_living, participant_at, relation
from fracas.rulesets.stacks.rules.policies import candidate_at, candidate_count, candidates_of


@kernel
def begin(battle: Any, agents: Any, cursor: Any, log: Any) -> None:
    """Set an attack up and play to the first decision of an agent.

    Rule:    README, Order of play.
    Changes: the battle, the cursor.
    Draws:   as play_turn.
    Emits:   nothing.
    """
    set_up(battle, log)
    cursor[0] = 0
    if battle.reason == UNDECIDED:
        start_turn(battle, log)
        advance(battle, agents, cursor, log)


@kernel
def take(battle: Any, agents: Any, actions: Any, cursor: Any, log: Any) -> None:
    """The participant whose turn it is makes the move that its side's agent chose; then play to an agent's next one.

    Rule:    README, A participant's turn, from step 2.
    Changes: the battle, the cursor.
    Draws:   as carry_out, then as play_turn.
    Emits:   nothing.
    """
    actor = in_order(battle, cursor[0])
    action = actions[place_of(agents, participant_at(battle, actor).side)]
    battle.chosen_move = NOBODY
    battle.chosen_target = NOBODY
    if action != WAITING:
        battle.chosen_move = action // SLOTS
        battle.chosen_target = action % SLOTS
    carry_out(battle, actor, 0.0, log, None)
    cursor[0] += 1
    advance(battle, agents, cursor, log)


@kernel
def advance(battle: Any, agents: Any, cursor: Any, log: Any) -> None:
    """Play on until a participant of an agent's side may choose, or the attack is decided.

    Rule:    README, A turn.
    Changes: the battle, the cursor.
    Draws:   as play_turn.
    Emits:   nothing.
    """
    while battle.reason == UNDECIDED:
        if cursor[0] >= battle.involved_count:
            end_turn(battle, log)
            if battle.reason == UNDECIDED:
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
def actor_of(battle: Any, side: int, cursor: Any) -> int:
    """The participant that a side decides for now; NOBODY while others decide and once the attack is over.

    Rule:    README, A turn.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.reason == UNDECIDED:
        actor = in_order(battle, cursor[0])
        if participant_at(battle, actor).side == side:
            return actor
    return NOBODY


@kernel
def encode(battle: Any, side: int, choice: int, target: int) -> int:
    """The action of a move type and a target, both NOBODY for waiting; NOBODY if there is none.

    Rule:    docs/reference/environments.md, stacks.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    if choice == NOBODY and target == NOBODY:
        return WAITING
    if choice < 0 or choice >= SHIPPED_MOVES or target < 0 or target >= SLOTS:
        return NOBODY
    return choice * SLOTS + target


@kernel
def legal_actions(battle: Any, side: int, cursor: Any, mask: Any) -> None:
    """Every viable pair of move type and target, and waiting: 1, else 0.

    Rule:    README, A participant's turn, step 1.
    Changes: the mask.
    Draws:   none.
    Emits:   nothing.
    """
    for action in range(WAITING):
        mask[action] = 0
    actor = actor_of(battle, side, cursor)
    mask[WAITING] = 0 if actor == NOBODY else 1
    if actor == NOBODY:
        return
    one = participant_at(battle, actor)
    group = candidates_of(one)
    for place in range(candidate_count(battle, group)):
        target = candidate_at(battle, group, place)
        if one.aims & relation(battle, actor, target) != 0:
            for entry in range(one.move_count):
                move = one.moves[entry & UNIT_MOVE_MASK]
                if worth(battle, move, actor, target) != NOT_VIABLE:
                    mask[move * SLOTS + target] = 1


@kernel
def observe(battle: Any, agents: Any, cursor: Any, seen: Any, masks: Any, anew: bool) -> None:
    """What agents see, and what a participant may do if it is that one's turn.

    Rule:    docs/reference/environments.md, stacks.
    Changes: seen, masks.
    Draws:   none.
    Emits:   nothing.
    """
    for number in range(len(agents)):
        side = agents[number]
        legal_actions(battle, side, cursor, masks[number])
        acting = actor_of(battle, side, cursor)
        row = seen[number]
        row[0] = min(battle.turn / battle.options.turn_cap, 1.0)
        row[1] = min(battle.idle / battle.options.idle_turns, 1.0)
        row[2] = 1.0 if side == 0 else 0.0
        if anew:
            for entry in range(SLOTS * PARTICIPANT_FEATURES):
                row[3 + entry] = 0.0
        for place in range(battle.involved_count):
            each = involved_at(battle, place)
            see_participant(battle, side, each, acting, row, 3 + each * PARTICIPANT_FEATURES, anew)


@kernel
def see_participant(battle: Any, side: int, number: int, acting: int, seen: Any, place: int, anew: bool) -> None:
    """Write down what is to be seen of a participant; all 0 once it is dead.

    Rule:    docs/reference/environments.md, stacks.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    one = participant_at(battle, number)
    if not is_living(battle, number):
        # The first entry is 1 or -1 while it lives, so this tells whether its entries are 0 already.
        if seen[place] != 0.0:
            for entry in range(PARTICIPANT_FEATURES):
                seen[place + entry] = 0.0
        return
    seen[place] = 1.0 if one.side == side else -1.0
    seen[place + 1] = 1.0 if number == acting else 0.0
    seen[place + 2] = min(one.health / one.full_health, LARGEST_SEEN)
    seen[place + 3] = min(one.health / 10, LARGEST_SEEN)
    seen[place + 4] = min(one.attack / 10, LARGEST_SEEN)
    seen[place + 5] = min(one.defence / 10, LARGEST_SEEN)
    seen[place + 6] = min(one.damage / 10, LARGEST_SEEN)
    if anew:
        for entry in range(one.move_count):
            move = one.moves[entry & UNIT_MOVE_MASK]
            if move < SHIPPED_MOVES:
                seen[place + 7 + move] = 1.0


step_many = stepper(begin, take, observe, last_hot="places")
play_script = scripted(begin, take, legal_actions, actor_of, encode, announce_outcome, write_result)
