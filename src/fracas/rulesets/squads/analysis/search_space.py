"""What a side of squads could decide otherwise: formation, priorities, abilities' conditions and targets, line-up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, get_args

from fracas.conditions import parse, to_text
from fracas.content.document_edits import free_name
from fracas.content.packs import Library
from fracas.content.references import to_plain
from fracas.rulesets.contract.analysis import Dimension, SideRef, dimension_over
from fracas.rulesets.contract.types import Document
from fracas.rulesets.squads.content.library import ABILITY_SLOTS, library_for
from fracas.rulesets.squads.content.models.abilities import HOSTILE_REACHES
from fracas.rulesets.squads.content.models.names import BASIC_ATTACK, Formation
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.rules.constants import CLASS_PRIORITIES, SELECTORS

STRATEGY, LINE_UP = "strategy", "line-up"
NEVER = "not always"
# An entry of a priority list that finds somebody always; what stands behind it is never read.
CLOSERS = ("lowest_hp", "highest_hp", "highest_threat", "fastest")
# By an ability's reach: the target that counts if none is named, and the others that fit.
TARGETS = {
    "one_enemy": ("priority", SELECTORS[2:7]),
    "one_ally": ("lowest_hp_ally", ("self", "tank_ally", "strongest_ally")),
}
# Conditions worth trying, by what an ability is for.
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


def knobs_of(seat: SideRef, folders: Sequence[Path]) -> Iterator[Dimension]:
    """Everything that a side could decide otherwise, over the content of a profile and these folders."""
    side = seat.document["sides"][seat.side - 1]
    path = ("sides", str(seat.side - 1))
    strategy = side["strategy"]
    formations = list(get_args(Formation))
    yield dimension_over(
        "formation", STRATEGY, (*path, "strategy", "formation"), strategy["formation"], formations, _told
    )
    yield _priorities((*path, "strategy", "targetPriority"), strategy["targetPriority"])
    owned = [BASIC_ATTACK, *(unit[slot] for unit in side["units"] for slot in ABILITY_SLOTS)]
    for name in dict.fromkeys(owned):
        order = strategy["abilities"].get(name, {})
        yield from _orders((*path, "strategy", "abilities", name), seat.document["abilities"][name], order)
    yield from _line_up((*path, "units"), seat.document, side["units"], folders)


def _told(value: Any) -> str:
    """What a value is called."""
    if value is None:
        return "nothing said"
    if isinstance(value, list):
        return ", ".join(value) or "nobody in particular"
    if value == NEVER:
        return "never"
    return value if isinstance(value, str) else to_text(parse(value, VOCABULARY, where="").tree)


def _priorities(path: tuple[str, ...], present: list[str]) -> Dimension:
    """The whole list: nobody, one class or two before whoever has the fewest HP, and the other ways to find one."""
    classes = list(CLASS_PRIORITIES)
    lists = [[], *([closer] for closer in CLOSERS[1:]), *([each] for each in classes)]
    lists += [[each, "highest_threat"] for each in classes]
    lists += [list(pair) for pair in permutations(classes, 2)]
    heard = _heard(present)
    lists = [present if each == heard else each for each in lists]
    return dimension_over("target priority", STRATEGY, path, present, lists, _told)


def _heard(priorities: Sequence[str]) -> list[str]:
    """A priority list without what is never read: nothing follows an entry that always finds somebody.

    A list ends with whoever has the fewest HP, so that an entry which says so at the end says nothing.
    """
    heard = []
    for entry in dict.fromkeys(priorities):
        heard.append(entry)
        if entry in CLOSERS:
            break
    return heard[:-1] if heard[-1:] == ["lowest_hp"] else heard


def _orders(path: tuple[str, ...], ability: Document, order: Mapping[str, Any]) -> Iterator[Dimension]:
    """When an ability is used, and on whom; the basic attack is always there, and areas are not aimed."""
    name = ability["name"]
    if ability["id"] != BASIC_ATTACK:
        when = order.get("when")
        yield dimension_over(f"{name}: when", STRATEGY, (*path, "when"), when, _conditions(ability, when), _told)
    usual, others = TARGETS.get(ability["reach"], ("", ()))
    if usual:
        target = order.get("target")
        # A target that does not fit is not heard: the usual one counts, as it does without any.
        first = usual if target == usual else None if target in others else target
        yield dimension_over(f"{name}: target", STRATEGY, (*path, "target"), target, [first, *others], _told)


def _conditions(ability: Document, present: Any) -> list[Any]:
    """Conditions for an ability. Without one it is used whenever it is ready, unless it heals: no need to say so."""
    heals = any(effect["type"] == "heal" for effect in ability["effects"])
    usual = (None, "always") if heals else (("always",) if present == "always" else (None,))
    if ability["reach"] in HOSTILE_REACHES:
        return [*usual, *AT_ANY_TIME, *FOR_HURTING]
    return [*usual, *AT_ANY_TIME, *(FOR_HEALING if heals else FOR_HELPING)]


# Line-ups.


def _line_up(
    path: tuple[str, ...], document: Document, units: Sequence[Document], folders: Sequence[Path]
) -> Iterator[Dimension]:
    """In each place any unit of the content that has the tier of the one there; a unit without a tier has no equals."""
    library = library_for(document["profile"], folders)
    taken = {unit[key] for unit in units for key in ("id", "name")}
    for place, unit in enumerate(units):
        own = _of_content(unit["id"], library)
        tier = library.of("units")[own].tier if own is not None else None
        choices: list[tuple[str, Document, Document]] = [(unit["name"], unit, {})]
        for name, entry in library.of("units").items():
            if tier is not None and entry.tier == tier and name != own:
                fielded = _fielded(to_plain(entry, without=("tier",)), library, place, taken)
                choices.append((entry.name, fielded, _brought(fielded, document, library)))
        if len(choices) > 1:
            labels, values, brings = zip(*choices, strict=True)
            yield Dimension(f"place {place + 1}", LINE_UP, (*path, str(place)), values, labels, 0, brings)


def _of_content(identifier: str, library: Library) -> str | None:
    """The unit of the content that a unit was made of; a number behind its id may tell it from others."""
    bare = re.sub(r"-\d+$", "", identifier)
    return next((name for name in (identifier, bare) if name in library.of("units")), None)


def _fielded(unit: Document, library: Library, place: int, taken: set[str]) -> Document:
    """A unit of the content with its class's abilities, and an id and a name that no other choice has."""
    defaults = library.of("classes")[unit["class"]]
    slots = {slot: unit.get(slot) or getattr(defaults, slot) for slot in ABILITY_SLOTS}
    own = {key: free_name(f"{unit[key]}-{place + 1}", taken) for key in ("id", "name")}
    taken |= set(own.values())
    return {**unit, **own, **slots}


def _brought(unit: Document, document: Document, library: Library) -> Document:
    """The abilities of a unit that a document does not hold; its own count before the content's."""
    lacking = [unit[slot] for slot in ABILITY_SLOTS if unit[slot] not in document["abilities"]]
    return {"abilities": {name: to_plain(library.of("abilities")[name]) for name in lacking}}
