"""Snapshots of a duel at each round's start and at both players' choices, for `fracas why`.

A place, as `resume` takes it: (one of those of snapshots.py; the given choices of both players). Players choose at
once, so that what one could have chosen is looked at beside what the other did choose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.kernel.dice import seek_stream
from fracas.kernel.snapshots import FROM_ROUND, WITH_CHOICE, mutable_spans, save_snapshot
from fracas.rulesets.contract.analysis import Decision, DecisionPoint, Option
from fracas.rulesets.contract.types import Compiled, Rows, copied
from fracas.rulesets.titans.rules.constants import ACTIONS, CHOICES, FIRST_ABILITY, PLAYERS, TOO_LATE, UNDECIDED
from fracas.rulesets.titans.rules.mechanics import play_round, set_up, start_round
from fracas.rulesets.titans.rules.policies import ability_code, choose
from fracas.rulesets.titans.rules.state import GIVEN
from fracas.rulesets.titans.rules.titan_stats import is_legal, titan_at

AS_EVER = (FROM_ROUND, 0, 0, 0)


def decision_points(compiled: Compiled, stream: int) -> Iterator[DecisionPoint]:
    """The decision points of a duel, in order."""
    records = compiled.own_record()
    battle = records[0]
    spans = mutable_spans(records.dtype, GIVEN)
    seek_stream(battle.dice, stream)
    set_up(battle, None)
    while battle.reason == UNDECIDED:
        kept = save_snapshot(records, spans)
        yield DecisionPoint(int(battle.tick) + 1, kept, AS_EVER)
        yield from _decisions(compiled, copied(records)[0], kept)
        play_round(battle, None)


def _decisions(compiled: Compiled, battle: Any, kept: Rows) -> Iterator[DecisionPoint]:
    """Both players' decisions in the round that starts.

    They are simultaneous: the first decision point covers the change by both choices; the second has both made.
    """
    start_round(battle, None)
    titans = [titan_at(battle, index) for index in range(PLAYERS)]
    for one in titans:
        choose(battle, one, None)
    chosen = [int(one.choice) for one in titans]
    place: tuple[int, ...] = AS_EVER
    for index, one in enumerate(titans):
        legal = [choice for choice in range(CHOICES) if is_legal(one, choice)]
        if one.why == TOO_LATE or len(legal) < 2:
            continue
        choices = [
            Option(label(compiled, one, choice), (WITH_CHOICE, *chosen[:index], choice, *chosen[index + 1 :], 0))
            for choice in legal
        ]
        name = f"{index + 1} {compiled.books['titan'][index]}"
        decision = Decision(index + 1, name, legal.index(chosen[index]), choices)
        yield DecisionPoint(int(battle.tick), kept, place, decision)
        place = (WITH_CHOICE, *chosen, 0)


def label(compiled: Compiled, one: Any, choice: int) -> str:
    """A choice in words."""
    if choice < FIRST_ABILITY:
        return ACTIONS[choice]
    return str(compiled.books["ability_name"][ability_code(one, choice)])
