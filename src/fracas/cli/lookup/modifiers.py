"""`fracas content modifiers`: show the environment modifiers week by week."""

from __future__ import annotations

import datetime
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, print_json, say
from fracas.cli.shared.parameters import Folders, Format
from fracas.content.packs import plain_entry
from fracas.errors import UsageError
from fracas.rulesets import registry


def modifiers(
    *,
    date: Annotated[
        str | None, Parameter(name="--date", help="A date such as 2026-11-20. Default: today (UTC).")
    ] = None,
    weeks: Annotated[int, Parameter(name="--weeks", help="Number of weeks to show.")] = 8,
    folder: Folders = None,
    format: Format = "text",
) -> int:
    """Show the squads environment modifiers for a date's week and the following weeks.

    They change on Mondays at 00:00 UTC.

    Try:

        fracas content modifiers
        fracas content modifiers --date 2026-11-20
    """
    day = _day(date)
    if not 1 <= weeks <= 520:
        raise UsageError.of("--weeks", f"{weeks} is out of range: 1 to 520")
    calendar = registry.get("squads").calendar(day, weeks, folder or [])
    if format == "json":
        weeks_json = [
            {"from": str(monday), "modifier": plain_entry(entry) if entry else None} for monday, entry in calendar
        ]
        print_json({"date": str(day), "weeks": weeks_json})
        return DONE
    rows = [
        (
            "now" if index == 0 else "",
            f"from {monday}",
            *((entry.id, entry.name, entry.note) if entry else ("-", "", "")),
        )
        for index, (monday, entry) in enumerate(calendar)
    ]
    say(*columns(rows))
    return DONE


def _day(text: str | None) -> datetime.date:
    if text is None:
        return datetime.datetime.now(datetime.UTC).date()
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise UsageError.of("--date", f'"{text}" is not a date', "write it as 2026-11-20") from None
    if not 1 < day.year < 9900:
        raise UsageError.of("--date", f"the year {day.year} is out of range")
    return day
