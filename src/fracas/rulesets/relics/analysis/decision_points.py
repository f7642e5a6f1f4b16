"""Snapshots of a relics battle before set-up and at each turn's start, for `fracas why`; nobody decides anything in it.

Places for `resume` are those of kernel/snapshots.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.dice import seek_stream
from fracas.kernel.snapshots import FROM_ROUND, FROM_SET_UP, mutable_spans, save_snapshot
from fracas.rulesets.contract.analysis import DecisionPoint
from fracas.rulesets.contract.types import Compiled
from fracas.rulesets.relics.rules.constants import UNDECIDED
from fracas.rulesets.relics.rules.setup import set_up
from fracas.rulesets.relics.rules.state import GIVEN
from fracas.rulesets.relics.rules.turns import play_turn


def decision_points(compiled: Compiled, stream: int) -> Iterator[DecisionPoint]:
    """The decision points of a battle, in order."""
    records = compiled.own_record()
    battle = records[0]
    spans = mutable_spans(records.dtype, GIVEN)
    seek_stream(battle.dice, stream)
    yield DecisionPoint(0, save_snapshot(records, spans), (FROM_SET_UP, 0))
    set_up(battle, None)
    while battle.reason == UNDECIDED:
        yield DecisionPoint(int(battle.turn) + 1, save_snapshot(records, spans), (FROM_ROUND, 0))
        play_turn(battle, None)
