"""Models of delve content files, queue files and scenarios, and of the resolved battle that is compiled."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, Tag, model_validator

from fracas.content.field_types import Id, Note, ProfileHead, ResolvedHead, ScenarioHead, Seed
from fracas.content.keyed_entries import keys_are_ids
from fracas.content.part_cache import Known
from fracas.content.partial_models import partial
from fracas.content.text_or_list import LIST, TEXT, text_or_list
from fracas.content.validate import Keyed, Model, TextOrTable, printable
from fracas.rulesets.delve.content.models import fields
from fracas.rulesets.delve.content.models.characters import (
    CharacterClass,
    Creature,
    FighterNumbers,
    Hero,
    MemberEntry,
    Party,
    Trainings,
)
from fracas.rulesets.delve.content.models.items import Bonus, Difficulty, ItemTemplate, LootTable, Rarity
from fracas.rulesets.delve.content.models.quests import Enemies, Quest, ResolvedEnemies, ResolvedQuest
from fracas.rulesets.delve.content.models.skills import Queue, ResolvedQueue, ResourceKind, Skill
from fracas.rulesets.delve.content.trained_policies import Policies, ResolvedPolicies
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.options import RuleOptions

Stamp = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(printable)]

Members = Annotated[
    list[TextOrTable[Id, Annotated[MemberEntry, Known()]]], Field(min_length=1, max_length=codes.SIDE_SLOTS)
]

# The kinds of content that a scenario can define itself, by their keys.
OWN_CONTENT = ("skills", "resources", "items", "bonuses", "rarities", "loot_tables")


class ResolvedOptions(RuleOptions, Model):
    """Every rule option with its value."""


@partial()
class Options(RuleOptions, Model):
    """Rule options; absent means the profile's value."""


NO_OPTIONS = Options.model_validate({})


class Profile(ProfileHead):
    """A named set of rule options."""

    options: Options = NO_OPTIONS


class ContentFile(Model):
    """One TOML file of a content pack; all files of a pack's folder are read together."""

    resources: list[ResourceKind] = []
    skills: list[Skill] = []
    classes: list[CharacterClass] = []
    heroes: list[Hero] = []
    parties: list[Party] = []
    creatures: list[Creature] = []
    items: list[ItemTemplate] = []
    bonuses: list[Bonus] = []
    rarities: list[Rarity] = []
    loot_tables: list[LootTable] = []
    difficulties: list[Difficulty] = []
    quests: list[Quest] = []
    profiles: list[Profile] = []


class QueueFile(Model):
    """A queue in a file of its own, with the class and level it is for."""

    class_: Annotated[Id | None, Field(alias="class")] = None
    """The member's class; absent means that costs are not compared with a resource."""
    level: fields.Level = 1
    queue: Queue
    note: Note = ""


class Scenario(ScenarioHead):
    """A delve scenario file: an encounter if it has `enemies`, a run if it has a `quest`."""

    ruleset: Literal["delve"]
    seed: Seed | None = None
    """The seed text; absent means run_id and started_at, else the id."""
    difficulty: TextOrTable[Id, Difficulty] | None = None
    """Absent means normal."""
    options: Options = NO_OPTIONS
    flee_below: fields.Chance | None = None
    """The same as options.flee_below, which it overrides."""
    party: Annotated[Annotated[Id, Tag(TEXT)] | Annotated[Members, Tag(LIST)], text_or_list()]
    """The id of a party, or its members: ids of heroes, or members written here."""
    enemies: Enemies | None = None
    """The enemies of a lone encounter."""
    quest: TextOrTable[Id, Quest] | None = None
    """The quest of a run."""
    policies: Policies | None = None
    """Trained policies of the party and the enemies."""
    run_id: Stamp | None = None
    """Together with started_at the seed text of a run."""
    started_at: Stamp | None = None
    skills: Annotated[dict[Id, Annotated[Skill, Known()]], Keyed(Skill), Known()] = {}
    """The scenario's own skills; they replace the content's with the same id."""
    resources: Annotated[dict[Id, Annotated[ResourceKind, Known()]], Keyed(ResourceKind), Known()] = {}
    items: Annotated[dict[Id, Annotated[ItemTemplate, Known()]], Keyed(ItemTemplate), Known()] = {}
    bonuses: Annotated[dict[Id, Annotated[Bonus, Known()]], Keyed(Bonus), Known()] = {}
    rarities: Annotated[dict[fields.RarityName, Annotated[Rarity, Known()]], Known()] = {}
    loot_tables: Annotated[dict[Id, Annotated[LootTable, Known()]], Keyed(LootTable), Known()] = {}

    @model_validator(mode="after")
    def _is_an_encounter_or_a_run(self) -> Scenario:
        if (self.enemies is None) == (self.quest is None):
            raise ValueError(
                "needs either enemies (an encounter) or a quest (a run)"
                if self.enemies is None
                else "has both enemies and a quest; an encounter has enemies, a run has a quest"
            )
        if self.quest is None and (self.run_id is not None or self.started_at is not None):
            raise ValueError("run_id and started_at belong to a run, which has a quest")
        if (self.run_id is None) != (self.started_at is None):
            given, missing = ("run_id", "started_at") if self.started_at is None else ("started_at", "run_id")
            raise ValueError(f"has {given}, so it needs {missing} too: together they are the seed text")
        return self

    _own_content_goes_by_its_ids = model_validator(mode="after")(keys_are_ids(*OWN_CONTENT))


class ResolvedMember(FighterNumbers):
    """A member of the party with all references resolved: class, level and equipment have become numbers."""

    class_: Annotated[Id | None, Field(alias="class")] = None
    training: Trainings
    queue: ResolvedQueue


class Resolved(ResolvedHead):
    """A battle's complete input: what a replay embeds and the compiler reads."""

    ruleset: Literal["delve"]
    difficulty: Difficulty
    options: ResolvedOptions
    policies: ResolvedPolicies | None = None
    party: Annotated[list[Annotated[ResolvedMember, Known()]], Field(min_length=1, max_length=codes.SIDE_SLOTS)]
    enemies: ResolvedEnemies | None = None
    quest: ResolvedQuest | None = None
    skills: Annotated[dict[Id, Annotated[Skill, Known()]], Field(max_length=codes.MAX_SKILLS), Known()]
    resources: Annotated[dict[Id, Annotated[ResourceKind, Known()]], Known()] = {}
    loot_tables: Annotated[dict[Id, Annotated[LootTable, Known()]], Field(max_length=codes.MAX_TABLES), Known()] = {}
    items: Annotated[dict[Id, Annotated[ItemTemplate, Known()]], Field(max_length=codes.MAX_TEMPLATES), Known()] = {}
    bonuses: Annotated[dict[Id, Annotated[Bonus, Known()]], Field(max_length=codes.MAX_BONUSES), Known()] = {}
    rarities: Annotated[dict[fields.RarityName, Annotated[Rarity, Known()]], Known()] = {}

    @property
    def is_run(self) -> bool:
        """True for a run, false for a lone encounter."""
        return self.quest is not None

    @model_validator(mode="after")
    def _is_an_encounter_or_a_run(self) -> Resolved:
        if (self.enemies is None) == (self.quest is None):
            raise ValueError("needs either enemies or a quest")
        missing = [name for name in codes.RARITIES if name not in self.rarities]
        if self.quest is not None and missing:
            raise ValueError(f"rarities lacks {', '.join(missing)}")
        return self

    _own_content_goes_by_its_ids = model_validator(mode="after")(keys_are_ids(*OWN_CONTENT))
