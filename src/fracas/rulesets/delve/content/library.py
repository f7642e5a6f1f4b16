"""Finds unknown names in delve content and scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.content.catalogue import Catalogue, unresolved_references
from fracas.content.packs import Library
from fracas.content.references import Reference, list_of, mention, table_of
from fracas.errors import Problem
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.models.scenario import OWN_CONTENT, ContentFile

DEFAULT_PROFILE = "seed"
DEFAULT_DIFFICULTY = "normal"
# The word for an entry of each kind in messages.
TITLES = {
    "resources": "resource",
    "skills": "skill",
    "classes": "class",
    "heroes": "hero",
    "parties": "party",
    "creatures": "creature",
    "items": "item",
    "bonuses": "bonus",
    "rarities": "rarity",
    "loot_tables": "loot table",
    "difficulties": "difficulty",
    "quests": "quest",
    "profiles": "profile",
}

CATALOGUE = Catalogue("delve", ContentFile, DEFAULT_PROFILE)
library_for = CATALOGUE.library_for
library_around = CATALOGUE.library_around


def entry_mentions(kind: str, entry: Mapping[Any, Any]) -> Iterator[Reference]:
    """The names that an entry of the content, or a table of the same shape, refers to."""
    match kind:
        case "skills":
            yield from _mention("resource", "resources", entry.get("resource"))
        case "classes":
            yield from _mention("resource", "resources", entry.get("resource"))
            yield from _each("skills", "skills", entry.get("skills"))
            yield from _queue("queue", entry.get("queue"))
        case "heroes":
            yield from member_mentions("", entry)
        case "creatures":
            yield from creature_mentions("", entry)
            yield from _mention("loot_table_id", "loot_tables", entry.get("loot_table_id"))
        case "parties":
            yield from members_mentions("members", entry.get("members"))
        case "loot_tables":
            for place, row in enumerate(list_of(entry.get("rows"))):
                yield from _mention(f"rows.{place}.template", "items", table_of(row).get("template"))
        case "quests":
            yield from quest_mentions("", entry)
        case "profiles":
            yield from _mention("base", "profiles", entry.get("base"))


def unknown_names(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """The unknown names in a scenario, even if it has other problems."""
    known = {kind: {**library.of(kind), **table_of(document.get(kind))} for kind in TITLES}
    yield from unresolved_references(_scenario_mentions(document), known, f"{where}: ")


def _scenario_mentions(document: Document) -> Iterator[Reference]:
    yield from _mention("difficulty", "difficulties", document.get("difficulty"))
    yield from _mention("quest", "quests", document.get("quest"))
    yield from _mention("party", "parties", document.get("party"))
    yield from members_mentions("party", document.get("party"))
    yield from creatures_mentions("enemies", document.get("enemies"))
    yield from quest_mentions("quest.", table_of(document.get("quest")))
    for kind in OWN_CONTENT:
        for key, entry in table_of(document.get(kind)).items():
            for found in entry_mentions(kind, table_of(entry)):
                yield found._replace(path=f"{kind}.{key}.{found.path}")


def members_mentions(path: str, members: Any) -> Iterator[Reference]:
    """The names that the members of a party refer to."""
    for place, member in enumerate(list_of(members)):
        yield from _mention(f"{path}.{place}", "heroes", member)
        yield from member_mentions(f"{path}.{place}.", table_of(member))


def member_mentions(path: str, member: Mapping[Any, Any]) -> Iterator[Reference]:
    """The names that a hero, or a member written as a table, refers to; `path` is their prefix."""
    yield from _mention(f"{path}template", "heroes", member.get("template"))
    yield from _mention(f"{path}class", "classes", member.get("class"))
    yield from _mention(f"{path}resource.kind", "resources", table_of(member.get("resource")).get("kind"))
    yield from _queue(f"{path}queue", member.get("queue"))
    for place, item in enumerate(list_of(member.get("items"))):
        yield from _mention(f"{path}items.{place}", "items", item)
        yield from _mention(f"{path}items.{place}.template", "items", table_of(item).get("template"))
        for number, bonus in enumerate(list_of(table_of(item).get("bonuses"))):
            yield from _mention(f"{path}items.{place}.bonuses.{number}.bonus", "bonuses", table_of(bonus).get("bonus"))


def creatures_mentions(path: str, creatures: Any) -> Iterator[Reference]:
    """The names that the enemies of a fight refer to."""
    for place, creature in enumerate(list_of(creatures)):
        yield from _mention(f"{path}.{place}", "creatures", creature)
        yield from creature_mentions(f"{path}.{place}.", table_of(creature))


def creature_mentions(path: str, creature: Mapping[Any, Any]) -> Iterator[Reference]:
    """The names that a creature refers to, except its loot table, which not every battle uses."""
    yield from _mention(f"{path}template", "creatures", creature.get("template"))
    yield from _mention(f"{path}resource.kind", "resources", table_of(creature.get("resource")).get("kind"))
    yield from _queue(f"{path}queue", creature.get("queue"))
    for place, phase in enumerate(list_of(creature.get("phases"))):
        yield from _queue(f"{path}phases.{place}.queue", table_of(phase).get("queue"))


def quest_mentions(path: str, quest: Mapping[Any, Any]) -> Iterator[Reference]:
    """The names that a quest refers to; `path` is their prefix."""
    for key in ("loot_table_id", "chest_table_id"):
        yield from _mention(f"{path}{key}", "loot_tables", quest.get(key))
    for place, each in enumerate(list_of(quest.get("encounters"))):
        encounter, below = table_of(each), f"{path}encounters.{place}."
        yield from _mention(f"{below}loot_table_id", "loot_tables", encounter.get("loot_table_id"))
        yield from creatures_mentions(f"{below}enemies", encounter.get("enemies"))
        yield from _consequences(below, encounter)
        for number, option in enumerate(list_of(encounter.get("options"))):
            yield from _consequences(f"{below}options.{number}.", table_of(option))


def _consequences(path: str, entry: Mapping[Any, Any]) -> Iterator[Reference]:
    for key in ("success", "failure"):
        yield from creatures_mentions(f"{path}{key}.ambush", table_of(entry.get(key)).get("ambush"))


def _queue(path: str, queue: Any) -> Iterator[Reference]:
    for place, slot in enumerate(list_of(queue)):
        yield from _mention(f"{path}.{place}", "skills", slot)
        yield from _mention(f"{path}.{place}.skill", "skills", table_of(slot).get("skill"))


def _each(path: str, kind: str, names: Any) -> Iterator[Reference]:
    for place, name in enumerate(list_of(names)):
        yield from _mention(f"{path}.{place}", kind, name)


def _mention(path: str, kind: str, value: Any) -> Iterator[Reference]:
    return mention(path, kind, TITLES[kind], value)
