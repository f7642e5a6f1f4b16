"""Models of abilities and their effects."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, get_args

from pydantic import Field, model_validator

from fracas.content.field_types import DrawnEffect, Id, Name, Note
from fracas.content.validate import Model, models_in
from fracas.rulesets.squads.content.models.names import BASIC_ATTACK, Percent, Reach, Rounds
from fracas.rulesets.squads.rules.constants import LARGEST_PERCENT, LARGEST_ROUND_CAP, MAX_EFFECTS


class AnyEffect(Model):
    """An effect of an ability on each of its targets."""

    HOSTILE: ClassVar[bool] = False
    """Whether it is for enemies; others are for allies."""
    TOLD: ClassVar[str] = ""
    """What a story says of it once it holds, with `amount` and `until`; empty if an event of its own tells it."""


class Power(AnyEffect):
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

    HOSTILE = True

    type: Literal["damage"]


class HealEffect(Power):
    """HP restored, at most what is missing."""

    type: Literal["heal"]


class ShieldEffect(Power):
    """A pool that absorbs damage before HP."""

    type: Literal["shield"]
    rounds: Rounds
    """Rounds after this one until the shield ends."""


class AttackUpEffect(AnyEffect):
    """Attack raised by a percentage."""

    TOLD = "attack +{amount}% until round {until}"

    type: Literal["attack_up"]
    percent: Annotated[int, Field(ge=1, le=LARGEST_PERCENT)]
    rounds: Rounds


class AttackDownEffect(AnyEffect):
    """Attack lowered by a percentage."""

    HOSTILE = True
    TOLD = "attack -{amount}% until round {until}"

    type: Literal["attack_down"]
    percent: Annotated[int, Field(ge=1, le=90)]
    rounds: Rounds


class TauntEffect(AnyEffect):
    """Enemies' single-target attacks must choose among taunters."""

    TOLD = "taunts until round {until}"

    type: Literal["taunt"]
    rounds: Rounds


class StunEffect(AnyEffect):
    """The target loses its next action."""

    HOSTILE = True
    TOLD = "stunned: loses the next action"

    type: Literal["stun"]


class WoundEffect(Power):
    """Damage over time, fixed when applied."""

    HOSTILE = True
    TOLD = "{amount} damage at each round's end until round {until}"

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


# The effects by their types, in the order of the rules' numbers.
EFFECTS: dict[str, type[AnyEffect]] = {
    get_args(kind.model_fields["type"].annotation)[0]: kind for kind in models_in(Effect) if issubclass(kind, AnyEffect)
}
HOSTILE_EFFECTS = tuple(name for name, kind in EFFECTS.items() if kind.HOSTILE)
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
    effect: DrawnEffect = None
    """What pages draw for it; absent means by its user's body."""

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
