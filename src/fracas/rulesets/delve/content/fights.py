"""Lists the fights of a resolved battle in roster order, and its queues, skills and loot tables.

delve/README.md, "Event rows", defines the order.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fracas.rulesets.delve.content.models import quests
from fracas.rulesets.delve.content.models.scenario import Resolved, ResolvedMember
from fracas.rulesets.delve.content.models.skills import QueueSlot


@dataclass(frozen=True)
class Fight:
    """The enemies of a combat or an ambush, with their path in the document and their encounter's number."""

    path: str
    encounter: int
    enemies: Sequence[quests.ResolvedCreature]
    table: str | None = None
    """The loot table for this fight; none in a lone encounter."""


def fights(resolved: Resolved) -> Iterator[Fight]:
    """Every possible fight."""
    if resolved.enemies is not None:
        yield Fight("enemies", 0, resolved.enemies)
    if resolved.quest is not None:
        for number, encounter in enumerate(resolved.quest.encounters):
            yield from _fights_of(resolved.quest, number, encounter)


def _fights_of(quest: quests.ResolvedQuest, number: int, encounter: quests.ResolvedEncounter) -> Iterator[Fight]:
    path = f"quest.encounters.{number}"
    if isinstance(encounter, quests.ResolvedCombat):
        table = table_after(quest, encounter, encounter.enemies)
        yield Fight(f"{path}.enemies", number, encounter.enemies, table)
    for below, consequence in consequences(encounter):
        if consequence.ambush is not None:
            table = table_after(quest, encounter, consequence.ambush)
            yield Fight(f"{path}.{below}.ambush", number, consequence.ambush, table)


def consequences(encounter: Any) -> Iterator[tuple[str, Any]]:
    """The possible consequences of an encounter, written or resolved, each with its path in it."""
    options = enumerate(getattr(encounter, "options", ()))
    for lead, way in (("", encounter), *((f"options.{place}.", option) for place, option in options)):
        for key in ("success", "failure"):
            if getattr(way, key, None) is not None:
                yield f"{lead}{key}", getattr(way, key)


def table_after(
    quest: quests.ResolvedQuest, encounter: quests.ResolvedEncounter, enemies: Sequence[quests.ResolvedCreature] = ()
) -> str:
    """The loot table of an encounter in which these enemies were fought."""
    bosses = [enemy for enemy in enemies if enemy.boss]
    named = [encounter.loot_table_id, *(enemy.loot_table_id for enemy in (*bosses[:1], *enemies[:1]))]
    return next((name for name in named if name is not None), quest.loot_table_id)


def tables_in_use(quest: quests.ResolvedQuest) -> Iterator[tuple[str, str]]:
    """The loot tables of a quest with the path of each: its own, its chest's, then the encounters'."""
    yield "quest.loot_table_id", quest.loot_table_id
    if quest.chest_table_id is not None:
        yield "quest.chest_table_id", quest.chest_table_id
    for number, encounter in enumerate(quest.encounters):
        path = f"quest.encounters.{number}"
        if encounter.type != "combat":
            yield f"{path}.loot_table_id", table_after(quest, encounter)
        for fight in _fights_of(quest, number, encounter):
            where = f"{path}.loot_table_id" if encounter.loot_table_id else fight.path
            yield where, table_after(quest, encounter, fight.enemies)


def queues(participant: ResolvedMember | quests.ResolvedCreature) -> Iterator[tuple[str, Sequence[QueueSlot]]]:
    """A participant's queue and those of its phases, each with its path."""
    yield "queue", participant.queue
    for index, phase in enumerate(getattr(participant, "phases", ())):
        if phase.queue is not None:
            yield f"phases.{index}.queue", phase.queue


def skills_in_use(participants: Iterable[ResolvedMember | quests.ResolvedCreature]) -> list[str]:
    """The skills of all queues, by id."""
    return sorted({slot.skill for each in participants for _, queue in queues(each) for slot in queue})


def numbered_skills(skills: Iterable[str], of_the_party: Container[str]) -> list[str]:
    """Skills in the order of their numbers: those of the party's queues by id, then the others by id.

    Results count only the party's skills, so these have the lowest numbers.
    """
    return sorted(skills, key=lambda name: (name not in of_the_party, name))


def everybody(resolved: Resolved) -> Iterator[ResolvedMember | quests.ResolvedCreature]:
    """The party, then all enemies in roster order."""
    yield from resolved.party
    for fight in fights(resolved):
        yield from fight.enemies
