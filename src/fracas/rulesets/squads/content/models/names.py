"""The field types that all models of squads share: ids, names, bounded numbers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fracas.content.condition_model import WrittenCondition
from fracas.rulesets.squads.rules.constants import LARGEST_PERCENT, LARGEST_ROUND_CAP, LARGEST_STAT

ClassName = Literal["warrior", "ranger", "mage", "healer", "tank"]
Formation = Literal["aggressive", "defensive", "balanced", "flanking"]
Reach = Literal["one_enemy", "all_enemies", "one_ally", "all_allies", "self"]
Selector = Literal[
    "priority",
    "lowest_hp",
    "highest_hp",
    "highest_threat",
    "fastest",
    "random",
    "lowest_hp_ally",
    "self",
    "tank_ally",
    "strongest_ally",
    "priority_ally",
]
Priority = Literal[
    "healers", "mages", "rangers", "warriors", "tanks", "lowest_hp", "highest_hp", "highest_threat", "fastest"
]
Stat = Annotated[int, Field(ge=1, le=LARGEST_STAT)]
Defense = Annotated[int, Field(ge=0, le=LARGEST_STAT)]
Percent = Annotated[int, Field(ge=0, le=LARGEST_PERCENT)]
Chance = Annotated[int, Field(ge=0, le=100)]
Rounds = Annotated[int, Field(ge=1, le=LARGEST_ROUND_CAP)]
Amount = Annotated[int, Field(ge=0, le=10**9)]
Condition = WrittenCondition
BASIC_ATTACK = "basic_attack"
