"""Detect a file's ruleset and its kind: content, strategy, world or campaign."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from fracas.errors import InputError
from fracas.errors.suggestions import nearest, visible
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document

# How similar a key must be to `ruleset` to be a misspelt one: `rules` is a key of content.
LIKENESS_OF_RULESET = 0.85


def _is_campaign(document: Document) -> bool:
    """Whether a document is a campaign of an installed ruleset."""
    from fracas.rulesets import registry

    name = document.get("ruleset")
    return name in registry.NAMES and registry.get(str(name)).is_campaign(document)


def part_of(document: Document, file: Path) -> tuple[Ruleset, str]:
    """Detect by its keys which ruleset a file without a `ruleset` key belongs to, as `content` or `strategy`.

    Raises:
        InputError: its keys match neither, or `ruleset` is misspelt.
    """
    from fracas.rulesets import registry

    if not document:
        raise InputError.of(str(file), "is empty")
    misspelt = next((key for key in document if nearest(key, ["ruleset"], likeness=LIKENESS_OF_RULESET)), None)
    if misspelt is not None:
        raise InputError.of(f"{file}: {visible(misspelt)}", "there is no such key here", 'did you mean "ruleset"?')
    choices = [(registry.get(name), kind) for name in registry.loaded() for kind in ("content", "strategy")]
    ruleset, kind = max(choices, key=lambda choice: _count_matching_keys(document, *choice))
    if not any(_count_matching_keys(document, ruleset, kind)):
        known = {key for choice in choices for key in _keys(*choice)}
        hints = (nearest(key, sorted(known)) for key in document)
        hint = next(filter(None, hints), 'a scenario says ruleset = "squads"')
        raise InputError.of(str(file), "is not a scenario, content, strategy, world or replay file", hint)
    return ruleset, kind


def pack_ruleset(folder: Path) -> Ruleset:
    """Detect the ruleset whose content a folder holds. Unreadable files are reported later, by that ruleset.

    Raises:
        InputError: the folder holds scenarios, or no content of any ruleset.
    """
    from fracas.files.read import read_document
    from fracas.rulesets import registry

    document: Document = {}
    for file in folder.glob("*.toml"):
        with suppress(InputError):
            document |= read_document(file)
    if "ruleset" in document:
        raise InputError.of(str(folder), "contains scenarios, not content", f"name the files: {folder / '*.toml'}")
    return part_of(document, folder)[0] if document else registry.get(registry.NAMES[0])


def _count_matching_keys(document: Document, ruleset: Ruleset, kind: str) -> tuple[int, int]:
    """Count the matching keys, at the top and in all. Both are needed: rulesets share some names of content kinds.

    Content consists of lists of entries. Other tables and lists of names do not count.
    """
    given = {key: value for key, value in document.items() if kind != "content" or _may_be_entries(value)}
    model = getattr(ruleset.models, kind)
    return len(_keys(ruleset, kind) & set(given)), _fitting([model], given)


def _may_be_entries(value: Any) -> bool:
    return isinstance(value, list) and not (value and all(isinstance(each, str) for each in value))


def _fitting(models: Sequence[type[Any]], value: Any) -> int:
    """Count the keys in a value, at any depth, that one of the models has."""
    from fracas.content.validate import models_in

    if isinstance(value, list):
        return sum(_fitting(models, each) for each in value)
    fields = {name: field for model in models for name, field in _fields(model).items()}
    known = [key for key in value if key in fields] if isinstance(value, dict) else []
    return len(known) + sum(_fitting(models_in(fields[key].annotation), value[key]) for key in known)


def _keys(ruleset: Ruleset, kind: str) -> set[str]:
    return set(_fields(getattr(ruleset.models, kind)))


def _fields(model: type[Any]) -> dict[str, Any]:
    """A model's fields by name and by alias."""
    return {name: field for key, field in model.model_fields.items() for name in (key, field.alias) if name}
