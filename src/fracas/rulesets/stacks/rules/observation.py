"""What a side of stacks sees, and what its participant may do in its turn."""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules.constants import (
    LARGEST_SEEN,
    NOT_VIABLE,
    PARTICIPANT_FEATURES,
    SHIPPED_MOVES,
    SLOTS,
    UNIT_MOVE_MASK,
    WAITING,
)
from fracas.rulesets.stacks.rules.moves.dispatch import worth
from fracas.rulesets.stacks.rules.participants import involved_at, is_living, participant_at, relation
from fracas.rulesets.stacks.rules.policies import candidate_at, candidate_count, candidates_of


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
def mark_legal(battle: Any, actor: int, mask: Any) -> None:
    """Every viable pair of move type and target of a participant, and waiting: 1, else 0; nothing for NOBODY.

    Rule:    stacks/README.md, A participant's turn, step 1.
    Changes: the mask.
    Draws:   none.
    Emits:   nothing.
    """
    for action in range(WAITING):
        mask[action] = 0
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
def see_attack(battle: Any, side: int, acting: int, seen: Any, anew: bool) -> None:
    """What a side sees; `acting` is its participant whose turn it is, or NOBODY.

    `anew` is False where `seen` has what was written for an earlier state of this battle.

    Rule:    docs/reference/environments.md, stacks.
    Changes: seen.
    Draws:   none.
    Emits:   nothing.
    """
    seen[0] = min(battle.turn / battle.options.turn_cap, 1.0)
    seen[1] = min(battle.idle / battle.options.idle_turns, 1.0)
    seen[2] = 1.0 if side == 0 else 0.0
    if anew:
        for entry in range(SLOTS * PARTICIPANT_FEATURES):
            seen[3 + entry] = 0.0
    for place in range(battle.involved_count):
        number = involved_at(battle, place)
        see_participant(battle, side, number, acting, seen, 3 + number * PARTICIPANT_FEATURES, anew)


@kernel
def see_participant(battle: Any, side: int, number: int, acting: int, seen: Any, place: int, anew: bool) -> None:
    """Write what is visible of a participant; all 0 once it is dead.

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
