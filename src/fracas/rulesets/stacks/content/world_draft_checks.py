"""What is wrong with a world some of whose parts are not sound: the sound ones are held against each other.

So whoever wrote nine units into a stack learns in the same breath that two stacks share a tile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from fracas.content.references import list_of, table_of
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.rulesets.stacks.content.world_checks import world_problems
from fracas.rulesets.stacks.content.world_models import Faction, Map, Stack, TileEntry
from fracas.rulesets.stacks.rules.constants import LARGEST_MAP

Part = TypeVar("Part", bound=BaseModel)

_STACK = re.compile(r"stacks\.(\d+)\b")
# It stands in the place of a map that is not sound: nothing is off it.
ANY_MAP = Map(width=LARGEST_MAP, height=LARGEST_MAP)


def draft_problems(document: Mapping[str, Any], where: str) -> Iterator[Problem]:
    """What the sound parts of a written world show to be wrong; the others are for the models to judge."""
    factions = {
        str(name): _sound(Faction, faction) or Faction() for name, faction in table_of(document.get("factions")).items()
    }
    entries = {
        key: entry
        for key, value in table_of(document.get("tiles")).items()
        if re.fullmatch(r"\d{1,3},\d{1,3}", str(key)) and (entry := _sound(TileEntry, value)) is not None
    }
    written = [_sound_stack(value) for value in list_of(document.get("stacks"))]
    # What is not sound keeps its number, and nobody stands on its tile.
    stacks = [
        stack or Stack.model_construct(id=f"?{number}", owner="?", at=[-1, number], units=[])
        for number, stack in enumerate(written)
    ]
    if not factions:
        # Nobody has said who there is, so whoever is named may be.
        owners = {entry.owner for entry in entries.values()} | {stack.owner for stack in stacks}
        factions = {owner: Faction() for owner in owners if owner is not None}
    lengths = {key: table_of(document.get("map")).get(key) for key in ("width", "height")}
    tiles = _sound(Map, lengths) or ANY_MAP
    for problem in world_problems(tiles, factions, entries, stacks, where):
        number = _STACK.search(problem.where.removeprefix(where))
        if number is None or written[int(number[1])] is not None:
            yield problem


def _sound_stack(value: Any) -> Stack | None:
    """A stack as far as its id, its owner and its tile go."""
    return _sound(Stack, {**{key: table_of(value).get(key) for key in ("id", "owner", "at")}, "units": ["nobody"]})


def _sound(model: type[Part], value: Any) -> Part | None:
    try:
        return validate(model, dict(table_of(value)), "")
    except InputError:
        return None
