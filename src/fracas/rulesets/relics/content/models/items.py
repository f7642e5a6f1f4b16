"""Models of items, sets, enemies and bosses. The seed's item record is a valid item as it is."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
    model_validator,
)

from fracas.content.field_types import DrawnLook, Id, Name, Note
from fracas.content.validate import Model, shown
from fracas.content.word_types import OneOf
from fracas.rulesets.relics.content.models.effects import Flags, Modifiers, Triggers
from fracas.rulesets.relics.content.places import BUCKETS
from fracas.rulesets.relics.content.vocabulary import LONGEST_STATUS_ID, is_own_status
from fracas.rulesets.relics.rules import constants as codes

# The seed's record lists all buckets here; an item that repeats the list names none.
SEED_BUCKETS = "items|weapons|food|upgrades"

ItemId = Annotated[Id, WithJsonSchema({"type": "string", "pattern": "^([a-z]+/)?[a-z0-9][a-z0-9_-]*$"})]
# An id, optionally with its bucket: items/horned_helm.
Reference = Annotated[str, Field(pattern=r"^([a-z]+/)?[a-z0-9][a-z0-9_-]*$", max_length=80)]
BucketName = Annotated[str, OneOf(tuple(BUCKETS))]
TierName = Annotated[str, OneOf(codes.TIERS)]
Tags = Annotated[list[Id], Field(max_length=codes.MAX_TAGS)]
ItemStat = Annotated[int, Field(ge=codes.LEAST_ITEM_STAT, le=codes.LARGEST)]
Health = Annotated[int, Field(ge=1, le=codes.LARGEST)]
Rate = Annotated[int, Field(ge=codes.LEAST_ITEM_STAT, le=codes.LARGEST)]
Armor = Annotated[int, Field(ge=0, le=codes.LARGEST)]
Stacks = Annotated[int, Field(ge=0, le=codes.LARGEST)]

# The seed's fighter record has these.
SHORT_STATS = {"hp": "health", "atk": "attack"}


def split_id(identifier: str) -> tuple[str, str]:
    """Split an id such as items/horned_helm into its bucket (empty if absent) and the rest."""
    bucket, slash, rest = identifier.partition("/")
    return (bucket, rest) if slash and bucket in BUCKETS else ("", identifier)


def without_bucket(value: Any) -> Any:
    """Move the bucket from the id to its own key.

    Raises:
        ValueError: id and bucket disagree.
    """
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        return value
    bucket, rest = split_id(value["id"])
    given = None if value.get("bucket") == SEED_BUCKETS else value.get("bucket")
    if bucket and given is not None and given != bucket:
        raise ValueError(f'the id names the bucket "{bucket}", but bucket is "{given}"; leave one out')
    table = {key: entry for key, entry in value.items() if key != "bucket"}
    return {**table, "id": rest, **({"bucket": given or bucket} if given or bucket else {})}


class ItemStats(Model):
    """Stats that a piece adds."""

    attack: ItemStat = 0
    armor: ItemStat = 0
    speed: ItemStat = 0
    health: ItemStat = 0


def _with_short_names(schema: dict[str, Any]) -> None:
    """Let editors accept the short names of stats as well."""
    properties = schema["properties"]
    for short, name in SHORT_STATS.items():
        properties[short] = {**properties[name], "description": f"the same as {name}"}


class FighterStats(Model):
    """A fighter's own stats."""

    model_config = ConfigDict(json_schema_extra=_with_short_names)

    health: Health = 20
    attack: Rate = 1
    armor: Armor = 0
    speed: Rate = 1

    @model_validator(mode="before")
    @classmethod
    def _may_be_short(cls, value: Any) -> Any:
        """Accept hp for health and atk for attack, as in the seed's fighter record."""
        if not isinstance(value, dict):
            return value
        table = dict(value)
        for short, name in SHORT_STATS.items():
            if short in table:
                if name in table:
                    raise ValueError(f"has {short} and {name}, which mean the same; leave one out")
                table[name] = table.pop(short)
                # Report problems under the name that was written.
                if not isinstance(table[name], int) or isinstance(table[name], bool):
                    raise ValueError(f"{short}: {shown(table[name])} is not a whole number")
                if name == "health" and table[name] < 1:
                    raise ValueError(f"{short}: {table[name]} is out of range: it must be at least 1")
        return table


class Body(Model):
    """What a piece or a fighter does: triggers, flags and modifiers."""

    triggers: Triggers = {}
    flags: Flags = []
    modifiers: Modifiers = []


class Item(Body):
    """An item, a weapon, an upgrade or food."""

    id: ItemId
    name: Name | None = None
    """Absent means the id in title case."""
    bucket: Annotated[BucketName, WithJsonSchema({"enum": [*BUCKETS, SEED_BUCKETS]})] = "items"
    stats: ItemStats = ItemStats()
    tags: Tags = []
    unique: bool = False
    """True if a fighter can wear only one."""
    note: Note = ""

    @model_validator(mode="before")
    @classmethod
    def _id_may_name_the_bucket(cls, value: Any) -> Any:
        return without_bucket(value)


def _is_free(name: str) -> str:
    if not is_own_status(name):
        raise ValueError(f"{shown(name)} already has a meaning in conditions or ops; choose another id for the status")
    return name


StatusId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=LONGEST_STATUS_ID), AfterValidator(_is_free)]


class OwnStatus(Body):
    """A status that content declares: what it does to a fighter with stacks of it."""

    id: StatusId
    name: Name | None = None
    """Absent means the id in title case."""
    note: Note = ""


class ResolvedStatus(Body):
    """An own status that a battle can involve."""

    id: StatusId
    name: Name


class FighterState(Model):
    """A fighter's current values: the seed's record. Stats of items are not added again."""

    hp: Annotated[int, Field(ge=1, le=codes.LARGEST)]
    hp_max: Annotated[int, Field(ge=1, le=codes.LARGEST)]
    atk: Annotated[int, Field(ge=codes.LEAST_RATE, le=codes.LARGEST)]
    armor: Annotated[int, Field(ge=0, le=codes.LARGEST)] = 0
    speed: Annotated[int, Field(ge=codes.LEAST_RATE, le=codes.LARGEST)] = 1
    freeze: Annotated[int, Field(ge=0, le=codes.LARGEST)] = 0
    thorns: Annotated[int, Field(ge=0, le=codes.LARGEST)] = 0
    poison: Annotated[int, Field(ge=0, le=codes.LARGEST)] = 0
    acid: Annotated[int, Field(ge=0, le=codes.LARGEST)] = 0
    riptide: Annotated[int, Field(ge=0, le=codes.LARGEST)] = 0
    stun: Annotated[int, Field(ge=0, le=codes.LARGEST)] = 0
    regen: Annotated[int, Field(ge=0, le=codes.LARGEST)] = 0
    struck_this_turn: bool = False
    temp_atk: Annotated[int, Field(ge=codes.LEAST_RATE, le=codes.LARGEST)] = 0
    exposed_triggered: bool = False
    wounded_triggered: bool = False
    statuses: Annotated[dict[StatusId, Stacks], Field(max_length=codes.OWN_STATUSES)] = {}
    """Stacks of the content's or the scenario's own statuses, by id."""

    @model_validator(mode="after")
    def _is_not_more_than_full(self) -> FighterState:
        if self.hp > self.hp_max:
            raise ValueError(f"has {self.hp} hp, more than its hp_max of {self.hp_max}")
        return self

    @model_serializer(mode="wrap")
    def _without_empty_statuses(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values: dict[str, Any] = serialize(self)
        return {key: value for key, value in values.items() if key != "statuses" or value}


class ItemSet(Body):
    """A bonus for wearing several pieces with a tag."""

    id: Id
    name: Name | None = None
    tag: Id
    """The tag to count among weapon, upgrades, items and food."""
    pieces: Annotated[int, Field(ge=1, le=codes.MAX_ITEMS)]
    """The number of pieces from which it applies."""
    stats: ItemStats = ItemStats()
    note: Note = ""


class Phase(Body):
    """What a boss becomes when it falls."""

    name: Name
    stats: FighterStats


class EnemyLevel(Model):
    """An enemy's strength at one level."""

    stats: FighterStats
    tier: TierName = "normal"
    """The tier that multiplies the numbers of its own effects."""


class Gear(Model):
    """The pieces that an enemy or a boss wears, by id."""

    weapon: Reference | None = None
    upgrades: Annotated[list[Reference], Field(max_length=codes.MAX_UPGRADES)] = []
    items: Annotated[list[Reference], Field(max_length=codes.MAX_ITEMS)] = []
    food: Annotated[list[Reference], Field(max_length=codes.MAX_FOOD)] = []


class Enemy(Body, Gear):
    """An enemy with one or more levels."""

    id: Id
    name: Name | None = None
    levels: Annotated[list[EnemyLevel], Field(min_length=1, max_length=9)]
    note: Note = ""
    look: DrawnLook = None


class Boss(Body, Gear):
    """A boss, optionally with several phases."""

    id: Id
    name: Name | None = None
    stats: FighterStats
    phases: Annotated[list[Phase], Field(max_length=codes.MAX_PHASES - 1)] = []
    """What it becomes each time it falls, in order."""
    note: Note = ""
    look: DrawnLook = None
