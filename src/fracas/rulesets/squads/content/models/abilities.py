"""Models of abilities and their effects."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from fracas.content.field_types import Id, Name, Note
from fracas.content.validate import Model
from fracas.rulesets.squads.content.models.names import BASIC_ATTACK, Percent, Reach, Rounds
from fracas.rulesets.squads.rules.constants import LARGEST_PERCENT, LARGEST_ROUND_CAP, MAX_EFFECTS


class Power(Model):
    """A share of the actor's attack, defense and maximum HP, added up."""

    attack: Percent = 0
    """Per cent of the actor's attack."""
    defense: Percent = 0
    """Per cent of the actor's own defense."""
    max_hp: Percent = 0
    """Per cent of the actor's own maximum HP."""

    @model_validator(mode="after")
    def _has_power(self) -> Power:
        if self.attack + self.defense + self.max_hp == 0:
            raise ValueError("needs a power: attack, defense or max_hp above 0")
        return self


class DamageEffect(Power):
    """Damage that runs through the chain."""

    type: Literal["damage"]


class HealEffect(Power):
    """HP restored, at most what is missing."""

    type: Literal["heal"]


class ShieldEffect(Power):
    """A pool that absorbs damage before HP."""

    type: Literal["shield"]
    rounds: Rounds
    """Rounds after this one until the shield ends."""


class AttackUpEffect(Model):
    """Attack raised by a percentage."""

    type: Literal["attack_up"]
    percent: Annotated[int, Field(ge=1, le=LARGEST_PERCENT)]
    rounds: Rounds


class AttackDownEffect(Model):
    """Attack lowered by a percentage."""

    type: Literal["attack_down"]
    percent: Annotated[int, Field(ge=1, le=90)]
    rounds: Rounds


class TauntEffect(Model):
    """Enemies' single-target attacks must choose among taunters."""

    type: Literal["taunt"]
    rounds: Rounds


class StunEffect(Model):
    """The target loses its next action."""

    type: Literal["stun"]


class WoundEffect(Power):
    """Damage over time, fixed when applied."""

    type: Literal["damage_over_time"]
    rounds: Rounds
    """The number of round ends at which it strikes, starting with this round's."""


Effect = Annotated[
    DamageEffect
    | HealEffect
    | ShieldEffect
    | AttackUpEffect
    | AttackDownEffect
    | TauntEffect
    | StunEffect
    | WoundEffect,
    Field(discriminator="type"),
]


HOSTILE_EFFECTS = ("damage", "attack_down", "stun", "damage_over_time")


HOSTILE_REACHES = ("one_enemy", "all_enemies")


class Ability(Model):
    """Something a unit can do: its reach, and its effects on each target."""

    id: Id
    name: Name
    """The display name; strategies may use it as a key."""
    kind: Literal["basic", "class", "ultimate"] = "class"
    reach: Reach
    cooldown: Annotated[int, Field(ge=0, le=LARGEST_ROUND_CAP)] = 0
    """Rounds from one use to the next: 3 means rounds 1, 4, 7."""
    effects: Annotated[list[Effect], Field(min_length=1, max_length=MAX_EFFECTS)]
    note: Note = ""

    @property
    def hostile(self) -> bool:
        """True if the ability is aimed at enemies."""
        return self.reach in HOSTILE_REACHES

    @property
    def healing(self) -> bool:
        """True if the ability restores HP."""
        return any(effect.type == "heal" for effect in self.effects)

    @model_validator(mode="after")
    def _basic_attack_is_aimed(self) -> Ability:
        if self.id == BASIC_ATTACK and self.reach != "one_enemy":
            raise ValueError(f"the basic attack reaches one_enemy, not {self.reach}")
        return self

    @model_validator(mode="after")
    def _effects_fit_reach(self) -> Ability:
        for effect in self.effects:
            if (effect.type in HOSTILE_EFFECTS) != self.hostile:
                aim = "enemies" if self.hostile else "allies"
                raise ValueError(f'the effect "{effect.type}" does not fit an ability that reaches {aim}')
        return self
