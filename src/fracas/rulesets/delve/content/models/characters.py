"""Models of classes, heroes, parties, and creatures with their phases."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from fracas.content.field_types import Id, Name, Note
from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.delve.content.models.skills import (
    Amount,
    Attribute,
    Chance,
    Defense,
    Hp,
    Level,
    Queue,
    Range,
    RarityName,
    ResourceAmount,
    SpeedModifier,
    TierName,
    Training,
)
from fracas.rulesets.delve.rules import constants as codes


class Attributes(Model):
    """All six attributes."""

    might: Attribute
    logic: Attribute
    speed: Attribute
    presence: Attribute
    fortitude: Attribute
    luck: Attribute


class SomeAttributes(Model):
    """Attributes to change; absent means unchanged."""

    might: Attribute | None = None
    logic: Attribute | None = None
    speed: Attribute | None = None
    presence: Attribute | None = None
    fortitude: Attribute | None = None
    luck: Attribute | None = None


class Trainings(Model):
    """The bonus to an attribute for each kind of check."""

    perception: Training = 0
    acrobatics: Training = 0
    athletics: Training = 0
    arcana: Training = 0
    lore: Training = 0
    survival: Training = 0


class SomeTrainings(Model):
    """Trainings to change; absent means unchanged."""

    perception: Training | None = None
    acrobatics: Training | None = None
    athletics: Training | None = None
    arcana: Training | None = None
    lore: Training | None = None
    survival: Training | None = None


class Resource(Model):
    """The resource that pays for a participant's skills."""

    kind: Id
    max: ResourceAmount
    regeneration: ResourceAmount = 0
    """Regained at each round's end."""
    start: Chance | None = None
    """Per cent of the maximum at the start; absent means the kind's value."""


class SomeResource(Model):
    """Parts of a resource to change; absent means unchanged."""

    kind: Id | None = None
    max: ResourceAmount | None = None
    regeneration: ResourceAmount | None = None
    start: Chance | None = None


class ClassNumbers(Model):
    """A class at level 1."""

    hp: Hp
    attributes: Attributes
    resource: ResourceAmount = 0
    """The maximum."""
    regeneration: ResourceAmount = 0
    armor: Defense = 0
    resistance: Defense = 0
    evasion: Defense = 0
    training: Trainings = Trainings()


class AttributeGrowth(Model):
    """The attributes that each level adds."""

    might: Attribute = 0
    logic: Attribute = 0
    speed: Attribute = 0
    presence: Attribute = 0
    fortitude: Attribute = 0
    luck: Attribute = 0


class ClassGrowth(Model):
    """The numbers that each level above the first adds."""

    hp: Amount = 0
    attributes: AttributeGrowth = AttributeGrowth()
    resource: ResourceAmount = 0
    regeneration: ResourceAmount = 0
    armor: Defense = 0
    resistance: Defense = 0
    evasion: Defense = 0
    training: Trainings = Trainings()


class CharacterClass(Model):
    """A class of heroes: numbers, growth, resource and queue."""

    id: Id
    name: Name
    resource: Id
    """The kind of its resource."""
    base: ClassNumbers
    per_level: ClassGrowth = ClassGrowth()
    skills: Annotated[list[Id], Field(max_length=codes.MAX_QUEUE)] = []
    """The trainings at level 1."""
    queue: Queue
    """The default queue of its heroes."""
    note: Note = ""


class EquippedBonus(Model):
    """A bonus of a worn item."""

    bonus: Id
    tier: TierName = "minor"


class EquippedItem(Model):
    """A worn item."""

    template: Id
    rarity: RarityName = "common"
    bonuses: Annotated[list[EquippedBonus], Field(max_length=codes.MAX_ITEM_BONUSES)] = []
    enhancement: Annotated[int, Field(ge=0, le=codes.MAX_ENHANCEMENT)] = 0


Equipment = Annotated[list[TextOrTable[Id, EquippedItem]], Field(max_length=len(codes.SLOT_NAMES) + 1)]


class MemberEntry(Model):
    """A member of a party: a hero of the content with some values changed, or a complete one."""

    id: Id | None = None
    template: Id | None = None
    """The hero that supplies the values left out here."""
    name: Name | None = None
    class_: Annotated[Id | None, Field(alias="class")] = None
    level: Level | None = None
    hp: Hp | None = None
    attributes: SomeAttributes = SomeAttributes()
    resource: SomeResource | None = None
    armor: Defense | None = None
    resistance: Defense | None = None
    evasion: Defense | None = None
    weapon_speed: SpeedModifier | None = None
    weapon: Range | None = None
    """The damage range that skills marked `weapon` add, before items."""
    training: SomeTrainings = SomeTrainings()
    items: Equipment | None = None
    queue: Queue | None = None
    note: Note = ""


class Hero(Model):
    """A ready character: a class at a level, with items and a queue."""

    id: Id
    name: Name
    class_: Annotated[Id, Field(alias="class")]
    level: Level = 1
    hp: Hp | None = None
    attributes: SomeAttributes = SomeAttributes()
    """Numbers that differ from the class, before equipment."""
    training: SomeTrainings = SomeTrainings()
    items: Equipment = []
    queue: Queue | None = None
    """Absent means the class's."""
    note: Note = ""


class Party(Model):
    """A party of heroes."""

    id: Id
    name: Name
    members: Annotated[list[TextOrTable[Id, MemberEntry]], Field(min_length=1, max_length=8)]
    note: Note = ""


class PhaseNumbers(Model):
    """What a boss's phase replaces, except the queue; absent means unchanged."""

    name: Name
    at: Annotated[int, Field(ge=1, le=99)]
    """The per cent of HP at or below which it begins."""
    armor: Defense | None = None
    resistance: Defense | None = None
    evasion: Defense | None = None
    attributes: SomeAttributes = SomeAttributes()
    regeneration: ResourceAmount | None = None


class Phase(PhaseNumbers):
    """A phase of a boss."""

    queue: Queue | None = None


def in_order(phases: list[Any]) -> list[Any]:
    """Validate that the thresholds of phases fall.

    Raises:
        ValueError: a phase begins at the same share of HP as the one before it, or at a higher one.
    """
    for before, after in pairwise(phases):
        if after.at >= before.at:
            message = f'"{after.name}" begins at {after.at}%, not below the {before.at}% of "{before.name}"'
            raise ValueError(f"phases are out of order: {message}")
    return phases


Phases = Annotated[list[Phase], Field(max_length=codes.MAX_PHASES), AfterValidator(in_order)]


class Creature(Model):
    """A creature that parties fight."""

    id: Id
    name: Name
    level: Level
    hp: Hp
    attributes: Attributes
    resource: Resource | None = None
    armor: Defense = 0
    resistance: Defense = 0
    evasion: Defense = 0
    weapon_speed: SpeedModifier = 0
    weapon: Range = Range(min=0, max=0)
    """The damage range that skills marked `weapon` add."""
    queue: Queue
    boss: bool = False
    phases: Phases = []
    xp_reward: Amount = 0
    loot_table_id: Id | None = None
    note: Note = ""

    @model_validator(mode="after")
    def _phases_belong_to_bosses(self) -> Creature:
        if self.phases and not self.boss:
            raise ValueError("has phases, which only a boss can have; say boss = true")
        return self


class CreatureEntry(Model):
    """An enemy: a creature of the content with some values changed, or a complete one."""

    id: Id | None = None
    template: Id | None = None
    """The creature that supplies the values left out here."""
    name: Name | None = None
    level: Level | None = None
    hp: Hp | None = None
    attributes: SomeAttributes = SomeAttributes()
    resource: SomeResource | None = None
    armor: Defense | None = None
    resistance: Defense | None = None
    evasion: Defense | None = None
    weapon_speed: SpeedModifier | None = None
    weapon: Range | None = None
    queue: Queue | None = None
    boss: bool | None = None
    phases: Phases | None = None
    xp_reward: Amount | None = None
    loot_table_id: Id | None = None
    note: Note = ""
