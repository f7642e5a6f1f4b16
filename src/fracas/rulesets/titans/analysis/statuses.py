"""Read from event rows which stats of a titan are raised or lowered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.rulesets.contract.analysis import StatusChange, Statuses
from fracas.rulesets.shared.event_totals import TARGET, A, D
from fracas.rulesets.titans.rules import events as kinds
from fracas.rulesets.titans.rules.constants import STATS

RAISED, LOWERED = "raised", "lowered"


def _changes(row: Sequence[int]) -> Iterator[StatusChange]:
    stat, total = STATS[row[A]], row[D]
    yield StatusChange(row[TARGET], f"{stat}_{RAISED}", int(total > 0))
    yield StatusChange(row[TARGET], f"{stat}_{LOWERED}", int(total < 0))


STATUSES = Statuses(
    tuple(f"{stat}_{way}" for stat in STATS for way in (RAISED, LOWERED)), (kinds.Change, kinds.Expire), _changes
)
