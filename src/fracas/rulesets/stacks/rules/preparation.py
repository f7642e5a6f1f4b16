"""Ranks the moves of a battle's participants; after changing a record, rank them again."""

from __future__ import annotations

from typing import Any

from fracas.kernel.jit import kernel, kernel_noinline
from fracas.rulesets.stacks.rules.constants import (
    ARCHERY,
    BOMBARD,
    CHARGE,
    EXACT,
    FIRST_PLUGIN_MOVE,
    HEALING,
    JAVELIN,
    MAX_PAIRS,
    PAIR_MASK,
    PARTICIPANT_MASK,
    PREPARED,
    SACRIFICE,
    STRIKE,
    UNIT_MOVE_MASK,
    UNPREPARED,
    WITHOUT_RANKING,
)
from fracas.rulesets.stacks.rules.move_ranking import TARGET_SHIFT, comes_first, pair_value
from fracas.rulesets.stacks.rules.participants import involved_at, member_at, participant_at


@kernel
def prepare_once(battle: Any) -> None:
    """Rank the moves if the record has no ranking yet.

    Rule:    stacks/README.md, The ranking of moves.
    Changes: as prepare.
    Draws:   none.
    Emits:   nothing.
    """
    if battle.ranking.state == UNPREPARED:
        prepare(battle)


@kernel_noinline
def prepare(battle: Any) -> None:
    """Rank the moves of all participants, or mark the record as one whose rules allow no ranking.

    Rule:    stacks/README.md, The ranking of moves.
    Changes: battle.ranking; the participants' scores, to those at set-up.
    Draws:   none.
    Emits:   nothing.
    """
    ranking = battle.ranking
    ranking.state = WITHOUT_RANKING
    if battle.options.valuation != EXACT or battle.move_type_count > FIRST_PLUGIN_MOVE:
        return
    for place in range(battle.involved_count):
        one = participant_at(battle, involved_at(battle, place))
        one.attack = one.first_attack
        one.defence = one.first_defence
        one.damage = one.first_damage
    count = 0
    for place in range(battle.involved_count):
        actor = involved_at(battle, place)
        ranked = ranking.participants[actor & PARTICIPANT_MASK]
        ranked.first = count
        ranked.first_turn = add_moves(battle, actor, ARCHERY, STRIKE, ranked.first)
        ranked.once = add_moves(battle, actor, CHARGE, CHARGE, ranked.first_turn)
        ranked.end = add_moves(battle, actor, JAVELIN, JAVELIN, ranked.once)
        ranked.unranked = unranked_moves(participant_at(battle, actor))
        count = ranked.end
        if count >= MAX_PAIRS:
            return
    ranking.state = PREPARED


@kernel
def unranked_moves(one: Any) -> int:
    """The entries of a participant's moves that are valued anew at each choice, as a set of bits.

    Rule:    stacks/README.md, The ranking of moves.
    Changes: nothing.
    Draws:   none.
    Emits:   nothing.
    """
    entries = 0
    for entry in range(one.move_count):
        move = one.moves[entry & UNIT_MOVE_MASK]
        if move == BOMBARD or move == HEALING or move == SACRIFICE:
            entries |= 1 << entry
    return entries


@kernel_noinline
def add_moves(battle: Any, actor: int, move: int, other_move: int, first: int) -> int:
    """Rank a participant's pairs of one or two moves from a place of the ranking on; returns the end.

    Rule:    stacks/README.md, The ranking of moves.
    Changes: battle.ranking.
    Draws:   none.
    Emits:   nothing.
    """
    one = participant_at(battle, actor)
    enemies = battle.sides[1 - one.side & 1]
    end = first
    for place in range(enemies.member_count):
        for entry in range(one.move_count):
            known = one.moves[entry & UNIT_MOVE_MASK]
            pair = member_at(battle, 1 - one.side, place) << TARGET_SHIFT | entry
            if (known == move or known == other_move) and pair_value(battle, one, actor, pair) > 0 and end < MAX_PAIRS:
                add_pair(battle, actor, pair, first, end)
                end += 1
    return end


@kernel
def add_pair(battle: Any, actor: int, pair: int, first: int, end: int) -> None:
    """Insert a pair into a part of the ranking, after all that come before it.

    Rule:    stacks/README.md, The ranking of moves.
    Changes: battle.ranking.
    Draws:   none.
    Emits:   nothing.
    """
    one, pairs = participant_at(battle, actor), battle.ranking.pairs
    value = pair_value(battle, one, actor, pair)
    place = end
    while place > first:
        before = int(pairs[place - 1 & PAIR_MASK])
        if not comes_first(value, pair, pair_value(battle, one, actor, before), before):
            break
        pairs[place & PAIR_MASK] = before
        place -= 1
    pairs[place & PAIR_MASK] = pair
