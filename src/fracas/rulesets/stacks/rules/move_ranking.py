"""Chooses moves from a ranking, so that battles without a log value a pair of target and move once and not each turn.

While no score changes, Archery, Charge, Strike and Javelin are worth the same on a target in every turn. The ranking
holds each participant's pairs of these moves, the highest value first; the choice is the first pair with a living
target. Other moves are valued anew. If plug-ins may change scores, if values are sampled, or if a log needs every
value, all pairs are valued (policies.py); that is the specification of the ranking.

The rules: stacks/README.md, The ranking of moves; A participant's turn; The shipped moves.
"""

from __future__ import annotations

from fracas.kernel.event_log import NOBODY
from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.moves.helpful import (
    healing_expected_value,
    healing_is_viable,
    sacrifice_expected_value,
    sacrifice_is_viable,
)
from fracas.rulesets.stacks.rules.moves.melee import charge_expected_value, strike_expected_value
from fracas.rulesets.stacks.rules.moves.ranged import (
    archery_expected_value,
    bombard_expected_value,
    javelin_expected_value,
)
from fracas.rulesets.stacks.rules.participants import is_living, member_at, participant_at

# A pair: the entry of the actor's moves in the low bits, the target above.
TARGET_SHIFT = 4
ENTRY_MASK = (1 << TARGET_SHIFT) - 1
NO_PAIR = -1


@kernel
def is_ranked(battle) -> bool:
    """Whether the battle has a ranking."""
    return battle.ranking.state == codes.PREPARED


@kernel_noinline
def choose_ranked(battle, actor: int) -> None:
    """Choose as choose_move does, with the help of the ranking."""
    one = participant_at(battle, actor)
    ranked = battle.ranking.participants[actor & codes.PARTICIPANT_MASK]
    best = first_living(battle, ranked.first, ranked.first_turn)
    if battle.turn == 0 and ranked.once > ranked.first_turn:
        best = better_pair(battle, one, actor, best, first_living(battle, ranked.first_turn, ranked.once))
    if ranked.end > ranked.once and one.used[codes.JAVELIN] == 0:
        best = better_pair(battle, one, actor, best, first_living(battle, ranked.once, ranked.end))
    if ranked.unranked != 0:
        best = best_with_unranked(battle, one, actor, ranked.unranked, best)
    battle.chosen_target = NOBODY
    battle.chosen_move = NOBODY
    if best != NO_PAIR:
        battle.chosen_target = best >> TARGET_SHIFT
        battle.chosen_move = one.moves[best & ENTRY_MASK]


@kernel
def first_living(battle, first: int, end: int) -> int:
    """The first pair in a part of the ranking whose target is living; NO_PAIR if there is none."""
    for index in range(first, end):
        pair = int(battle.ranking.pairs[index & codes.PAIR_MASK])
        if is_living(battle, pair >> TARGET_SHIFT):
            return pair
    return NO_PAIR


@kernel
def better_pair(battle, one, actor: int, best: int, other: int) -> int:
    """The one of two pairs that is chosen."""
    if other == NO_PAIR:
        return best
    most = pair_value(battle, one, actor, best)
    return other if comes_first(pair_value(battle, one, actor, other), other, most, best) else best


@kernel
def best_with_unranked(battle, one, actor: int, unranked: int, best: int) -> int:
    """The best of a pair and all viable ones of the moves that are not ranked."""
    most = pair_value(battle, one, actor, best)
    for entry in range(one.move_count):
        if unranked >> entry & 1 != 0:
            move = one.moves[entry & codes.UNIT_MOVE_MASK]
            side = (
                1 - one.side
                if battle.move_types[move & codes.MOVE_TYPE_MASK].aims == codes.LIVING_ENEMIES
                else one.side
            )
            for index in range(battle.sides[side & 1].member_count):
                target = member_at(battle, side, index)
                if is_living(battle, target):
                    value = unranked_value(battle, move, actor, target)
                    pair = target << TARGET_SHIFT | entry
                    if comes_first(value, pair, most, best):
                        most, best = value, pair
    return best


@kernel_noinline
def pair_value(battle, one, actor: int, pair: int) -> float:
    """The value of a pair of the ranking; 0 if there is none (README, Scores, damage rolls, values)."""
    if pair == NO_PAIR:
        return 0.0
    return ranked_value(battle, one.moves[pair & ENTRY_MASK], actor, pair >> TARGET_SHIFT)


@kernel
def ranked_value(battle, move: int, actor: int, target: int) -> float:
    """The value of a move that is ranked."""
    if move == codes.CHARGE:
        return charge_expected_value(battle, actor, target)
    if move == codes.JAVELIN:
        return javelin_expected_value(battle, actor, target)
    if move == codes.STRIKE:
        return strike_expected_value(battle, actor, target)
    return archery_expected_value(battle, actor, target)


@kernel
def unranked_value(battle, move: int, actor: int, target: int) -> float:
    """The value of a move that is not ranked if it is viable, else NOT_VIABLE."""
    if move == codes.BOMBARD:
        return bombard_expected_value(battle, actor, target)
    if move == codes.HEALING:
        return (
            healing_expected_value(battle, actor, target)
            if healing_is_viable(battle, actor, target)
            else codes.NOT_VIABLE
        )
    is_viable_now = sacrifice_is_viable(battle, actor, target)
    return sacrifice_expected_value(battle, actor, target) if is_viable_now else codes.NOT_VIABLE


@kernel
def comes_first(value: float, pair: int, most: float, best: int) -> bool:
    """Whether a pair is chosen before another one: its value is higher, or as high and the pair is considered earlier.

    The first of equals.
    """
    return value > most or (value == most and pair < best)
