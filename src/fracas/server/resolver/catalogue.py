"""What there is: rulesets, schemas, content, modifiers."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Any

from fracas.api.content import schema as schema_of
from fracas.content.packs import plain_entry
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.server.http.answers import link
from fracas.server.http.problems import not_found
from fracas.server_models.resolver import Content, Ruleset, Week

SCHEMAS = ("scenario", "content", "strategy", "replay", "bundle", "roster")
MOST_WEEKS = 52


def ruleset(name: str) -> Any:
    """A ruleset by its name.

    Raises:
        ApiProblem: 404, there is none.
    """
    if name not in registry.NAMES:
        raise not_found("no such ruleset")
    return registry.get(name)


def ruleset_view(name: str) -> Ruleset:
    """A ruleset in short."""
    rules = ruleset(name)
    paths = {"self": link("rulesets", name), "content": link("rulesets", name, "content")}
    return Ruleset(
        name=rules.name,
        title=rules.title,
        summary=rules.summary,
        rules_version=rules.rules_version,
        default_profile=rules.default_profile,
        links=paths | {f"schema_{kind}": link("rulesets", name, "schemas", kind) for kind in SCHEMAS},
    )


@lru_cache(maxsize=64)
def schema(name: str, kind: str) -> dict[str, Any]:
    """The JSON Schema of a kind of file.

    Raises:
        ApiProblem: 404, the ruleset has no such files.
    """
    try:
        return schema_of(ruleset(name).name, kind)
    except InputError:
        raise not_found("no such schema") from None


def profiles_content(name: str, profile: str | None) -> Any:
    """The content that a profile loads.

    Raises:
        InputError: there is no such profile.
    """
    return _library(ruleset(name).name, profile)


@lru_cache(maxsize=64)
def _library(name: str, profile: str | None) -> Any:
    return registry.get(name).read_library(profile, [])


def kinds(name: str, profile: str | None) -> dict[str, int]:
    """The kinds of content with their number of entries."""
    return {kind: len(entries) for kind, entries in profiles_content(name, profile).entries.items()}


def entries(name: str, kind: str, profile: str | None, after: str | None, limit: int) -> list[Content]:
    """Entries of a kind by id, in alphabetical order, after one of them.

    Raises:
        ApiProblem: 404, there is no such kind.
    """
    library = profiles_content(name, profile)
    if kind not in library.entries:
        raise not_found("no such kind of content")
    known = library.of(kind)
    wanted = sorted(identifier for identifier in known if after is None or identifier > after)[:limit]
    return [_content(name, kind, known[identifier], profile) for identifier in wanted]


def entry(name: str, kind: str, identifier: str, profile: str | None) -> Content:
    """One entry.

    Raises:
        ApiProblem: 404, there is none.
    """
    library = profiles_content(name, profile)
    if kind not in library.entries or identifier not in library.of(kind):
        raise not_found("no such content")
    return _content(name, kind, library.of(kind)[identifier], profile)


def _content(name: str, kind: str, found: Any, profile: str | None) -> Content:
    plain = plain_entry(found)
    path = link("rulesets", name, "content", kind, plain["id"], profile=profile)
    return {**plain, "description": list(registry.get(name).describe_entry(found)), "links": {"self": path}}


def modifiers(day: date, weeks: int) -> list[Week]:
    """The environment modifiers of squads for a day's week and the weeks after it."""
    calendar = registry.get("squads").calendar(day, weeks)
    return [
        Week(monday=monday.isoformat(), modifier=None if found is None else plain_entry(found))
        for monday, found in calendar
    ]
