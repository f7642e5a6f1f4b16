"""Ranks the moves of a battle's participants; after changing a record, rank them again.

The rules: stacks/README.md, The ranking of moves.
"""

from __future__ import annotations

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.move_ranking import TARGET_SHIFT, comes_first, pair_value
from fracas.rulesets.stacks.rules.participants import involved_at, member_at, participant_at


@kernel
def prepare_once(battle) -> None:
    """Rank the moves if the record has no ranking yet."""
    if battle.ranking.state == codes.UNPREPARED:
        prepare(battle)


@kernel_noinline
def prepare(battle) -> None:
    """Rank the moves of all participants, or mark the record as one whose rules allow no ranking."""
    ranking = battle.ranking
    ranking.state = codes.WITHOUT_RANKING
    if battle.options.valuation != codes.EXACT or battle.move_type_count > codes.FIRST_PLUGIN_MOVE:
        return
    for index in range(battle.involved_count):
        one = participant_at(battle, involved_at(battle, index))
        one.attack = one.first_attack
        one.defence = one.first_defence
        one.damage = one.first_damage
    count = 0
    for index in range(battle.involved_count):
        actor = involved_at(battle, index)
        ranked = ranking.participants[actor & codes.PARTICIPANT_MASK]
        ranked.first = count
        ranked.first_turn = add_moves(battle, actor, codes.ARCHERY, codes.STRIKE, ranked.first)
        ranked.once = add_moves(battle, actor, codes.CHARGE, codes.CHARGE, ranked.first_turn)
        ranked.end = add_moves(battle, actor, codes.JAVELIN, codes.JAVELIN, ranked.once)
        ranked.unranked = unranked_moves(participant_at(battle, actor))
        count = ranked.end
        if count >= codes.MAX_PAIRS:
            return
    ranking.state = codes.PREPARED


@kernel
def unranked_moves(one) -> int:
    """The entries of a participant's moves that are valued anew at each choice, as a set of bits."""
    entries = 0
    for entry in range(one.move_count):
        move = one.moves[entry & codes.UNIT_MOVE_MASK]
        if move == codes.BOMBARD or move == codes.HEALING or move == codes.SACRIFICE:
            entries |= 1 << entry
    return entries


@kernel_noinline
def add_moves(battle, actor: int, move: int, other_move: int, first: int) -> int:
    """Rank a participant's pairs of one or two moves from a place of the ranking on; returns the end."""
    one = participant_at(battle, actor)
    enemies = battle.sides[1 - one.side & 1]
    end = first
    for index in range(enemies.member_count):
        for entry in range(one.move_count):
            known = one.moves[entry & codes.UNIT_MOVE_MASK]
            pair = member_at(battle, 1 - one.side, index) << TARGET_SHIFT | entry
            if (
                (known == move or known == other_move)
                and pair_value(battle, one, actor, pair) > 0
                and end < codes.MAX_PAIRS
            ):
                add_pair(battle, actor, pair, first, end)
                end += 1
    return end


@kernel
def add_pair(battle, actor: int, pair: int, first: int, end: int) -> None:
    """Insert a pair into a part of the ranking, after all that come before it."""
    one, pairs = participant_at(battle, actor), battle.ranking.pairs
    value = pair_value(battle, one, actor, pair)
    index = end
    while index > first:
        before = int(pairs[index - 1 & codes.PAIR_MASK])
        if not comes_first(value, pair, pair_value(battle, one, actor, before), before):
            break
        pairs[index & codes.PAIR_MASK] = before
        index -= 1
    pairs[index & codes.PAIR_MASK] = pair
