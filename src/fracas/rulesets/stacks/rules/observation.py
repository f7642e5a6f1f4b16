"""What a side of stacks sees, and what its participant may do in its turn. docs/reference/environments.md, stacks."""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.moves.dispatch import worth
from fracas.rulesets.stacks.rules.participants import involved_at, is_living, participant_at, relation
from fracas.rulesets.stacks.rules.policies import candidate_at, candidate_count, candidates_of


@kernel
def encode(battle, side: int, choice: int, target: int) -> int:
    """The action of a move type and a target, both NOBODY for waiting; NOBODY if there is none."""
    if choice == NOBODY and target == NOBODY:
        return codes.WAITING
    if choice < 0 or choice >= codes.SHIPPED_MOVES or target < 0 or target >= codes.SLOTS:
        return NOBODY
    return choice * codes.SLOTS + target


@kernel
def mark_legal(battle, actor: int, mask) -> None:
    """Every viable pair of move type and target of a participant, and waiting: 1, else 0; nothing for NOBODY.

    README, A participant's turn, step 1.
    """
    for action in range(codes.WAITING):
        mask[action] = 0
    mask[codes.WAITING] = 0 if actor == NOBODY else 1
    if actor == NOBODY:
        return
    one = participant_at(battle, actor)
    group = candidates_of(one)
    for index in range(candidate_count(battle, group)):
        target = candidate_at(battle, group, index)
        if one.aims & relation(battle, actor, target) != 0:
            for entry in range(one.move_count):
                move = one.moves[entry & codes.UNIT_MOVE_MASK]
                if worth(battle, move, actor, target) != codes.NOT_VIABLE:
                    mask[move * codes.SLOTS + target] = 1


@kernel
def see_attack(battle, side: int, acting: int, seen, anew: bool) -> None:
    """What a side sees; `acting` is its participant whose turn it is, or NOBODY.

    `anew` is False where `seen` has what was written for an earlier state of this battle.
    """
    seen[0] = min(battle.turn / battle.options.turn_cap, 1.0)
    seen[1] = min(battle.idle / battle.options.idle_turns, 1.0)
    seen[2] = 1.0 if side == 0 else 0.0
    if anew:
        for entry in range(codes.SLOTS * codes.PARTICIPANT_FEATURES):
            seen[3 + entry] = 0.0
    for index in range(battle.involved_count):
        number = involved_at(battle, index)
        see_participant(battle, side, number, acting, seen, 3 + number * codes.PARTICIPANT_FEATURES, anew)


@kernel
def see_participant(battle, side: int, number: int, acting: int, seen, index: int, anew: bool) -> None:
    """Write what is visible of a participant; all 0 once it is dead."""
    one = participant_at(battle, number)
    if not is_living(battle, number):
        # The first entry is 1 or -1 while it lives, so this tells whether its entries are 0 already.
        if seen[index] != 0.0:
            for entry in range(codes.PARTICIPANT_FEATURES):
                seen[index + entry] = 0.0
        return
    seen[index] = 1.0 if one.side == side else -1.0
    seen[index + 1] = 1.0 if number == acting else 0.0
    seen[index + 2] = min(one.health / one.full_health, codes.LARGEST_SEEN)
    seen[index + 3] = min(one.health / 10, codes.LARGEST_SEEN)
    seen[index + 4] = min(one.attack / 10, codes.LARGEST_SEEN)
    seen[index + 5] = min(one.defence / 10, codes.LARGEST_SEEN)
    seen[index + 6] = min(one.damage / 10, codes.LARGEST_SEEN)
    if anew:
        for entry in range(one.move_count):
            move = one.moves[entry & codes.UNIT_MOVE_MASK]
            if move < codes.SHIPPED_MOVES:
                seen[index + 7 + move] = 1.0


@kernel
def see_lasting(battle, side: int, seen, first: int) -> None:
    """Write how often each participant made each of the shipped moves, for some of them have limits; 0 for the dead."""
    for position in range(battle.involved_count):
        number = involved_at(battle, position)
        is_seen = seen[3 + number * codes.PARTICIPANT_FEATURES] != 0.0
        one = participant_at(battle, number)
        for move in range(codes.SHIPPED_MOVES):
            seen[first + number * codes.SHIPPED_MOVES + move] = one.used[move] * 0.1 if is_seen else 0.0
