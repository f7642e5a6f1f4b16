"""Models of relics fighters and builds, as written and resolved."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    field_validator,
    model_serializer,
    model_validator,
)

from fracas.content.field_types import Id, Name, Note
from fracas.content.part_cache import Known
from fracas.content.validate import Model, TextOrTable
from fracas.errors.suggestions import listed
from fracas.rulesets.relics.content.models.items import (
    Body,
    BucketName,
    FighterState,
    FighterStats,
    ItemStats,
    Phase,
    Reference,
    Tags,
    TierName,
    without_bucket,
)
from fracas.rulesets.relics.content.places import worn_in
from fracas.rulesets.relics.rules import constants as codes

Slot = Annotated[int, Field(ge=1, le=codes.MAX_ITEMS)]
Code = Annotated[str, Field(min_length=1, max_length=400)]


class Worn(Body):
    """A piece of a build: an item by its id with changes to it, or an item defined in place."""

    id: Annotated[Id, WithJsonSchema({"type": "string", "pattern": "^([a-z]+/)?[a-z0-9][a-z0-9_-]*$"})]
    tier: TierName = "normal"
    slot: Slot | None = None
    """Its place among the items, from 1; absent means the next free one."""
    name: Name | None = None
    bucket: BucketName | None = None
    stats: ItemStats | None = None
    tags: Tags | None = None
    unique: bool | None = None
    note: Note = ""

    @model_validator(mode="before")
    @classmethod
    def _id_may_name_the_bucket(cls, value: Any) -> Any:
        return without_bucket(value)

    @property
    def is_written_out(self) -> bool:
        """True if it defines anything itself, so that its id need not exist in the content."""
        return bool(self.model_fields_set - {"id", "tier", "slot", "note"})

    @property
    def is_whole(self) -> bool:
        """True if it sets every field of an item, as resolved pieces do, so that the content's item adds nothing."""
        return {"name", "stats", "tags", "unique", *Body.model_fields} <= self.model_fields_set


# Keys that only a fighter record has.
RECORD_MARKS = {"hp", "hp_max", "atk"}

Piece = TextOrTable[Reference, Annotated[Worn, Known()]]


def one_weapon(value: Any) -> Any:
    """Pass a weapon through.

    Raises:
        ValueError: the value is a list.
    """
    if isinstance(value, list):
        raise ValueError(f"has {len(value)} weapons; a fighter wears one: write it without brackets")
    return value


def with_free_slots(build: Any) -> Any:
    """Validate that no two items of a build share a slot and that only items have slots.

    Raises:
        ValueError: they do.
    """
    slots = [piece.slot for piece in build.items if isinstance(piece, Worn) and piece.slot is not None]
    twice = sorted({slot for slot in slots if slots.count(slot) > 1})
    if twice:
        raise ValueError(f"has two items in slot {listed([str(slot) for slot in twice], 'and')}")
    for key in ("weapon", "upgrades", "food"):
        for piece in worn_in(build, key):
            if isinstance(piece, Worn) and piece.slot is not None:
                raise ValueError(f"{key}: only items have slots")
    return build


OF_ITS_OWN = ("tier", "stats", "state", "triggers", "flags", "modifiers", "phases", "sets")


class ResolvedSet(Body):
    """A set whose bonus applies."""

    id: Id
    name: Name
    stats: ItemStats = ItemStats()


KnownSet = Annotated[ResolvedSet, Known()]


def _with_record_fields(schema: dict[str, Any]) -> None:
    """Let editors accept a fighter record's fields beside the others."""
    fields = FighterState.model_json_schema()["properties"]
    schema["properties"] |= {name: field for name, field in fields.items() if name not in schema["properties"]}


class Fighter(Body):
    """One side: a build, an enemy or a boss. A fighter record's fields may be given here or in `state`."""

    model_config = ConfigDict(json_schema_extra=_with_record_fields)

    name: Name | None = None
    tier: TierName = "normal"
    """The tier that multiplies its own triggers, flags and modifiers."""
    stats: FighterStats | None = None
    """Stats without items; absent means 20 health, 1 attack, 0 armor, 1 speed."""
    state: FighterState | None = None
    """Current values, in place of stats."""
    weapon: Piece | None = None
    upgrades: Annotated[list[Piece], Field(max_length=codes.MAX_UPGRADES)] = []
    items: Annotated[list[Piece], Field(max_length=codes.MAX_ITEMS)] = []
    food: Annotated[list[Piece], Field(max_length=codes.MAX_FOOD)] = []
    enemy: Id | None = None
    level: Annotated[int, Field(ge=1, le=9)] | None = None
    """The enemy's level; absent means 1."""
    boss: Id | None = None
    code: Code | None = None
    """A share code, in place of weapon, upgrades, items and food."""
    phases: Annotated[list[Phase], Field(max_length=codes.MAX_PHASES - 1)] = []
    """What it becomes each time it falls, in order."""
    sets: Annotated[list[KnownSet], Field(max_length=codes.MAX_SETS)] = []
    """Set bonuses that replace the content's of the same id; other sets apply by the pieces worn."""

    @model_validator(mode="before")
    @classmethod
    def _record_is_the_state(cls, value: Any) -> Any:
        """Move the fields of the seed's fighter record into `state`."""
        if not isinstance(value, dict) or "state" in value or not RECORD_MARKS & value.keys():
            return value
        state = {key: value[key] for key in FighterState.model_fields if key in value}
        return {**{key: each for key, each in value.items() if key not in state}, "state": state}

    _is_one_weapon = field_validator("weapon", mode="before")(one_weapon)

    @model_validator(mode="after")
    def _is_one_thing(self) -> Fighter:
        build = [key for key in ("weapon", "upgrades", "items", "food") if getattr(self, key)]
        kinds = [key for key in ("enemy", "boss", "code") if getattr(self, key) is not None]
        if len(kinds) > 1 or (kinds and build):
            raise ValueError(f"has {listed([*kinds, *build], 'and')}; use only one of enemy, boss, code and a build")
        if self.level is not None and self.enemy is None:
            raise ValueError("has a level, but only an enemy has levels")
        if kinds and kinds[0] != "code":
            own = [key for key in OF_ITS_OWN if key in self.model_fields_set]
            if own:
                raise ValueError(f"takes its {kinds[0]} from the content, so it cannot set {listed(own, 'and')}")
        if self.stats is not None and self.state is not None:
            raise ValueError("has stats and state; use only one")
        return self

    _slots_are_free = model_validator(mode="after")(with_free_slots)


class BuildFile(Model):
    """A build file."""

    name: Name | None = None
    weapon: Piece | None = None
    upgrades: Annotated[list[Piece], Field(max_length=codes.MAX_UPGRADES)] = []
    items: Annotated[list[Piece], Field(max_length=codes.MAX_ITEMS)] = []
    food: Annotated[list[Piece], Field(max_length=codes.MAX_FOOD)] = []

    _is_one_weapon = field_validator("weapon", mode="before")(one_weapon)
    _slots_are_free = model_validator(mode="after")(with_free_slots)


class ResolvedPiece(Body):
    """A piece with every field filled in; its tier is not applied yet."""

    id: Id
    name: Name
    tier: TierName = "normal"
    stats: ItemStats = ItemStats()
    tags: Tags = []
    unique: bool = False


KnownPiece = Annotated[ResolvedPiece, Known()]


class ResolvedFighter(Body):
    """A fighter with nothing left to look up; its own triggers, flags and modifiers are its trait."""

    name: Name
    tier: TierName = "normal"
    """The tier that multiplies its trait."""
    stats: FighterStats = FighterStats()
    """Absent if there is a state."""
    state: FighterState | None = None
    weapon: KnownPiece | None = None
    upgrades: Annotated[list[KnownPiece], Field(max_length=codes.MAX_UPGRADES)] = []
    items: Annotated[list[KnownPiece], Field(max_length=codes.MAX_ITEMS)] = []
    food: Annotated[list[KnownPiece], Field(max_length=codes.MAX_FOOD)] = []
    sets: Annotated[list[KnownSet], Field(max_length=codes.MAX_SETS)] = []
    phases: Annotated[list[Phase], Field(max_length=codes.MAX_PHASES - 1)] = []

    @model_serializer(mode="wrap")
    def _without_stats_beside_a_state(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values: dict[str, Any] = serialize(self)
        is_redundant = self.state is not None and "stats" not in self.model_fields_set
        return {key: value for key, value in values.items() if key != "stats" or not is_redundant}
