"""The weekly rotation of environment modifiers: it turns every Monday at 00:00 UTC."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from fracas.content.packs import Library
from fracas.rulesets.squads.content.models.rules_tables import Modifier

FIRST_MONDAY = datetime.date(1970, 1, 5)


def rotation(library: Library) -> Sequence[Modifier]:
    """The modifiers of the rotation, in order."""
    taking_part = [entry for entry in library.of("modifiers").values() if entry.rotation is not None]
    return sorted(taking_part, key=lambda entry: entry.rotation)


def week_of(date: datetime.date) -> int:
    """Whole weeks since Monday 1970-01-05 (squads/README.md, Environment modifiers)."""
    return (date - FIRST_MONDAY).days // 7


def monday_of(date: datetime.date) -> datetime.date:
    """The Monday that begins a date's week."""
    return date - datetime.timedelta(days=date.weekday())


def calendar(library: Library, day: datetime.date, weeks: int) -> list[tuple[datetime.date, Modifier | None]]:
    """The Monday and the modifier of a day's week and of the following weeks."""
    mondays = [monday_of(day) + datetime.timedelta(weeks=week) for week in range(weeks)]
    return [(monday, modifier_of_week(library, monday)) for monday in mondays]


def modifier_of_week(library: Library, date: datetime.date) -> Modifier | None:
    """The modifier of a date's week; none if the content has no rotation."""
    order = rotation(library)
    return order[week_of(date) % len(order)] if order else None
