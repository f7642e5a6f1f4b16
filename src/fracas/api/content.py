"""The Python interface to what ships: content entries and the JSON Schemas of files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fracas.api.arguments import check_kind, check_text, paths_of, with_python_names
from fracas.content.packs import plain_entry
from fracas.errors import UsageError
from fracas.errors.suggestions import nearest, quoted
from fracas.rulesets import registry


@with_python_names
def schema(ruleset: str, kind: str = "scenario") -> dict[str, Any]:
    """Give the JSON Schema of a kind of file, for editors, forms and checks of your own.

    Args:
        ruleset: `squads`, `delve`, `stacks`, `relics` or `titans`.
        kind: `scenario`, `content`, `strategy` (in stacks `world`), `replay`, `bundle` or `roster`.

    Returns:
        The schema, as `fracas content schema` prints it.

    Raises:
        InputError: there is no such ruleset, or it has no such files.

    Source: docs/how-to/editors.md.

        >>> schema("squads")["title"]
        'Scenario'
    """
    from fracas.replay.json_schema import json_schema

    check_kind("ruleset", ruleset, str, "a text")
    check_kind("kind", kind, str, "a text")
    if kind == "roster":
        from fracas.lab.studies.roster import RosterFile

        registry.get(ruleset)
        return RosterFile.model_json_schema(by_alias=True)
    found: dict[str, Any] = json_schema(ruleset, kind)
    return found


@with_python_names
def entries(
    ruleset: str, kind: str | None = None, *, profile: str | None = None, content: Iterable[str | Path] = ()
) -> dict[str, Any]:
    """Give the entries that scenarios can refer to: units, abilities, items, quests, profiles.

    Args:
        ruleset: `squads`, `delve`, `stacks`, `relics` or `titans`.
        kind: a kind of content, such as `units`; absent means all kinds.
        profile: also the packs that this profile loads.
        content: folders of TOML over the shipped content.

    Returns:
        The entries by their id, as plain values with the keys that content files use; without a `kind` such a table for
        each kind.

    Raises:
        InputError: there is no such ruleset, kind or profile, or a folder is not valid.

    Source: docs/how-to/content-pack.md.

        >>> entries("squads", "units")["scout"]["class"]
        'ranger'
    """
    check_kind("ruleset", ruleset, str, "a text")
    check_text("kind", kind)
    check_text("profile", profile)
    library = registry.get(ruleset).read_library(profile, paths_of("content", content))
    if kind is not None and kind not in library.entries:
        raise UsageError.of("kind", f"there is no content called {quoted(kind)}", nearest(kind, library.entries))
    kinds = library.entries if kind is None else [kind]
    found = {each: {identifier: plain_entry(entry) for identifier, entry in library.of(each).items()} for each in kinds}
    return found if kind is None else found[kind]
