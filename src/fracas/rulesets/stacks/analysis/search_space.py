"""The search space of an army: in each place, another unit type of the same group.

Players decide nothing during a battle: every unit takes the move with the highest value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fracas.content.document_edits import free_name
from fracas.content.references import to_plain
from fracas.rulesets.contract.analysis import Dimension, SideRef
from fracas.rulesets.contract.types import Document
from fracas.rulesets.stacks.content.library import library_for
from fracas.rulesets.stacks.content.world_models import UnitType

ARMY = "army"


def dimensions_of(
    side_ref: SideRef, units: Sequence[tuple[int, int, Document]], folders: Sequence[Path]
) -> Iterator[Dimension]:
    """All dimensions of an army: one for each unit of a content type whose group has other types."""
    types: Mapping[str, UnitType] = library_for(None, folders).of("types")
    for number, place, unit in units:
        stack = side_ref.document["stacks"][number]
        own = _type_of(unit, types)
        if own is None or types[own].group is None:
            continue
        taken = {each[key] for each in stack["units"] for key in ("id", "name")}
        others = [entry for name, entry in types.items() if entry.group == types[own].group and name != own]
        if others:
            values = [unit, *(_fielded(entry, place, taken) for entry in others)]
            labels = [unit["name"], *(entry.name for entry in others)]
            path = ("stacks", str(number), "units", str(place))
            yield Dimension(f"{stack['name']}, place {place + 1}", ARMY, path, values, labels, 0)


def _type_of(unit: Document, types: Mapping[str, UnitType]) -> str | None:
    """The unit type of the content that an id such as `archer-2` comes from."""
    names = (unit.get("type"), unit["id"], re.sub(r"-\d+$", "", unit["id"]))
    return next((name for name in names if name in types), None)


def _fielded(entry: UnitType, index: int, taken: set[str]) -> Document:
    """A unit of a type, with an id and a name that no other choice in its stack has."""
    values = to_plain(entry, without=("group",))
    own = {key: free_name(f"{values[key]}-{index + 1}", taken) for key in ("id", "name")}
    return {**own, "type": entry.id, **{key: each for key, each in values.items() if key not in ("id", "name")}}
