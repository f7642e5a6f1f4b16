"""Models of skills and queues."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from fracas.content.field_types import DrawnEffect, Id, Name, Note
from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.delve.content.models import fields
from fracas.rulesets.delve.rules import constants as codes


class ResourceKind(Model):
    """A kind of resource that pays for skills."""

    id: Id
    name: Name
    start: fields.Chance = 100
    """The per cent of the maximum at the start."""
    note: Note = ""


class SkillCondition(Model):
    """A condition that a skill applies."""

    condition: fields.ConditionName
    rounds: fields.Rounds | None = None
    """Round ends until it expires, including this round's; Stunned has none."""
    potency: Annotated[int, Field(ge=1, le=codes.LARGEST_AMOUNT)] | None = None
    """HP for each tick, or the pool of a shield; the others have none."""

    @model_validator(mode="after")
    def _has_what_its_kind_has(self) -> SkillCondition:
        for key, wanted in (
            ("rounds", self.condition != "stunned"),
            ("potency", self.condition in codes.POTENT_CONDITIONS),
        ):
            if wanted != (getattr(self, key) is not None):
                raise ValueError(f"{self.condition} {'needs' if wanted else 'takes no'} {key}")
        return self


class Skill(Model):
    """A skill: its reach, and its effects on each target."""

    id: Id
    name: Name
    reach: fields.Reach
    attack: fields.AttributeName | None = None
    """The user's attribute in the roll to hit; required if the skill reaches enemies."""
    defense: fields.AttributeName | None = None
    """The target's attribute in the roll to hit; required if the skill reaches enemies."""
    modifier: fields.Modifier = 0
    """Added to the chance to hit."""
    element: fields.Element | None = None
    """Physical damage grows with might and meets armor, magic with logic and resistance; absent means physical."""
    damage: fields.Range | None = None
    weapon: bool = False
    """True if the main hand's damage is added."""
    heal: fields.Range | None = None
    conditions: Annotated[list[SkillCondition], Field(max_length=codes.MAX_SKILL_CONDITIONS)] = []
    cost: fields.ResourceAmount = 0
    resource: Id | None = None
    """The kind of resource that it costs; if absent, its user's kind."""
    cooldown: Annotated[int, Field(ge=0, le=codes.LARGEST_DURATION)] = 0
    """Rounds from one use to the next: 3 means rounds 1, 4, 7."""
    note: Note = ""
    effect: DrawnEffect = None
    """What pages draw for it; absent means by its user's body."""

    @property
    def hostile(self) -> bool:
        """True if the skill is aimed at enemies."""
        return self.reach in codes.HOSTILE_REACHES

    @property
    def damaging(self) -> bool:
        """True if a hit does damage."""
        return self.damage is not None or self.weapon

    @property
    def pure_heal(self) -> bool:
        """True if it only heals, so that it needs a hurt target."""
        return self.heal is not None and not self.conditions

    @model_validator(mode="after")
    def _keeps_to_its_side(self) -> Skill:
        if self.hostile:
            missing = [key for key in ("attack", "defense") if getattr(self, key) is None]
            if missing:
                raise ValueError(
                    f"reaches enemies, so it needs {' and '.join(missing)}: the attributes that are compared"
                )
            if self.heal is not None:
                raise ValueError("reaches enemies, so it cannot heal")
        else:
            strange = [key for key in ("attack", "defense", "element", "damage") if getattr(self, key) is not None]
            strange += [key for key in ("modifier", "weapon") if getattr(self, key)]
            if strange:
                raise ValueError(f"reaches allies, so it takes no {', '.join(strange)}")
        return self

    @model_validator(mode="after")
    def _conditions_fit(self) -> Skill:
        names = [entry.condition for entry in self.conditions]
        for name in names:
            if (name in codes.HARMFUL_CONDITIONS) != self.hostile:
                aim = "enemies" if self.hostile else "allies"
                raise ValueError(f'the condition "{name}" does not fit a skill that reaches {aim}')
            if names.count(name) > 1:
                raise ValueError(f'applies "{name}" twice')
        if not names and not self.damaging and self.heal is None:
            raise ValueError("does nothing: it needs damage, weapon, heal or conditions")
        return self


class QueueSlot(Model):
    """A slot of a queue: its skill is used if the condition holds and no obstacle stops it."""

    skill: Id
    when: fields.When | None = None
    """A condition; absent means always."""
    target: fields.Selector | None = None
    """The target selector of a skill for one target; absent means lowest_hp."""


Queue = Annotated[list[TextOrTable[Id, QueueSlot]], Field(min_length=1, max_length=codes.MAX_QUEUE)]
ResolvedQueue = Annotated[list[QueueSlot], Field(min_length=1, max_length=codes.MAX_QUEUE)]
