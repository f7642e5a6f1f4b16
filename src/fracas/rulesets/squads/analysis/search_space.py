"""The search space of a squads side: formation, priorities, the abilities' conditions and targets, line-up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, get_args

from fracas.content.document_edits import free_name
from fracas.content.packs import Library
from fracas.content.references import to_plain
from fracas.rulesets.contract.analysis import Dimension, SideRef, dimension_over
from fracas.rulesets.contract.types import Document
from fracas.rulesets.shared.condition_labels import NEVER, condition_label
from fracas.rulesets.squads.content.library import ABILITY_SLOTS, library_for
from fracas.rulesets.squads.content.models.abilities import HOSTILE_REACHES
from fracas.rulesets.squads.content.models.names import BASIC_ATTACK, Formation
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.rules.constants import CLASS_PRIORITIES, SELECTORS, SURE_PRIORITIES

STRATEGY, LINE_UP = "strategy", "line-up"
# By an ability's reach: the default target, and the others that fit.
TARGETS = {
    "one_enemy": ("priority", SELECTORS[2:7]),
    "one_ally": ("lowest_hp_ally", ("self", "tank_ally", "strongest_ally")),
}
# Conditions worth trying, by the ability's purpose.
AT_ANY_TIME = (NEVER, "self_hp_below_50")
FOR_HURTING = (
    "enemy_count_gte_2",
    "enemy_count_gte_3",
    "enemy_hp_below_50",
    "enemy_hp_below_25",
    "any_enemy_has_buff",
    "any_enemy_charge_gte_80",
    "round_gte_3",
)
FOR_HEALING = ("ally_hp_below_30", "ally_hp_below_50", "ally_hp_below_70", "allies.count(hp_pct < 70) >= 2")
FOR_HELPING = ("no_allies_have_buff", "ally_hp_below_50", "ally_hp_below_75", "enemy_count_gte_3", "round_gte_3")


def dimensions_of(side_ref: SideRef, folders: Sequence[Path]) -> Iterator[Dimension]:
    """All dimensions of a side, over the content of its profile and of these folders."""
    side = side_ref.document["sides"][side_ref.side - 1]
    path = ("sides", str(side_ref.side - 1))
    strategy = side["strategy"]
    formations = list(get_args(Formation))
    yield dimension_over(
        "formation", STRATEGY, (*path, "strategy", "formation"), strategy["formation"], formations, _label
    )
    yield _priorities((*path, "strategy", "targetPriority"), strategy["targetPriority"])
    owned = [BASIC_ATTACK, *(unit[slot] for unit in side["units"] for slot in ABILITY_SLOTS)]
    for name in dict.fromkeys(owned):
        order = strategy["abilities"].get(name, {})
        yield from _orders((*path, "strategy", "abilities", name), side_ref.document["abilities"][name], order)
    yield from _line_up((*path, "units"), side_ref.document, side["units"], folders)


def _label(value: Any) -> str:
    """The label of a value."""
    if isinstance(value, list):
        return ", ".join(value) or "no priority"
    return condition_label(value, VOCABULARY, "default")


def _priorities(path: tuple[str, ...], present: list[str]) -> Dimension:
    """The target priority list: empty, one or two classes before the lowest HP, or another closing selector."""
    classes = list(CLASS_PRIORITIES)
    lists = [[], *([closer] for closer in SURE_PRIORITIES[1:]), *([each] for each in classes)]
    lists += [[each, "highest_threat"] for each in classes]
    lists += [list(pair) for pair in permutations(classes, 2)]
    heard = _heard(present)
    lists = [present if each == heard else each for each in lists]
    return dimension_over("target priority", STRATEGY, path, present, lists, _label)


def _heard(priorities: Sequence[str]) -> list[str]:
    """A priority list without the entries that are never read: those after one that always finds a unit.

    Every list falls back to the lowest HP, so that entry is redundant at its end.
    """
    heard = []
    for entry in dict.fromkeys(priorities):
        heard.append(entry)
        if entry in SURE_PRIORITIES:
            break
    return heard[:-1] if heard[-1:] == ["lowest_hp"] else heard


def _orders(path: tuple[str, ...], ability: Document, order: Mapping[str, Any]) -> Iterator[Dimension]:
    """The dimensions of an ability: its condition (not the basic attack's) and its target (not an area's)."""
    name = ability["name"]
    if ability["id"] != BASIC_ATTACK:
        when = order.get("when")
        yield dimension_over(f"{name}: when", STRATEGY, (*path, "when"), when, _conditions(ability, when), _label)
    usual, others = TARGETS.get(ability["reach"], ("", ()))
    if usual:
        target = order.get("target")
        # A target that does not fit is ignored: the default counts, as it does without a target.
        first = usual if target == usual else None if target in others else target
        yield dimension_over(f"{name}: target", STRATEGY, (*path, "target"), target, [first, *others], _label)


def _conditions(ability: Document, present: Any) -> list[Any]:
    """The conditions worth trying for an ability; "always" is left out unless it heals, for it is the default."""
    heals = any(effect["type"] == "heal" for effect in ability["effects"])
    usual = (None, "always") if heals else (("always",) if present == "always" else (None,))
    if ability["reach"] in HOSTILE_REACHES:
        return [*usual, *AT_ANY_TIME, *FOR_HURTING]
    return [*usual, *AT_ANY_TIME, *(FOR_HEALING if heals else FOR_HELPING)]


# Line-ups.


def _line_up(
    path: tuple[str, ...], document: Document, units: Sequence[Document], folders: Sequence[Path]
) -> Iterator[Dimension]:
    """For each place, all units of the content with the same tier as the one there; none if it has no tier."""
    library = library_for(document["profile"], folders)
    taken = {unit[key] for unit in units for key in ("id", "name")}
    for index, unit in enumerate(units):
        own = _of_content(unit["id"], library)
        tier = library.of("units")[own].tier if own is not None else None
        choices: list[tuple[str, Document, Document]] = [(unit["name"], unit, {})]
        for name, entry in library.of("units").items():
            if tier is not None and entry.tier == tier and name != own:
                fielded = _fielded(to_plain(entry, without=("tier",)), library, index, taken)
                choices.append((entry.name, fielded, _brought(fielded, document, library)))
        if len(choices) > 1:
            labels, values, brings = zip(*choices, strict=True)
            yield Dimension(f"place {index + 1}", LINE_UP, (*path, str(index)), values, labels, 0, brings)


def _of_content(identifier: str, library: Library) -> str | None:
    """The unit of the content that an id such as `scout-2` comes from."""
    bare = re.sub(r"-\d+$", "", identifier)
    return next((name for name in (identifier, bare) if name in library.of("units")), None)


def _fielded(unit: Document, library: Library, index: int, taken: set[str]) -> Document:
    """A unit of the content with its class's abilities, and with an id and a name that no other choice has."""
    defaults = library.of("classes")[unit["class"]]
    slots = {slot: unit.get(slot) or getattr(defaults, slot) for slot in ABILITY_SLOTS}
    own = {key: free_name(f"{unit[key]}-{index + 1}", taken) for key in ("id", "name")}
    taken |= set(own.values())
    return {**unit, **own, **slots}


def _brought(unit: Document, document: Document, library: Library) -> Document:
    """A unit's abilities that the document lacks; the document's own come before the content's."""
    lacking = [unit[slot] for slot in ABILITY_SLOTS if unit[slot] not in document["abilities"]]
    return {"abilities": {name: to_plain(library.of("abilities")[name]) for name in lacking}}
