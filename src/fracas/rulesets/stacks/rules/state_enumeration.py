"""Plays a stacks battle in small steps, so that exact odds can merge equal states after each step.

Each making of a move is a step; if the choice needs trial rolls, it is a step before them. The rules are those of
mechanics.py. `dice.place` is 16 times the next participant's place in the order of play, plus the number of makings
left of its chosen move.

The rules: stacks/README.md, A turn.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.mechanics import can_go_on, end_turn, make_move, refresh, set_up, start_turn
from fracas.rulesets.stacks.rules.moves.dispatch import repeats
from fracas.rulesets.stacks.rules.participants import in_order, involved_at, is_living, participant_at
from fracas.rulesets.stacks.rules.policies import choose_move

# Larger than the most makings of a move.
PARTS = 16

# The parts of the record that one step changes and a later one reads. The rest is given, or written before it is read.
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
def step(battle, page) -> None:
    """Play one step: the set-up, or part of a participant's turn, with the turn's start and end around them.

    README, Order of play.
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
    page.over = battle.reason != codes.UNDECIDED
    page.rounds = battle.turns_played
    made = battle.dice.place // PARTS * PARTS + (PARTS - battle.dice.place) % PARTS
    page.moment = (battle.turn + 1) * (codes.SLOTS + 1) * PARTS + made


@kernel
def take_part_of_turn(battle, actor: int) -> None:
    """Let a participant choose, or make its chosen move once; both if the choice needed no rolls.

    README, A participant's turn.
    """
    if battle.dice.place % PARTS == 0:
        choose_move(battle, actor, None, None)
        if battle.chosen_target == NOBODY:
            pass_on(battle)
            return
        count = repeats(battle, battle.chosen_move, actor, battle.chosen_target, None)
        battle.dice.place += min(max(count, 1), codes.MOST_REPEATS)
        if battle.dice.made > 0:
            return
    move, target = battle.chosen_move, battle.chosen_target
    make_move(battle, actor, target, move, 1, None, None)
    battle.dice.place -= 1
    if battle.dice.place % PARTS == 0 or not can_go_on(battle, move, actor, target, None):
        pass_on(battle)


@kernel
def pass_on(battle) -> None:
    """Go on to the next participant."""
    battle.dice.place = (battle.dice.place // PARTS + 1) * PARTS
    pass_over_the_fallen(battle)


@kernel
def pass_over_the_fallen(battle) -> None:
    """Skip the fallen in the order of play."""
    last = battle.involved_count * PARTS
    while battle.dice.place < last and not is_living(battle, in_order(battle, battle.dice.place // PARTS)):
        battle.dice.place += PARTS


@kernel
def forget(battle) -> None:
    """Clear everything that no rule reads any more, so that states with the same future are equal (README, State).

    Of the tuples made, rules read only those of Javelin and Healing, and only whether they have reached their limit.
    """
    limit = battle.options.heal_limit
    if battle.dice.place % PARTS == 0:
        battle.chosen_target = NOBODY
        battle.chosen_move = NOBODY
    for index in range(battle.involved_count):
        one = participant_at(battle, involved_at(battle, index))
        if one.health == 0:
            refresh(battle, one)
            one.health = 0
        for move in range(battle.move_type_count):
            most = 0
            if move == codes.HEALING:
                most = limit
            elif move == codes.JAVELIN:
                most = 1
            one.used[move & codes.MOVE_TYPE_MASK] = min(one.used[move & codes.MOVE_TYPE_MASK], most)
