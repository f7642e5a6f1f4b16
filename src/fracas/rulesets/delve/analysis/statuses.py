"""Tracks which participants have which conditions, from event rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.rulesets.contract.analysis import ALL_STATUSES, EVERYBODY, StatusChange, Statuses
from fracas.rulesets.delve.rules import events as kinds
from fracas.rulesets.delve.rules.constants import APPLIED, CONDITIONS, REFRESHED, STUNNED
from fracas.rulesets.shared.event_totals import ACTOR, KIND, TARGET, A, D


def _changes(row: Sequence[int]) -> Iterator[StatusChange]:
    kind = row[KIND]
    if kind == kinds.Condition.KIND and row[D] in (APPLIED, REFRESHED):
        yield StatusChange(row[TARGET], CONDITIONS[row[A]], 1)
    elif kind == kinds.Expire.KIND:
        yield StatusChange(row[TARGET], CONDITIONS[row[A]], 0)
    elif kind == kinds.Stunned.KIND:
        yield StatusChange(row[ACTOR], CONDITIONS[STUNNED], 0)
    elif kind == kinds.Fall.KIND:
        yield StatusChange(row[TARGET], ALL_STATUSES, 0)
    elif kind == kinds.Encounter.KIND:
        # Conditions do not last from one encounter to the next.
        yield StatusChange(EVERYBODY, ALL_STATUSES, 0)


STATUSES = Statuses(CONDITIONS, (kinds.Condition, kinds.Expire, kinds.Stunned, kinds.Fall, kinds.Encounter), _changes)
