"""Models of classes, heroes, parties, and creatures with their phases."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from fracas.content.field_types import DrawnLook, Id, Name, Note
from fracas.content.partial_models import partial
from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.delve.content.models import fields
from fracas.rulesets.delve.content.models.skills import Queue
from fracas.rulesets.delve.rules import constants as codes


class Attributes(Model):
    """All six attributes."""

    might: fields.Attribute
    logic: fields.Attribute
    speed: fields.Attribute
    presence: fields.Attribute
    fortitude: fields.Attribute
    luck: fields.Attribute


@partial()
class SomeAttributes(Attributes):
    """Attributes to change; absent means unchanged."""


@partial(otherwise=0)
class AttributeGrowth(Attributes):
    """The attributes that each level adds."""


class TrainingBonuses(Model):
    """The bonus to an attribute for each kind of check."""

    perception: fields.Training
    acrobatics: fields.Training
    athletics: fields.Training
    arcana: fields.Training
    lore: fields.Training
    survival: fields.Training


@partial(otherwise=0)
class Trainings(TrainingBonuses):
    """The bonus to an attribute for each kind of check."""


@partial()
class SomeTrainings(TrainingBonuses):
    """Trainings to change; absent means unchanged."""


SAME_ATTRIBUTES, NO_GROWTH = SomeAttributes.model_validate({}), AttributeGrowth.model_validate({})
SAME_TRAININGS, NO_TRAININGS = SomeTrainings.model_validate({}), Trainings.model_validate({})


class Resource(Model):
    """The resource that pays for a participant's skills."""

    kind: Id
    max: fields.ResourceAmount
    regeneration: fields.ResourceAmount = 0
    """Regained at each round's end."""
    start: fields.Chance | None = None
    """Per cent of the maximum at the start; absent means the kind's value."""


class SomeResource(Model):
    """Parts of a resource to change; absent means unchanged."""

    kind: Id | None = None
    max: fields.ResourceAmount | None = None
    regeneration: fields.ResourceAmount | None = None
    start: fields.Chance | None = None


class ClassNumbers(Model):
    """A class at level 1."""

    hp: fields.Hp
    attributes: Attributes
    resource: fields.ResourceAmount = 0
    """The maximum."""
    regeneration: fields.ResourceAmount = 0
    armor: fields.Defense = 0
    resistance: fields.Defense = 0
    evasion: fields.Defense = 0
    training: Trainings = NO_TRAININGS


class ClassGrowth(Model):
    """The numbers that each level above the first adds."""

    hp: fields.Amount = 0
    attributes: AttributeGrowth = NO_GROWTH
    resource: fields.ResourceAmount = 0
    regeneration: fields.ResourceAmount = 0
    armor: fields.Defense = 0
    resistance: fields.Defense = 0
    evasion: fields.Defense = 0
    training: Trainings = NO_TRAININGS


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
    tier: fields.TierName = "minor"


class EquippedItem(Model):
    """A worn item."""

    template: Id
    rarity: fields.RarityName = "common"
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
    level: fields.Level | None = None
    hp: fields.Hp | None = None
    attributes: SomeAttributes = SAME_ATTRIBUTES
    resource: SomeResource | None = None
    armor: fields.Defense | None = None
    resistance: fields.Defense | None = None
    evasion: fields.Defense | None = None
    weapon_speed: fields.SpeedModifier | None = None
    weapon: fields.Range | None = None
    """The damage range that skills marked `weapon` add, before items."""
    training: SomeTrainings = SAME_TRAININGS
    items: Equipment | None = None
    queue: Queue | None = None
    note: Note = ""
    look: DrawnLook = None


class Hero(Model):
    """A ready character: a class at a level, with items and a queue."""

    id: Id
    name: Name
    class_: Annotated[Id, Field(alias="class")]
    level: fields.Level = 1
    hp: fields.Hp | None = None
    attributes: SomeAttributes = SAME_ATTRIBUTES
    """Numbers that differ from the class, before equipment."""
    training: SomeTrainings = SAME_TRAININGS
    items: Equipment = []
    queue: Queue | None = None
    """Absent means the class's."""
    note: Note = ""
    look: DrawnLook = None


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
    armor: fields.Defense | None = None
    resistance: fields.Defense | None = None
    evasion: fields.Defense | None = None
    attributes: SomeAttributes = SAME_ATTRIBUTES
    regeneration: fields.ResourceAmount | None = None


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


class FighterNumbers(Model):
    """What creatures and members have when everything about them is known."""

    id: Id
    name: Name
    level: fields.Level
    hp: fields.Hp
    attributes: Attributes
    resource: Resource | None = None
    armor: fields.Defense
    resistance: fields.Defense
    evasion: fields.Defense
    weapon_speed: fields.SpeedModifier
    weapon: fields.Range


def phases_of_a_boss(creature: Any) -> Any:
    """Validate that only a boss has phases.

    Raises:
        ValueError: another creature has.
    """
    if creature.phases and not creature.boss:
        raise ValueError("has phases, which only a boss can have; say boss = true")
    return creature


class Creature(FighterNumbers):
    """A creature that parties fight."""

    armor: fields.Defense = 0
    resistance: fields.Defense = 0
    evasion: fields.Defense = 0
    weapon_speed: fields.SpeedModifier = 0
    weapon: fields.Range = fields.Range(min=0, max=0)
    """The damage range that skills marked `weapon` add."""
    queue: Queue
    boss: bool = False
    phases: Phases = []
    xp_reward: fields.Amount = 0
    loot_table_id: Id | None = None
    note: Note = ""
    look: DrawnLook = None

    _phases_belong_to_bosses = model_validator(mode="after")(phases_of_a_boss)


class CreatureEntry(Model):
    """An enemy: a creature of the content with some values changed, or a complete one."""

    id: Id | None = None
    template: Id | None = None
    """The creature that supplies the values left out here."""
    name: Name | None = None
    level: fields.Level | None = None
    hp: fields.Hp | None = None
    attributes: SomeAttributes = SAME_ATTRIBUTES
    resource: SomeResource | None = None
    armor: fields.Defense | None = None
    resistance: fields.Defense | None = None
    evasion: fields.Defense | None = None
    weapon_speed: fields.SpeedModifier | None = None
    weapon: fields.Range | None = None
    queue: Queue | None = None
    boss: bool | None = None
    phases: Phases | None = None
    xp_reward: fields.Amount | None = None
    loot_table_id: Id | None = None
    note: Note = ""
    look: DrawnLook = None
