"""One side of a delve document, taken out so that it can meet another: a party, enemies or a quest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from fracas.content.document_edits import bring_along, check_known
from fracas.content.field_types import Id
from fracas.content.validate import Model
from fracas.errors import InputError
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.fights import skills_in_use
from fracas.rulesets.delve.content.models.quests import ResolvedEnemies
from fracas.rulesets.delve.content.models.scenario import ResolvedMember
from fracas.rulesets.delve.content.models.skills import Queue, ResourceKind, Skill
from fracas.rulesets.delve.rules.constants import SIDE_SLOTS, TRAININGS

ENEMIES, QUEST = "enemies", "quest"
OF_A_MEMBER = ("class", "training")
OF_AN_ENEMY = ("boss", "phases", "xp_reward", "loot_table_id")
# The parts of a document that a quest needs besides itself.
OF_A_QUEST = ("rarities", "loot_tables", "items", "bonuses")
TABLES = ("skills", "resources")
# A difficulty changes creatures only, not a party that fights as enemies.
UNCHANGED = {"creature_hp": 100, "creature_damage": 100}


class DelveSide(Model):
    """The part `party`: the fighters, with the skills and resources that they use."""

    members: Annotated[list[ResolvedMember], Field(min_length=1, max_length=SIDE_SLOTS)] | ResolvedEnemies
    skills: dict[Id, Skill]
    resources: dict[Id, ResourceKind]

    @model_validator(mode="after")
    def _has_what_they_use(self) -> DelveSide:
        check_known(skills_in_use(self.members), self.skills, "skill")
        paid = [skill.resource for skill in self.skills.values()]
        paid += [member.resource.kind for member in self.members if member.resource is not None]
        check_known([kind for kind in paid if kind is not None], self.resources, "resource")
        return self


class Queues(Model):
    """The part `queues`: each member's queue by id, with the skills and resources of those queues."""

    queues: dict[Id, Queue]
    skills: dict[Id, Skill] = Field(default_factory=dict)
    resources: dict[Id, ResourceKind] = Field(default_factory=dict)


def company_of(side_ref: SideRef) -> Document:
    """The fighters of a side, with the skills and resources that they use.

    Raises:
        InputError: the side is the quest of a run.
    """
    if side_ref.side == 2 and QUEST in side_ref.document:
        message = "side 2 of a run is its quest, not a party"
        raise InputError.of(str(side_ref.document["id"]), message, "use side 1, or the enemies of a lone fight")
    members = side_ref.document["party" if side_ref.side == 1 else ENEMIES]
    return {"members": members, **used_of(members, side_ref.document)}


def as_party(company: Mapping[str, Any]) -> list[Document]:
    """The fighters of a company as party members; former enemies have no trainings.

    Raises:
        InputError: one of them is a boss with phases, which members cannot have.
    """
    for member in company["members"]:
        if member.get("phases"):
            message = "is a boss with phases, which party members cannot have"
            raise InputError.of(str(member["name"]), message, "use it as side 2")
    return [
        {"training": dict.fromkeys(TRAININGS, 0), **{key: member[key] for key in member if key not in OF_AN_ENEMY}}
        for member in company["members"]
    ]


def as_enemies(company: Mapping[str, Any]) -> list[Document]:
    """The fighters of a company as enemies; former party members give no XP."""
    return [
        {"boss": False, "phases": [], "xp_reward": 0, **{key: each[key] for key in each if key not in OF_A_MEMBER}}
        for each in company["members"]
    ]


def opposition_of(side_ref: SideRef) -> Document:
    """A side as opposition to a party: enemies or a quest with their difficulty, or a party as enemies."""
    document = side_ref.document
    if side_ref.side == 2 and QUEST in document:
        return {key: document[key] for key in (QUEST, "difficulty", *OF_A_QUEST, *TABLES) if key in document}
    return opponents_of(company_of(side_ref), document["difficulty"])


def opponents_of(company: Mapping[str, Any], difficulty: Document) -> Document:
    """A company as enemies of a lone fight; the difficulty applies to creatures only."""
    are_creatures = all("training" not in member for member in company["members"])
    tables = {key: company[key] for key in TABLES}
    settled = difficulty if are_creatures else {**difficulty, **UNCHANGED}
    return {ENEMIES: as_enemies(company), "difficulty": settled, **tables}


def against(document: Document, party: Mapping[str, Any], opposition: Mapping[str, Any]) -> Document:
    """A document with a company as the party against an opposition, under this document's options.

    If the opposition has a different skill under the same id, that skill gets a new id. Resources of the same kind are
    shared, since each fighter states its own amounts.
    """
    members = as_party(party)
    own = used_of(members, party)
    theirs = {key: opposition[key] for key in (ENEMIES, QUEST) if key in opposition}
    names, skills = bring_along(opposition["skills"], own["skills"], _skills_of(_tables_in(theirs)))
    tables = {"skills": {**skills, **own["skills"]}, "resources": {**opposition["resources"], **own["resources"]}}
    kept = {key: value for key, value in document.items() if key not in (ENEMIES, QUEST, *OF_A_QUEST, *TABLES)}
    settled = {**kept, **opposition, **_renamed(theirs, names), "party": members}
    return {**settled, **used_of([members, {key: settled[key] for key in theirs}], tables)}


def used_of(here: Any, tables: Mapping[str, Any]) -> Document:
    """The skills of all queues, and the resources that they or their users name, in order of first appearance."""
    found = _tables_in(here)
    skills = {name: tables["skills"][name] for name in _skills_of(found)}
    kinds = [*_kinds_of(found), *(skill["resource"] for skill in skills.values() if "resource" in skill)]
    return {"skills": skills, "resources": {kind: tables["resources"][kind] for kind in dict.fromkeys(kinds)}}


def _tables_in(here: Any) -> list[Document]:
    """Every table of a part of a document, the outer ones first."""
    found: list[Document] = []
    _collect(here, found)
    return found


def _collect(here: Any, found: list[Document]) -> None:
    if isinstance(here, dict):
        found.append(here)
        here = here.values()
    for each in here:
        if isinstance(each, dict | list):
            _collect(each, found)


def _skills_of(found: Iterable[Document]) -> dict[str, None]:
    return dict.fromkeys(table["skill"] for table in found if isinstance(table.get("skill"), str))


def _kinds_of(found: Iterable[Document]) -> list[str]:
    resources = (table.get("resource") for table in found)
    return [resource["kind"] for resource in resources if isinstance(resource, dict)]


def _renamed(here: Any, names: Mapping[str, str]) -> Any:
    """A copy with renamed skills in all queues."""
    if isinstance(here, list):
        return [_renamed(each, names) for each in here]
    if not isinstance(here, dict):
        return here
    if isinstance(here.get("skill"), str):
        return {**here, "skill": names.get(here["skill"], here["skill"])}
    return {key: _renamed(value, names) for key, value in here.items()}
