"""A battle cut into steps after which equal states can be taken together, for exact odds.

A participant's turn is a step for each making of its move; if it rolls to choose, that is a step before them. The rules
are those of mechanics.py. `dice.place` is 16 times the place in the order of play of whoever is next, and how many
makings are left of the move that it has chosen.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules.constants import HEALING, JAVELIN, MOST_REPEATS, MOVE_TYPE_MASK, SLOTS, UNDECIDED
from fracas.rulesets.stacks.rules.mechanics import can_go_on, end_turn, make_move, refresh, set_up, start_turn
from fracas.rulesets.stacks.rules.moves.dispatch import repeats
from fracas.rulesets.stacks.rules.participants import in_order, involved_at, is_living, participant_at
from fracas.rulesets.stacks.rules.policies import choose_move

# More than the makings of a move.
PARTS = 16

# The parts of the record that a step reads and another has changed. The rest is given, or written before it is read.
STATE = (
    "turn",
    "tick",
    "winner",
    "reason",
    "turns_played",
    "harmed",
    "idle",
    "stale",
    "overfull",
    "chosen_target",
    "chosen_move",
    "sides",
    "dice.place",
)


@kernel
def step(battle: Any, page: Any) -> None:
    """The set-up, or part of a participant's turn, with the turn's start before the first and its end after the last.

    Rule:    README, Order of play; A turn.
    Changes: the battle; what the page says of it.
    Draws:   as choose_move, make_move.
    Emits:   nothing.
    """
    if page.begins:
        set_up(battle, None)
        battle.dice.place = 0
    else:
        if battle.dice.place == 0:
            start_turn(battle, None)
            pass_over_the_fallen(battle)
        take_part_of_turn(battle, in_order(battle, battle.dice.place // PARTS))
        if battle.dice.place >= battle.involved_count * PARTS:
            end_turn(battle, None)
            battle.dice.place = 0
    forget(battle)
    page.over = battle.reason != UNDECIDED
    page.rounds = battle.turns_played
    made = battle.dice.place // PARTS * PARTS + (PARTS - battle.dice.place) % PARTS
    page.moment = (battle.turn + 1) * (SLOTS + 1) * PARTS + made


@kernel
def take_part_of_turn(battle: Any, actor: int) -> None:
    """A participant chooses, or makes the move that it has chosen once; both if nothing was rolled for the choice.

    Rule:    README, A participant's turn.
    Changes: the battle; dice.place.
    Draws:   as choose_move, make_move.
    Emits:   nothing.
    """
    if battle.dice.place % PARTS == 0:
        choose_move(battle, actor, None, None)
        if battle.chosen_target == NOBODY:
            pass_on(battle)
            return
        count = repeats(battle, battle.chosen_move, actor, battle.chosen_target, None)
        battle.dice.place += min(max(count, 1), MOST_REPEATS)
        if battle.dice.made > 0:
            return
    move, target = battle.chosen_move, battle.chosen_target
    make_move(battle, actor, target, move, 1, None, None)
    battle.dice.place -= 1
    if battle.dice.place % PARTS == 0 or not can_go_on(battle, move, actor, target, None):
        pass_on(battle)


@kernel
def pass_on(battle: Any) -> None:
    """It is somebody else's turn.

    Rule:    README, A turn.
    Changes: dice.place.
    Draws:   none.
    Emits:   nothing.
    """
    battle.dice.place = (battle.dice.place // PARTS + 1) * PARTS
    pass_over_the_fallen(battle)


@kernel
def pass_over_the_fallen(battle: Any) -> None:
    """The next place in the order of play is that of somebody living.

    Rule:    README, A turn.
    Changes: dice.place.
    Draws:   none.
    Emits:   nothing.
    """
    last = battle.involved_count * PARTS
    while battle.dice.place < last and not is_living(battle, in_order(battle, battle.dice.place // PARTS)):
        battle.dice.place += PARTS


@kernel
def forget(battle: Any) -> None:
    """Forget what no rule looks at any more, so that states that go on alike are equal.

    Rule:    README, State. Of the tuples that were made only those of Javelin and Healing are asked for, and only
             whether they have reached their limit.
    Changes: the participants; the choice that was made.
    Draws:   none.
    Emits:   nothing.
    """
    limit = battle.options.heal_limit
    if battle.dice.place % PARTS == 0:
        battle.chosen_target = NOBODY
        battle.chosen_move = NOBODY
    for place in range(battle.involved_count):
        one = participant_at(battle, involved_at(battle, place))
        if one.health == 0:
            refresh(battle, one)
            one.health = 0
        for move in range(battle.move_type_count):
            most = 0
            if move == HEALING:
                most = limit
            elif move == JAVELIN:
                most = 1
            one.used[move & MOVE_TYPE_MASK] = min(one.used[move & MOVE_TYPE_MASK], most)
