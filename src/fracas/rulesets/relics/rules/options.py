"""The rule options, declared once: files check them so, and the record has their fields.

A word's number in the record is its place among the words here; constants.py names those numbers.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Le

from fracas.kernel.records import record
from fracas.rulesets.relics.rules import constants as codes

Route = Literal["hp", "armor"]


class RuleOptions:
    """The rule options."""

    tie_breaker: Literal["left_first", "right_first", "random"]
    """Who acts first at equal SPEED."""
    stat_caps: Any
    """The largest stats of an item before its tier."""
    stat_cap_mode: Literal["reject", "clamp"]
    """How to treat an item above the caps: reject it with an error, or clamp its stats with a warning."""
    allow_pre_phase: bool
    """Whether effects of the trigger pre run."""
    freeze_side: Literal["defender", "attacker"]
    """Whose Freeze halves a strike: the defender's or the attacker's."""
    freeze_decay: Literal["every_turn", "own_turn"]
    """Whether Freeze decays at the end of every turn or only of its owner's turns."""
    thorns_clear: Literal["struck", "fired"]
    """Whether Thorns end with a turn in which their owner was struck, or one in which they dealt damage."""
    death_check: Literal["steps", "at_once"]
    """Whether to check for deaths after certain steps or after every change."""
    corroded_bone_receiver: Literal["enemy", "owner"]
    """Who gets the armor of enemy_hp_to_enemy_armor_pct."""
    onhit_order: Literal["removes_first", "damage_first", "slots"]
    """The order in which on-hit effects run."""
    onhit_damage_route: Route
    """Whether onhit_extra_damage goes to HP, or to ARMOR first."""
    hp_minus_route: Route
    """Whether enemy_hp_minus goes to HP, or to ARMOR first."""
    riptide_route: Route
    """Whether Riptide goes to HP, or to ARMOR first."""
    cadence_parity: Literal["even", "odd"]
    """The owner's turns on which every_other_turn runs."""
    fatigue_start: Annotated[int, Ge(0), Le(codes.LARGEST_TURN_CAP)]
    """The common turn after which fatigue begins."""
    turn_cap: Annotated[int, Ge(1), Le(codes.LARGEST_TURN_CAP)]
    """Turns until a draw."""


# Options that matter only before the battle, or are compiled into its effects: they are in no record.
BEFOREHAND = frozenset(("stat_caps", "stat_cap_mode", "onhit_order", "hp_minus_route"))

options_t = record(*((name, np.int64) for name in RuleOptions.__annotations__ if name not in BEFOREHAND))
