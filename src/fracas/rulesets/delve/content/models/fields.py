"""The types of fields that the models of delve share."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from fracas.content.condition_model import WrittenCondition
from fracas.content.validate import Model, printable
from fracas.content.word_types import OneOf
from fracas.rulesets.delve.rules import constants as codes

Prose = Annotated[str, Field(max_length=400), AfterValidator(printable)]

AttributeName = Annotated[str, OneOf(codes.ATTRIBUTES)]
CheckName = Annotated[str, OneOf((*codes.ATTRIBUTES, *codes.TRAININGS))]
Reach = Annotated[str, OneOf(codes.REACHES)]
Element = Annotated[str, OneOf(codes.ELEMENTS)]
Selector = Annotated[str, OneOf(codes.SELECTORS)]
ConditionName = Annotated[str, OneOf(codes.CONDITIONS)]
SlotName = Annotated[str, OneOf(codes.SLOT_NAMES)]
RarityName = Annotated[str, OneOf(codes.RARITIES)]
TierName = Annotated[str, OneOf(codes.TIERS)]
BonusStat = Annotated[str, OneOf(tuple(dict.fromkeys((*codes.ATTRIBUTES, *codes.TRAININGS, *codes.BONUS_STATS))))]

Attribute = Annotated[int, Field(ge=0, le=codes.LARGEST_ATTRIBUTE)]
Training = Annotated[int, Field(ge=0, le=codes.LARGEST_TRAINING)]
Level = Annotated[int, Field(ge=1, le=codes.LARGEST_LEVEL)]
Hp = Annotated[int, Field(ge=1, le=codes.LARGEST_AMOUNT)]
Amount = Annotated[int, Field(ge=0, le=codes.LARGEST_AMOUNT)]
Defense = Annotated[int, Field(ge=0, le=codes.LARGEST_DEFENSE)]
ResourceAmount = Annotated[int, Field(ge=0, le=codes.LARGEST_RESOURCE)]
Percent = Annotated[int, Field(ge=0, le=codes.LARGEST_PERCENT)]
Chance = Annotated[int, Field(ge=0, le=100)]
Challenge = Annotated[int, Field(ge=0, le=100)]
Modifier = Annotated[int, Field(ge=-codes.LARGEST_MODIFIER, le=codes.LARGEST_MODIFIER)]
SpeedModifier = Annotated[int, Field(ge=-codes.LARGEST_SPEED_MODIFIER, le=codes.LARGEST_SPEED_MODIFIER)]
Rounds = Annotated[int, Field(ge=1, le=codes.LARGEST_DURATION)]
Weight = Annotated[int, Field(ge=0, le=codes.LARGEST_WEIGHT)]
BonusAmount = Annotated[int, Field(ge=-1000, le=10_000)]
When = WrittenCondition


class Range(Model):
    """A range of numbers, both ends included."""

    min: Amount
    max: Amount

    @model_validator(mode="after")
    def _runs_upwards(self) -> Range:
        if self.min > self.max:
            raise ValueError(f"runs from {self.min} down to {self.max}; min must not be above max")
        return self
