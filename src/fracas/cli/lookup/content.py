"""`fracas content list`, `show` and `schema`: what content there is, and JSON Schemas of files."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, print_json, say
from fracas.cli.shared.parameters import Folders, Format, Profile, RulesetName
from fracas.content.catalogue import mentions_all, words_about
from fracas.content.packs import plain_entry
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest
from fracas.rulesets import registry

LONGEST_BRIEF = 100
WIDTH = 80


def list_(
    ruleset: RulesetName,
    kind: Annotated[str | None, Parameter(help="A kind of content, such as units. Default: all.")] = None,
    /,
    *,
    profile: Profile = None,
    folder: Folders = None,
    tag: Annotated[
        list[str] | None,
        Parameter(name="--tag", help="Only entries with this tag, class or other one-word value. Repeatable."),
    ] = None,
    search: Annotated[
        str | None, Parameter(name="--search", help="Only entries with all these words in their name, text or note.")
    ] = None,
    format: Format = "text",
) -> int:
    """List content by kind.

    Try:

        fracas content list squads
        fracas content list squads abilities
        fracas content list relics items --tag ice --search "gain freeze"
    """
    rules = registry.get(ruleset)
    library = rules.read_library(profile, folder or [])
    if kind is not None and kind not in library.entries:
        raise InputError.of("KIND", f'there is no content of the kind "{kind}"', nearest(kind, library.entries))
    kinds = [kind] if kind is not None else list(library.entries)
    known = {word for name in kinds for entry in library.of(name).values() for word in words_about(entry)}
    unknown = [word for word in tag or () if word not in known]
    if unknown:
        raise InputError(Problem("--tag", f'no entry has "{word}"', nearest(word, known)) for word in unknown)
    found = {
        name: {
            identifier: entry
            for identifier, entry in library.of(name).items()
            if words_about(entry).issuperset(tag or ())
            and (search is None or mentions_all(entry, rules.describe_entry(entry), search))
        }
        for name in kinds
    }
    if format == "json":
        print_json({name: [plain_entry(entry) for entry in entries.values()] for name, entries in found.items()})
        return DONE
    if not any(found.values()):
        say("no entries match")
    for name, entries in found.items():
        rows = [
            (f"  {identifier}", getattr(entry, "name", ""), _brief(entry, rules.describe_entry(entry)))
            for identifier, entry in entries.items()
        ]
        if rows or (tag is None and search is None):
            say(name, *columns(rows))
    return DONE


def show(
    ruleset: RulesetName,
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
    rules = registry.get(ruleset)
    library = rules.read_library(profile, folder or [])
    found = {kind: entries[id] for kind, entries in library.entries.items() if id in entries}
    if not found:
        known = [identifier for entries in library.entries.values() for identifier in entries]
        raise InputError.of("ID", f'there is no content with the id "{id}"', nearest(id, known))
    if format == "json":
        print_json({kind: plain_entry(entry) for kind, entry in found.items()})
        return DONE
    for kind, entry in found.items():
        sentences = rules.describe_entry(entry)
        # If sentences describe the entry, its default values need not be listed.
        plain = plain_entry(entry) if not sentences else _as_written(entry)
        values = {key: value for key, value in plain.items() if value not in ("", [], {})}
        say(f"{kind}: {id}   ({Path(library.origins[kind, id]).name})")
        for line in sentences:
            say(*textwrap.wrap(line, WIDTH, initial_indent="  ", subsequent_indent="    "))
        say(*columns([(f"  {key}", _short(value)) for key, value in values.items()]))
    return DONE


def schema(
    ruleset: RulesetName,
    kind: Annotated[
        Literal["scenario", "content", "strategy", "world", "replay", "bundle", "roster", "entry"],
        Parameter(help="The kind of file. Only stacks has worlds; it has no strategies. Entries are for leagues."),
    ] = "scenario",
    /,
) -> int:
    """Print the JSON Schema of a kind of file, for editors that complete and check as you type.

    Try:

        fracas content schema squads scenario > squads.schema.json
        fracas content schema squads entry
    """
    if kind == "entry":
        from fracas.player_entries.registry import entry_json_schema

        print_json(entry_json_schema(ruleset))
        return DONE
    from fracas.api.content import schema as schema_of

    print_json(schema_of(ruleset, kind))
    return DONE


def _brief(entry: Any, sentences: Sequence[str]) -> str:
    """Describe an entry in one line: by what it does, or else its note, or else its first plain values."""
    if sentences:
        return textwrap.shorten(" ".join(sentences), LONGEST_BRIEF, placeholder=" …")
    values = {
        k: v for k, v in plain_entry(entry).items() if isinstance(v, int | str) and k not in ("id", "name", "note")
    }
    note = getattr(entry, "note", "") or ", ".join(f"{key} {value}" for key, value in values.items())
    return textwrap.shorten(note, LONGEST_BRIEF, placeholder=" …")


def _as_written(entry: Any) -> dict[str, Any]:
    """An entry's keys as plain values, without those at their defaults."""
    document: dict[str, Any] = entry.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True)
    return document


def _short(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
