"""Read the stacks of a fighter's statuses from event rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.rulesets.contract.analysis import ALL_STATUSES, StatusChange, Statuses
from fracas.rulesets.relics.rules import events as kinds
from fracas.rulesets.relics.rules.constants import FIRST_OWN_STATUS, FREEZE, STATUSES
from fracas.rulesets.shared.event_totals import ACTOR, KIND, TARGET, A, B, C


def statuses_of(quantities: Sequence[str]) -> Statuses:
    """The statuses of a battle with these quantities, its own statuses included."""

    def changes(row: Sequence[int]) -> Iterator[StatusChange]:
        if row[KIND] == kinds.PhaseBegins.KIND:
            yield StatusChange(row[TARGET], ALL_STATUSES, 0)
        elif row[A] >= FREEZE:
            is_start = row[KIND] == kinds.Has.KIND
            unit, stacks = (row[ACTOR], row[B]) if is_start else (row[TARGET], row[C])
            yield StatusChange(unit, quantities[row[A]], max(0, stacks))

    names = (*STATUSES, *quantities[FIRST_OWN_STATUS:])
    return Statuses(names, (kinds.Has, kinds.Change, kinds.PhaseBegins), changes)
