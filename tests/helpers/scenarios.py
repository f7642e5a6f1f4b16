"""Small scenarios to load, break and play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.helpers.guards import ROOT

import fracas
from fracas.errors import InputError, Problem

EXAMPLES = ROOT / "examples" / "squads"
# An example of each ruleset: of delve a whole run, or one fight.
STANDARD = {
    "squads": "standard-5v5",
    "delve": "standard-run",
    "stacks": "first-attack",
    "relics": "first-duel",
    "titans": "standard",
}
STANDARD_FIGHTS = STANDARD | {"delve": "standard-4v4"}

SCENARIO = """\
ruleset = "squads"
id = "two-by-one"

[[sides]]
name = "Red"
units = ["scout", { id = "kael", class = "mage", hp = 90, attack = 35, defense = 10, speed = 15 }]

[sides.strategy]
formation = "aggressive"
targetPriority = ["healers", "lowest_hp"]

[sides.strategy.abilities]
Fireball = { when = "enemy_count_gte_2", target = "priority" }

[[sides]]
units = ["bronze_knight"]
"""


def edited(*changes: tuple[str, str], text: str = SCENARIO) -> str:
    """A text with fragments replaced, each of which must stand in it exactly once."""
    for fragment, replacement in changes:
        assert text.count(fragment) == 1, f"{fragment!r} stands {text.count(fragment)} times"
        text = text.replace(fragment, replacement)
    return text


def attempt(call: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Any, tuple[Problem, ...]]:
    """What a call returns, and what it refuses, which must be by InputError."""
    try:
        return call(*arguments, **options), ()
    except InputError as error:
        problems = error.problems
    assert problems
    return None, problems


def problems_of(call: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Problem, ...]:
    """What a call refuses; nothing if it accepts."""
    return attempt(call, *arguments, **options)[1]


def events_of(battle: fracas.Battle, kind: str, **values: Any) -> list[Any]:
    """A battle's events of a kind that have these values."""
    found = [event for event in battle.events if kind == event.NAME]
    return [event for event in found if all(getattr(event, name) == value for name, value in values.items())]


def written(folder: Path, text: str | bytes, name: str = "battle.toml") -> Path:
    """A file with the text."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def fighter(identifier: str = "kael", **values: Any) -> dict[str, Any]:
    """A unit with nothing to look up."""
    numbers = {"class": "mage", "hp": 60, "attack": 20, "defense": 4, "speed": 9}
    return {"id": identifier, **numbers, **values}


def duel(**values: Any) -> dict[str, Any]:
    """Two units that only strike: the quickest battle with luck in it."""
    never = {"when": "not always"}
    strategy = {"abilities": {"fireball": never, "falling_sky": never}}
    sides = [{"units": [fighter(name)], "strategy": strategy} for name in ("kael", "mira")]
    return {"ruleset": "squads", "id": "duel", "sides": sides, **values}


def loaded(document: Mapping[str, Any] | None = None, **options: Any) -> fracas.Scenario:
    """A loaded scenario, the duel unless another is given."""
    return fracas.load(duel() if document is None else document, **options)
