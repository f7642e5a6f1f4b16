"""Tracks which units have which effects, from event rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.rulesets.contract.analysis import ALL_STATUSES, StatusChange, Statuses
from fracas.rulesets.shared.event_totals import ACTOR, KIND, TARGET, A, D
from fracas.rulesets.squads.rules import events as kinds
from fracas.rulesets.squads.rules.constants import APPLIED, DAMAGE_OVER_TIME, EFFECTS, SHIELD, STUN

# An effect lasts until its `expire` event, a stun until the turn it costs, damage over time until its last strike.
LASTING = EFFECTS[SHIELD:]


def _changes(row: Sequence[int]) -> Iterator[StatusChange]:
    kind = row[KIND]
    if kind == kinds.Effect.KIND and row[D] == APPLIED:
        yield StatusChange(row[TARGET], EFFECTS[row[A]], 1)
    elif kind == kinds.Shield.KIND and row[D] == APPLIED:
        yield StatusChange(row[TARGET], EFFECTS[SHIELD], 1)
    elif kind == kinds.Expire.KIND:
        yield StatusChange(row[TARGET], EFFECTS[row[A]], 0)
    elif kind == kinds.Stunned.KIND:
        yield StatusChange(row[ACTOR], EFFECTS[STUN], 0)
    elif kind == kinds.Suffer.KIND and row[D] == 0:
        yield StatusChange(row[TARGET], EFFECTS[DAMAGE_OVER_TIME], 0)
    elif kind == kinds.Fall.KIND:
        yield StatusChange(row[TARGET], ALL_STATUSES, 0)


STATUSES = Statuses(
    LASTING, (kinds.Effect, kinds.Shield, kinds.Expire, kinds.Stunned, kinds.Suffer, kinds.Fall), _changes
)
