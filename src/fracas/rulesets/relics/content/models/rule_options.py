"""Models of the rule options of relics."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fracas.content.partial_models import partial
from fracas.content.validate import Model
from fracas.content.word_types import OneOf
from fracas.rulesets.relics.rules import constants as codes

Route = Annotated[str, OneOf(codes.DAMAGE_ROUTES)]
Cap = Annotated[int, Field(ge=0, le=codes.LARGEST)]


class StatCaps(Model):
    """The largest stats that an item of the normal tier may have."""

    attack: Cap = codes.DEFAULT_CAP
    armor: Cap = codes.DEFAULT_CAP
    speed: Cap = codes.DEFAULT_CAP
    health: Cap = codes.DEFAULT_CAP


class RuleOptions(Model):
    """The rule options."""

    tie_breaker: Annotated[str, OneOf(codes.TIE_BREAKERS)]
    """Who acts first at equal SPEED."""
    stat_caps: StatCaps
    """The largest stats of an item before its tier."""
    stat_cap_mode: Annotated[str, OneOf(codes.STAT_CAP_MODES)]
    """How to treat an item above the caps: reject it with an error, or clamp its stats with a warning."""
    allow_pre_phase: bool
    """Whether effects of the trigger pre run."""
    freeze_side: Annotated[str, OneOf(codes.FREEZE_SIDES)]
    """Whose Freeze halves a strike: the defender's or the attacker's."""
    freeze_decay: Annotated[str, OneOf(codes.FREEZE_DECAYS)]
    """Whether Freeze decays at the end of every turn or only of its owner's turns."""
    thorns_clear: Annotated[str, OneOf(codes.THORNS_CLEARS)]
    """Whether Thorns end with a turn in which their owner was struck, or one in which they dealt damage."""
    death_check: Annotated[str, OneOf(codes.DEATH_CHECKS)]
    """Whether to check for deaths after certain steps or after every change."""
    corroded_bone_receiver: Annotated[str, OneOf(codes.BONE_RECEIVERS)]
    """Who gets the armor of enemy_hp_to_enemy_armor_pct."""
    onhit_order: Annotated[str, OneOf(codes.ON_HIT_ORDERS)]
    """The order in which on-hit effects run."""
    onhit_damage_route: Route
    """Whether onhit_extra_damage goes to HP, or to ARMOR first."""
    hp_minus_route: Route
    """Whether enemy_hp_minus goes to HP, or to ARMOR first."""
    riptide_route: Route
    """Whether Riptide goes to HP, or to ARMOR first."""
    cadence_parity: Annotated[str, OneOf(codes.PARITIES)]
    """The owner's turns on which every_other_turn runs."""
    fatigue_start: Annotated[int, Field(ge=0, le=codes.LARGEST_TURN_CAP)]
    """The common turn after which fatigue begins."""
    turn_cap: Annotated[int, Field(ge=1, le=codes.LARGEST_TURN_CAP)]
    """Turns until a draw."""


@partial()
class Options(RuleOptions):
    """Rule options; absent means the profile's value."""


NO_OPTIONS = Options.model_validate({})


class ResolvedOptions(RuleOptions):
    """Every rule option with its value."""

    # Absent in documents resolved before version 3 of the rules.
    hp_minus_route: Route = "hp"
