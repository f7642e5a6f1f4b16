"""The kinds of entries by ruleset."""

from __future__ import annotations

from typing import Any

from fracas.rulesets import registry
from fracas.rulesets.contract.player_entries import EntryKind


def entry_kind(ruleset: str) -> EntryKind:
    """The kind of entries of a ruleset or a game.

    Raises:
        InputError: there is no such ruleset.
    """
    found = registry.get(ruleset, "RULESET")
    return found.required(found.player_entries, "entries for leagues", "RULESET")


def entry_json_schema(ruleset: str) -> dict[str, Any]:
    """The JSON Schema of the entries of a ruleset, as `fracas content schema RULESET entry` prints it.

    Raises:
        InputError: there is no such ruleset.
    """
    return entry_kind(ruleset).model.model_json_schema(by_alias=True)
