"""Models of the rule options of relics."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fracas.content.validate import Model
from fracas.rulesets.relics.rules.constants import DEFAULT_CAP, LARGEST, LARGEST_TURN_CAP

Turn = Annotated[int, Field(ge=0, le=LARGEST_TURN_CAP)]
TurnCap = Annotated[int, Field(ge=1, le=LARGEST_TURN_CAP)]
TieBreaker = Literal["left_first", "right_first", "random"]
StatCapMode = Literal["reject", "clamp"]
FreezeSide = Literal["defender", "attacker"]
FreezeDecay = Literal["every_turn", "own_turn"]
ThornsClear = Literal["struck", "fired"]
DeathCheck = Literal["steps", "at_once"]
BoneReceiver = Literal["enemy", "owner"]
OnHitOrder = Literal["removes_first", "damage_first", "slots"]
Route = Literal["hp", "armor"]
Parity = Literal["even", "odd"]


class StatCaps(Model):
    """The largest stats that an item of the normal tier may have."""

    attack: Annotated[int, Field(ge=0, le=LARGEST)] = DEFAULT_CAP
    armor: Annotated[int, Field(ge=0, le=LARGEST)] = DEFAULT_CAP
    speed: Annotated[int, Field(ge=0, le=LARGEST)] = DEFAULT_CAP
    health: Annotated[int, Field(ge=0, le=LARGEST)] = DEFAULT_CAP


class Options(Model):
    """Rule options; absent means the profile's value."""

    tie_breaker: TieBreaker | None = None
    """Who acts first at equal SPEED."""
    stat_caps: StatCaps | None = None
    """The largest stats of an item before its tier."""
    stat_cap_mode: StatCapMode | None = None
    """How to treat an item above the caps: reject it with an error, or clamp its stats with a warning."""
    allow_pre_phase: bool | None = None
    """Whether effects of the trigger pre run."""
    freeze_side: FreezeSide | None = None
    """Whose Freeze halves a strike: the defender's or the attacker's."""
    freeze_decay: FreezeDecay | None = None
    """Whether Freeze decays at the end of every turn or only of its owner's turns."""
    thorns_clear: ThornsClear | None = None
    """Whether Thorns end with a turn in which their owner was struck, or one in which they dealt damage."""
    death_check: DeathCheck | None = None
    """Whether to check for deaths after certain steps or after every change."""
    corroded_bone_receiver: BoneReceiver | None = None
    """Who gets the armor of enemy_hp_to_enemy_armor_pct."""
    onhit_order: OnHitOrder | None = None
    """The order in which on-hit effects run."""
    onhit_damage_route: Route | None = None
    """Whether onhit_extra_damage goes to HP, or to ARMOR first."""
    hp_minus_route: Route | None = None
    """Whether enemy_hp_minus goes to HP, or to ARMOR first."""
    riptide_route: Route | None = None
    """Whether Riptide goes to HP, or to ARMOR first."""
    cadence_parity: Parity | None = None
    """The owner's turns on which every_other_turn runs."""
    fatigue_start: Turn | None = None
    """The common turn after which fatigue begins."""
    turn_cap: TurnCap | None = None
    """Turns until a draw."""


class ResolvedOptions(Model):
    """Every rule option with its value."""

    tie_breaker: TieBreaker
    stat_caps: StatCaps
    stat_cap_mode: StatCapMode
    allow_pre_phase: bool
    freeze_side: FreezeSide
    freeze_decay: FreezeDecay
    thorns_clear: ThornsClear
    death_check: DeathCheck
    corroded_bone_receiver: BoneReceiver
    onhit_order: OnHitOrder
    onhit_damage_route: Route
    hp_minus_route: Route = "hp"
    """Absent in documents resolved before version 3 of the rules."""
    riptide_route: Route
    cadence_parity: Parity
    fatigue_start: Turn
    turn_cap: TurnCap
