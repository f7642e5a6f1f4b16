"""Writes a world as the text of a TOML file that you can edit and play on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fracas.rulesets.contract.types import Document

# A unit's keys in the order of the file.
UNIT_KEYS = ("type", "id", "name", "attack", "defence", "damage", "health", "current", "initiative", "moves")


def world_text(world: Document) -> str:
    """A resolved world as the text of a TOML file."""
    return "\n".join(_lines(world)) + "\n"


def _lines(world: Document) -> Iterator[str]:
    yield f"revision = {world['revision']}"
    yield ""
    yield "[map]"
    yield from (f"{key} = {_value(world['map'][key])}" for key in ("kind", "width", "height"))
    yield ""
    yield "[factions]"
    for name, faction in world["factions"].items():
        yield f"{name} = {_table({key: value for key, value in faction.items() if value})}"
    if world["tiles"]:
        yield ""
        yield "[tiles]"
        yield from (f'"{key}" = {_table(entry)}' for key, entry in world["tiles"].items())
    for stack in world["stacks"]:
        yield ""
        yield "[[stacks]]"
        yield from (f"{key} = {_value(stack[key])}" for key in ("id", "name", "owner", "at"))
        yield "units = ["
        for unit in stack["units"]:
            yield f"    {_table({key: unit[key] for key in UNIT_KEYS if key in unit})},"
        yield "]"


def _table(entries: Mapping[str, Any]) -> str:
    inner = ", ".join(f"{key} = {_value(value)}" for key, value in entries.items())
    return f"{{ {inner} }}" if inner else "{}"


def _value(value: Any) -> str:
    """A text, a number or a list of these; JSON spells them as TOML does."""
    if isinstance(value, list):
        return f"[{', '.join(_value(each) for each in value)}]"
    return json.dumps(value, ensure_ascii=False)
