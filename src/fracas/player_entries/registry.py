"""The kinds of entries by ruleset."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from fracas.player_entries.kind import EntryKind
from fracas.rulesets import registry


@cache
def entry_kind(ruleset: str) -> EntryKind:
    """The kind of entries of a ruleset.

    Raises:
        InputError: there is no such ruleset.
    """
    name = registry.shipped(ruleset, "RULESET").name
    kind: EntryKind = getattr(import_module(f"fracas.player_entries.{name}"), f"{name.title()}Entries")()
    return kind


def entry_json_schema(ruleset: str) -> dict[str, Any]:
    """The JSON Schema of the entries of a ruleset, as `fracas content schema RULESET entry` prints it.

    Raises:
        InputError: there is no such ruleset.
    """
    return entry_kind(ruleset).model.model_json_schema(by_alias=True)
