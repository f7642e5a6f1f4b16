"""`fracas content`, `new` and `modifiers`: what there is to play with."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from fracas.cli.options import Folders, Format, Profile
from fracas.cli.show import columns, notice, print_json
from fracas.content.suggest import nearest
from fracas.errors import InputError
from fracas.rulesets import registry

content = App(
    name="content",
    help="""List and show content; export JSON Schemas.

Try:

    fracas content list squads
    fracas content list squads units
    fracas content show squads bronze_knight
    fracas content schema squads scenario > squads.schema.json""",
    help_format="plaintext",
    result_action="return_value",
)

Name = Annotated[str, Parameter(help="A ruleset, e.g. squads.")]


@content.command(name="list")
def list_(
    ruleset: Name,
    kind: Annotated[str | None, Parameter(help="A kind of content, e.g. units; absent: all.")] = None,
    /,
    *,
    profile: Profile = None,
    folder: Folders = None,
    format: Format = "text",
) -> int:
    """List content by kind.

    Try:

        fracas content list squads
        fracas content list squads abilities
    """
    library = registry.get(ruleset).read_library(profile, folder or [])
    if kind is not None and kind not in library.entries:
        raise InputError.of("KIND", f'there is no content called "{kind}"', nearest(kind, library.entries))
    kinds = [kind] if kind is not None else list(library.entries)
    if format == "json":
        print_json({name: [_plain(entry) for entry in library.of(name).values()] for name in kinds})
        return 0
    for name in kinds:
        print(name)
        rows = [(f"  {identifier}", _label(entry), _brief(entry)) for identifier, entry in library.of(name).items()]
        print("\n".join(columns(rows)))
    return 0


@content.command(name="show")
def show(
    ruleset: Name,
    id: Annotated[str, Parameter(help="The entry's id.")],
    /,
    *,
    profile: Profile = None,
    folder: Folders = None,
    format: Format = "text",
) -> int:
    """Show one entry, or all entries of different kinds that share the id.

    Try:

        fracas content show squads fireball
    """
    library = registry.get(ruleset).read_library(profile, folder or [])
    found = {kind: entries[id] for kind, entries in library.entries.items() if id in entries}
    if not found:
        known = [identifier for entries in library.entries.values() for identifier in entries]
        raise InputError.of("ID", f'there is no content with the id "{id}"', nearest(id, known))
    if format == "json":
        print_json({kind: _plain(entry) for kind, entry in found.items()})
        return 0
    for kind, entry in found.items():
        print(f"{kind}: {id}   ({Path(library.origins[kind, id]).name})")
        print("\n".join(columns([(f"  {key}", _short(value)) for key, value in _plain(entry).items()])))
    return 0


@content.command(name="schema")
def schema(
    ruleset: Name,
    kind: Annotated[
        Literal["scenario", "content", "strategy", "replay"], Parameter(help="Which kind of file.")
    ] = "scenario",
    /,
) -> int:
    """Print the JSON Schema of a kind of file, for editors that complete and check as one types.

    Try:

        fracas content schema squads scenario > squads.schema.json
    """
    print_json(json_schema(ruleset, kind))
    return 0


def json_schema(ruleset: str, kind: str) -> Any:
    """The JSON Schema of one of a ruleset's file kinds."""
    known = registry.get(ruleset)
    if kind == "replay":
        import msgspec

        from fracas.replay.file import Replay

        return msgspec.json.schema(Replay)
    return getattr(known.models, kind).model_json_schema(by_alias=True)


def new(
    ruleset: Name,
    /,
    *,
    out: Annotated[Path | None, Parameter(name="--out", help="The file to write; absent: standard output.")] = None,
) -> int:
    """Write a commented scenario to start from.

    Try:

        fracas new squads
        fracas new squads --out mine.toml
    """
    template = registry.get(ruleset).template()
    if out is None:
        print(template, end="")
        return 0
    if out.exists():
        raise InputError.of(str(out), "is there already and is not overwritten")
    from fracas.replay.file import write_whole

    write_whole(out, template.encode())
    notice(f"wrote {out}; try: fracas run {out}")
    return 0


def modifiers(
    *,
    date: Annotated[str | None, Parameter(name="--date", help="A day, e.g. 2026-11-20; absent: today (UTC).")] = None,
    weeks: Annotated[int, Parameter(name="--weeks", help="How many weeks to show.")] = 8,
    folder: Folders = None,
    format: Format = "text",
) -> int:
    """The squads environment modifiers of a day's week and the coming ones; they change on Mondays at 00:00 UTC.

    Try:

        fracas modifiers
        fracas modifiers --date 2026-11-20
    """
    from fracas.rulesets.squads.rotation import modifier_of_week, monday_of

    day = _day(date)
    if not 1 <= weeks <= 520:
        raise InputError.of("--weeks", f"{weeks} is out of range: 1 to 520")
    library = registry.get("squads").read_library(None, folder or [])
    mondays = [monday_of(day) + datetime.timedelta(weeks=week) for week in range(weeks)]
    rotation = [(monday, modifier_of_week(library, monday)) for monday in mondays]
    if format == "json":
        weeks_json = [{"from": str(monday), "modifier": _plain(entry) if entry else None} for monday, entry in rotation]
        print_json({"date": str(day), "weeks": weeks_json})
        return 0
    rows = [
        ("now" if place == 0 else "", f"from {monday}", entry.id if entry else "-", entry.note if entry else "")
        for place, (monday, entry) in enumerate(rotation)
    ]
    print("\n".join(columns(rows)))
    return 0


def _day(text: str | None) -> datetime.date:
    if text is None:
        return datetime.datetime.now(datetime.UTC).date()
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise InputError.of("--date", f'"{text}" is not a day', "write it as 2026-11-20") from None
    if not 1 < day.year < 9900:
        raise InputError.of("--date", f"the year {day.year} is out of range")
    return day


def _plain(entry: Any) -> dict[str, Any]:
    document: dict[str, Any] = entry.model_dump(mode="json", by_alias=True, exclude_none=True)
    return document


def _label(entry: Any) -> str:
    return getattr(entry, "name", "")


def _brief(entry: Any) -> str:
    """One line about an entry: its note, or its first plain values."""
    note = getattr(entry, "note", "")
    if note:
        return str(note).splitlines()[0]
    values = {k: v for k, v in _plain(entry).items() if isinstance(v, int | str) and k not in ("id", "name", "note")}
    return ", ".join(f"{key} {value}" for key, value in values.items())


def _short(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
