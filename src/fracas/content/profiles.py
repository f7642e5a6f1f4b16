"""Profiles: resolve named sets of rule options, each of which may build on another, and merge them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from fracas.content.packs import Library
from fracas.errors import InputError, Problem


def profile_chain(library: Library, name: str, where: str) -> list[Any]:
    """Get a profile and all profiles that it builds on, the most basic first.

    Raises:
        InputError: an unknown profile, or profiles that build on each other in a cycle.
    """
    line: list[Any] = []
    following: str | None = name
    while following is not None:
        if any(entry.id == following for entry in line):
            raise InputError.of(where, f'the profile "{following}" builds on itself')
        line.insert(0, library.find("profiles", following, where, "profile"))
        following = line[0].base
    return line


def missing_options(where: str, profile: str, options: Iterable[BaseModel], default_profile: str) -> Iterator[Problem]:
    """Report the rule options for which a profile has no value."""
    given: dict[str, bool] = {}
    for each in options:
        for key in type(each).model_fields:
            given[key] = given.get(key, False) or getattr(each, key) is not None
    missing = [key for key, is_given in given.items() if not is_given]
    if missing:
        message = f'the profile "{profile}" does not set {", ".join(missing)}'
        yield Problem(where, message, f'let it build on another: base = "{default_profile}"')


def merged_options(options: Iterable[BaseModel]) -> dict[str, Any]:
    """Merge sets of options; later values override earlier ones, and tables are merged key by key."""
    merged: dict[str, Any] = {}
    for each in options:
        values = {key: getattr(each, key) for key in type(each).model_fields}
        for key, value in values.items():
            if value is not None:
                merged[key] = merged_value(merged.get(key), value)
    return merged


def merged_value(there: Any, comes: Any) -> Any:
    """Merge a later value over an earlier one; tables are merged key by key."""
    if isinstance(there, BaseModel) and type(there) is type(comes):
        changes = {key: merged_value(getattr(there, key), getattr(comes, key)) for key in comes.model_fields_set}
        return there.model_copy(update=changes)
    if isinstance(there, Mapping) and isinstance(comes, Mapping):
        return {**there, **{key: merged_value(there.get(key), value) for key, value in comes.items()}}
    return comes


def incomplete_profile(library: Library, identifier: str, default_profile: str) -> Iterator[Problem]:
    """Report a profile in a library that builds on itself or leaves rule options without a value."""
    where = f"{library.origins['profiles', identifier]}: profiles.{identifier}"
    try:
        line = profile_chain(library, identifier, where)
    except InputError as error:
        # A missing base is reported as a dangling reference elsewhere; report only cycles here.
        yield from (problem for problem in error.problems if "builds on itself" in problem.message)
    else:
        yield from missing_options(where, identifier, (entry.options for entry in line), default_profile)
