"""The rule options, declared once: files check them so, and the record has their fields.

A word's number in the record is its place among the words here; constants.py names those numbers.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Le

from fracas.kernel.records import record
from fracas.rulesets.stacks.rules import constants as codes

Count = Annotated[int, Ge(0), Le(codes.LARGEST_COUNT)]


class RuleOptions:
    """The rule options."""

    sides: Literal["alliances", "factions"]
    """factions: alliances do not count, and every faction but the attacker's defends."""
    order: Literal["alternate", "id", "initiative"]
    """The order in which participants act."""
    valuation: Literal["exact", "sampled"]
    """Whether harmful moves are valued exactly or by five trial rolls."""
    charge_estimate: Literal["attack", "value"]
    """attack: Charge is valued as it is rolled; value: as a plain blow of attack and damage, and 2 is added."""
    charge_damage: Literal["damage", "attack"]
    """The score for Charge's damage."""
    riposte_damage: Literal["damage", "attack"]
    """The score for Riposte's damage, less 1."""
    riposte_to: Literal["melee", "strike"]
    """The moves that provoke a Riposte: any harmful melee move, or only Strike."""
    least_score: Annotated[int, Ge(0), Le(1)]
    """The least score for rolls."""
    heal_limit: Count
    """Uses of Healing for each healer in a battle; 0 means no limit."""
    heal_self: bool
    """Whether a healer can heal itself."""
    idle_rule: Literal["attackers", "anyone"]
    """attackers: a turn is idle if they took no health; anyone: if no side's health changed."""
    first_turn_idle: bool
    """Whether turn 0 can be idle."""
    idle_turns: Annotated[int, Ge(1), Le(codes.LARGEST_COUNT)]
    """Idle turns in a row until the attack is repelled."""
    stale_turns: Count
    """Turns without a new low of either side's health until the attack is repelled; 0 means never."""
    turn_cap: Annotated[int, Ge(1), Le(codes.LARGEST_TURN_CAP)]
    """Turns until a draw."""
    advance: bool
    """Whether a victorious stack moves onto the tile when the result is committed."""


# Options that matter only before the battle: they are in no record.
BEFOREHAND = frozenset(("sides", "order", "advance"))

options_t = record(*((name, np.int64) for name in RuleOptions.__annotations__ if name not in BEFOREHAND))
