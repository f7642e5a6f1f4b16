"""Models of item templates, bonuses, rarities, loot tables and difficulties."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from fracas.content.field_types import Id, Name, Note
from fracas.content.validate import Model
from fracas.rulesets.delve.content.models import fields
from fracas.rulesets.delve.rules import constants as codes


class SignatureBonus(Model):
    """A bonus of every item of a template that is rare or better."""

    stat: fields.BonusStat
    amount: fields.BonusAmount


class ItemTemplate(Model):
    """A template for items."""

    id: Id
    name: Name
    slot: fields.SlotName
    damage: fields.Range | None = None
    """The weapon's damage range; main hand only."""
    armor: fields.Defense = 0
    resistance: fields.Defense = 0
    evasion: fields.Defense = 0
    speed: fields.SpeedModifier = 0
    """The weapon speed modifier, lower acts sooner; main hand only."""
    signature: Annotated[list[SignatureBonus], Field(max_length=codes.MAX_ITEM_BONUSES)] = []
    note: Note = ""

    @model_validator(mode="after")
    def _weapons_are_held(self) -> ItemTemplate:
        if self.slot != "main_hand" and (self.damage is not None or self.speed):
            raise ValueError("damage and speed belong to items for the main hand")
        return self


class Bonus(Model):
    """A bonus that items may roll."""

    id: Id
    name: Name
    stat: fields.BonusStat
    amounts: Annotated[list[fields.BonusAmount], Field(min_length=len(codes.TIERS), max_length=len(codes.TIERS))]
    """For minor, standard, major and grand."""
    slots: list[fields.SlotName] = []
    """The slots of items that may have it; absent means all."""
    weight: fields.Weight = 1
    note: Note = ""


class TierWeights(Model):
    """The weight of each potency tier."""

    minor: fields.Weight = 0
    standard: fields.Weight = 0
    major: fields.Weight = 0
    grand: fields.Weight = 0


class Rarity(Model):
    """The number of bonuses of a rarity's items, and the weights of their tiers."""

    id: fields.RarityName
    bonuses: Annotated[int, Field(ge=0, le=codes.MAX_ITEM_BONUSES)]
    tiers: TierWeights = TierWeights()
    note: Note = ""

    @model_validator(mode="after")
    def _some_tier_is_likely(self) -> Rarity:
        if self.bonuses and not any(getattr(self.tiers, tier) for tier in codes.TIERS):
            raise ValueError("has bonuses, so at least one tier weight must be above 0")
        return self


class LootRow(Model):
    """One line of a loot table."""

    template: Id
    weight: fields.Weight
    rarity_weights: dict[fields.RarityName, fields.Weight]

    @model_validator(mode="after")
    def _some_rarity_is_likely(self) -> LootRow:
        if not any(self.rarity_weights.values()):
            raise ValueError("all rarity weights are 0")
        return self


class LootTable(Model):
    """A loot table: the items that may be found."""

    id: Id
    rows: Annotated[list[LootRow], Field(min_length=1, max_length=codes.MAX_TABLE_ROWS)]
    note: Note = ""

    @model_validator(mode="after")
    def _some_row_is_likely(self) -> LootTable:
        if not any(row.weight for row in self.rows):
            raise ValueError("all weights are 0, so nothing can ever be picked")
        return self


class Difficulty(Model):
    """A difficulty level."""

    id: Id
    name: Name
    creature_hp: fields.Percent = 100
    """Per cent of creatures' HP."""
    creature_damage: fields.Percent = 100
    """Per cent of the damage that creatures deal."""
    check: Annotated[int, Field(ge=-codes.LARGEST_MODIFIER, le=codes.LARGEST_MODIFIER)] = 0
    """Added to the difficulty of every check."""
    loot_chance: fields.Chance = 50
    """Per cent of each roll for loot."""
    rarity: dict[fields.RarityName, fields.Percent] = {}
    """Per cent of the tables' rarity weights; absent means 100."""
    xp: fields.Percent = 100
    """Per cent of experience."""
    note: Note = ""
