"""Items, sets, enemies and bosses, as people author them. The seed's item record is one of them, unchanged."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
    model_validator,
)

from fracas.content.validate import Model, printable, shown
from fracas.rulesets.relics.content.effect_models import Flags, Modifiers, Triggers
from fracas.rulesets.relics.content.vocabulary import LONGEST_STATUS_ID, is_own_status
from fracas.rulesets.relics.rules.constants import (
    LARGEST,
    LEAST_ITEM_STAT,
    LEAST_RATE,
    MAX_FOOD,
    MAX_ITEMS,
    MAX_PHASES,
    MAX_TAGS,
    MAX_UPGRADES,
    OWN_STATUSES,
)

BUCKETS = ("weapons", "upgrades", "items", "food")
# What the seed's record says of its buckets is the list of them; an item that repeats it has said nothing.
SEED_BUCKETS = "items|weapons|food|upgrades"

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
ItemId = Annotated[Id, WithJsonSchema({"type": "string", "pattern": "^([a-z]+/)?[a-z0-9][a-z0-9_-]*$"})]
# An id, perhaps with its bucket before it: items/horned_helm.
Reference = Annotated[str, Field(pattern=r"^([a-z]+/)?[a-z0-9][a-z0-9_-]*$", max_length=80)]
BucketName = Literal["weapons", "upgrades", "items", "food"]
TierName = Literal["normal", "golden", "diamond"]
Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(printable)]
Note = Annotated[str, Field(max_length=2000)]
Tags = Annotated[list[Id], Field(max_length=MAX_TAGS)]
ItemStat = Annotated[int, Field(ge=LEAST_ITEM_STAT, le=LARGEST)]
Health = Annotated[int, Field(ge=1, le=LARGEST)]
Rate = Annotated[int, Field(ge=LEAST_ITEM_STAT, le=LARGEST)]
Armor = Annotated[int, Field(ge=0, le=LARGEST)]
Stacks = Annotated[int, Field(ge=0, le=LARGEST)]

# The seed's fighter record has these.
SHORT_STATS = {"hp": "health", "atk": "attack"}


def split_id(identifier: str) -> tuple[str, str]:
    """The bucket that an id begins with, or nothing, and the id without it: items/horned_helm."""
    bucket, slash, rest = identifier.partition("/")
    return (bucket, rest) if slash and bucket in BUCKETS else ("", identifier)


def without_bucket(value: Any) -> Any:
    """The record with the bucket taken out of its id.

    Raises:
        ValueError: id and bucket say different things.
    """
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        return value
    bucket, rest = split_id(value["id"])
    said = None if value.get("bucket") == SEED_BUCKETS else value.get("bucket")
    if bucket and said is not None and said != bucket:
        raise ValueError(f'the id says "{bucket}" and the bucket "{said}"; leave one of them out')
    table = {key: entry for key, entry in value.items() if key != "bucket"}
    return {**table, "id": rest, **({"bucket": said or bucket} if said or bucket else {})}


class ItemStats(Model):
    """What wearing it adds."""

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
    """What a fighter has of its own."""

    model_config = ConfigDict(json_schema_extra=_with_short_names)

    health: Health = 20
    attack: Rate = 1
    armor: Armor = 0
    speed: Rate = 1

    @model_validator(mode="before")
    @classmethod
    def _may_be_short(cls, value: Any) -> Any:
        """Take hp for health and atk for attack, as the seed's fighter record has them."""
        if not isinstance(value, dict):
            return value
        table = dict(value)
        for short, name in SHORT_STATS.items():
            if short in table:
                if name in table:
                    raise ValueError(f"has {short} and {name}, which are the same")
                table[name] = table.pop(short)
                # What is wrong with it is told under the name that was written.
                if not isinstance(table[name], int) or isinstance(table[name], bool):
                    raise ValueError(f"{short}: {shown(table[name])} is not a whole number")
                if name == "health" and table[name] < 1:
                    raise ValueError(f"{short}: {table[name]} is out of range: it must be at least 1")
        return table


class Body(Model):
    """What anything that is worn, or fights, can do."""

    triggers: Triggers = {}
    flags: Flags = []
    modifiers: Modifiers = []


class Item(Body):
    """An item, a weapon, an upgrade or food."""

    id: ItemId
    name: Name | None = None
    """Absent means the id, made readable."""
    bucket: Annotated[BucketName, WithJsonSchema({"enum": [*BUCKETS, SEED_BUCKETS]})] = "items"
    stats: ItemStats = ItemStats()
    tags: Tags = []
    unique: bool = False
    """True if a fighter can wear only one of it."""
    note: Note = ""

    @model_validator(mode="before")
    @classmethod
    def _id_may_name_the_bucket(cls, value: Any) -> Any:
        return without_bucket(value)


def _is_free(name: str) -> str:
    if not is_own_status(name):
        raise ValueError(f"{shown(name)} has a meaning of its own in conditions or ops; a status needs another id")
    return name


StatusId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=LONGEST_STATUS_ID), AfterValidator(_is_free)]


class OwnStatus(Body):
    """A status besides those of the rules: what it does to whoever has stacks of it."""

    id: StatusId
    name: Name | None = None
    """Absent means the id, made readable."""
    note: Note = ""


class ResolvedStatus(Body):
    """A status that a battle's fighters may come to have."""

    id: StatusId
    name: Name


class FighterState(Model):
    """A fighter as it stands: the seed's record. Stats of items are not added to it again."""

    hp: Annotated[int, Field(ge=1, le=LARGEST)]
    hp_max: Annotated[int, Field(ge=1, le=LARGEST)]
    atk: Annotated[int, Field(ge=LEAST_RATE, le=LARGEST)]
    armor: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    speed: Annotated[int, Field(ge=LEAST_RATE, le=LARGEST)] = 1
    freeze: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    thorns: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    poison: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    acid: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    riptide: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    stun: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    regen: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    struck_this_turn: bool = False
    temp_atk: Annotated[int, Field(ge=LEAST_RATE, le=LARGEST)] = 0
    exposed_triggered: bool = False
    wounded_triggered: bool = False
    statuses: Annotated[dict[StatusId, Stacks], Field(max_length=OWN_STATUSES)] = {}
    """Stacks of the content's or the scenario's own statuses, by id."""

    @model_validator(mode="after")
    def _is_not_more_than_full(self) -> FighterState:
        if self.hp > self.hp_max:
            raise ValueError(f"has {self.hp} hp, more than its hp_max of {self.hp_max}")
        return self

    @model_serializer(mode="wrap")
    def _without_no_statuses(self, told: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values: dict[str, Any] = told(self)
        return {key: value for key, value in values.items() if key != "statuses" or value}


class ItemSet(Body):
    """What wearing several pieces of a kind adds."""

    id: Id
    name: Name | None = None
    tag: Id
    """What is counted: weapon, upgrades, items and food with this tag."""
    pieces: Annotated[int, Field(ge=1, le=MAX_ITEMS)]
    """From how many on it holds."""
    stats: ItemStats = ItemStats()
    note: Note = ""


class Phase(Body):
    """What a boss becomes when it falls."""

    name: Name
    stats: FighterStats


class EnemyLevel(Model):
    """How strong an enemy is at a level."""

    stats: FighterStats
    tier: TierName = "normal"
    """What multiplies the numbers of its own effects."""


class Gear(Model):
    """What a fighter wears."""

    weapon: Reference | None = None
    upgrades: Annotated[list[Reference], Field(max_length=MAX_UPGRADES)] = []
    items: Annotated[list[Reference], Field(max_length=MAX_ITEMS)] = []
    food: Annotated[list[Reference], Field(max_length=MAX_FOOD)] = []


class Enemy(Body, Gear):
    """Somebody to fight, in levels."""

    id: Id
    name: Name | None = None
    levels: Annotated[list[EnemyLevel], Field(min_length=1, max_length=9)]
    note: Note = ""


class Boss(Body, Gear):
    """Somebody to fight at the end, perhaps more than once."""

    id: Id
    name: Name | None = None
    stats: FighterStats
    phases: Annotated[list[Phase], Field(max_length=MAX_PHASES - 1)] = []
    """What it becomes, one after the other, each time it falls."""
    note: Note = ""
