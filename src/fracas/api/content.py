"""The Python API for content: list entries, get the JSON Schemas of files and the versions of the rules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fracas.api.arguments import check_kind, check_list, check_text, paths_of, with_python_names
from fracas.content.packs import plain_entry
from fracas.errors import UsageError
from fracas.errors.suggestions import nearest, quoted
from fracas.rulesets import registry


@with_python_names
def schema(ruleset: str, kind: str = "scenario") -> dict[str, Any]:
    """Get the JSON Schema of a kind of file, for editors, forms and your own checks.

    Args:
        ruleset: `squads`, `delve`, `stacks`, `relics` or `titans`.
        kind: `scenario`, `content`, `strategy` (in stacks `world`), `replay`, `bundle` or `roster`.

    Returns:
        The schema, as `fracas content schema` prints it.

    Raises:
        InputError: there is no such ruleset, or it has no files of that kind.

    Source: docs/how-to/editors.md.

        >>> schema("squads")["title"]
        'Scenario'
    """
    from fracas.replay.json_schema import json_schema

    check_kind("ruleset", ruleset, str, "a string")
    check_kind("kind", kind, str, "a string")
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
    """Get the content entries that scenarios can refer to: units, abilities, items, quests, profiles.

    Args:
        ruleset: `squads`, `delve`, `stacks`, `relics` or `titans`.
        kind: a kind of content, such as `units`; defaults to all kinds.
        profile: include the packs that this profile loads.
        content: folders whose content overrides the shipped content.

    Returns:
        The entries by id, as plain values with the keys of content files; without `kind`, one such mapping per kind.

    Raises:
        InputError: there is no such ruleset, kind or profile, or a folder is not valid.

    Source: docs/how-to/content-pack.md.

        >>> entries("squads", "units")["scout"]["class"]
        'ranger'
    """
    check_kind("ruleset", ruleset, str, "a string")
    check_text("kind", kind)
    check_text("profile", profile)
    library = registry.get(ruleset).read_library(profile, paths_of("content", content))
    if kind is not None and kind not in library.entries:
        raise UsageError.of("kind", f"there is no content of the kind {quoted(kind)}", nearest(kind, library.entries))
    kinds = library.entries if kind is None else [kind]
    found = {each: {identifier: plain_entry(entry) for identifier, entry in library.of(each).items()} for each in kinds}
    return found if kind is None else found[kind]


@with_python_names
def rules_versions(*rulesets: str) -> dict[str, int]:
    """Get the versions of the installed rules, by ruleset.

    A battle's bytes depend on the version of its ruleset's rules, so keep it beside what you store of a battle. Only a
    change after which the same scenario and seed give other events raises it.

    Args:
        rulesets: the rulesets to tell; none means all.

    Returns:
        A whole number from 1 on for each of them.

    Raises:
        InputError: there is no such ruleset.

    Source: docs/how-to/upgrade.md.

        >>> sorted(rules_versions())
        ['delve', 'relics', 'squads', 'stacks', 'titans']
    """
    check_list("rulesets", rulesets, str, "names of rulesets")
    return {name: registry.get(name, "rulesets").rules_version for name in rulesets or registry.NAMES}
