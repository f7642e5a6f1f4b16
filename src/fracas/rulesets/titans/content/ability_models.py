"""Models of abilities and their effects, titans and policies."""

from __future__ import annotations

import base64
import binascii
import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from fracas.content.condition_model import WrittenCondition
from fracas.content.field_types import DrawnEffect, DrawnLook, Id, Name, Note
from fracas.content.validate import Model
from fracas.errors.suggestions import quoted
from fracas.rulesets.shared.network_model import Network
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.options import Hp

StatName = Literal["attack", "defense", "speed", "stamina", "evasion", "accuracy", "critical"]
Who = Literal["self", "opponent"]
Amount = Annotated[int, Field(ge=0, le=codes.LARGEST_AMOUNT)]
Stat = Annotated[int, Field(ge=0, le=codes.LARGEST_STAT)]
Condition = WrittenCondition
# Policies built into the engine.
BUILT_IN = ("random", "greedy", "equilibrium")
RESERVED = ("attack", "defend", "rest", "ability", "missed")


def _is_a_number(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a number")
    return float(value)


Times = Annotated[float, Field(gt=0, le=codes.LARGEST_TIMES, strict=False), AfterValidator(_is_a_number)]


class Measured(Model):
    """An amount: fixed, or a multiple of the current value of one of the titan's stats."""

    amount: Amount | None = None
    """A fixed amount."""
    stat: StatName | None = None
    """The stat to multiply."""
    times: Times | None = None
    """The factor for the stat."""

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Measured:
        if (self.stat is None) != (self.times is None):
            raise ValueError("a multiple of a stat needs both stat and times")
        ways = [self.amount is not None, self.stat is not None, getattr(self, "dealt", None) is not None]
        if sum(ways) != 1:
            raise ValueError("needs " + ("one amount: " if sum(ways) == 0 else "only one amount: ") + self._ways())
        return self

    def _ways(self) -> str:
        return "amount, or stat and times"


class DamageEffect(Measured):
    """Damage to the opponent that ignores Defense; a shield absorbs it."""

    type: Literal["damage"]


class HealEffect(Measured):
    """Restores the titan's HP, up to full HP."""

    type: Literal["heal"]
    dealt: Annotated[int, Field(ge=1, le=codes.LARGEST_PERCENT)] | None = None
    """Per cent of the HP that the ability's earlier effects took from the opponent."""

    def _ways(self) -> str:
        return "amount, stat and times, or dealt"


class ShieldEffect(Measured):
    """Adds to the titan's shield until the round ends."""

    type: Literal["shield"]


class ChargeEffect(Model):
    """Adds or removes charge."""

    type: Literal["charge"]
    amount: Annotated[int, Field(ge=-codes.MAX_CHARGE, le=codes.MAX_CHARGE)]
    on: Who = "self"


class SetChargeEffect(Model):
    """Sets charge."""

    type: Literal["set_charge"]
    amount: Annotated[int, Field(ge=0, le=codes.MAX_CHARGE)]
    on: Who = "self"


class ChangeEffect(Model):
    """Raises or lowers a stat for some rounds."""

    type: Literal["change"]
    stat: StatName
    percent: Annotated[int, Field(ge=codes.LEAST_SUM, le=codes.LARGEST_PERCENT)]
    rounds: Annotated[int, Field(ge=0, le=codes.LARGEST_ROUND_CAP)]
    """How many more rounds it lasts after this one."""
    on: Who = "opponent"

    @model_validator(mode="after")
    def _changes_something(self) -> ChangeEffect:
        if self.percent == 0:
            raise ValueError("a change of 0 per cent changes nothing")
        return self


class CleanseEffect(Model):
    """Ends all changes that lower the titan's stats."""

    type: Literal["cleanse"]


Effect = Annotated[
    DamageEffect | HealEffect | ShieldEffect | ChargeEffect | SetChargeEffect | ChangeEffect | CleanseEffect,
    Field(discriminator="type"),
]


class Ability(Model):
    """Something a titan can do in exchange for charge."""

    id: Id
    name: Name
    cost: Annotated[int, Field(ge=0, le=codes.MAX_CHARGE)]
    """The charge that it costs."""
    effects: Annotated[list[Effect], Field(min_length=1, max_length=codes.MAX_EFFECTS)]
    """Its effects, in the order in which they apply."""
    note: Note = ""
    effect: DrawnEffect = None
    """What pages draw for it; absent means by its user's body."""

    @model_validator(mode="after")
    def _is_not_an_action(self) -> Ability:
        if self.id in RESERVED:
            raise ValueError(f"{quoted(self.id)} is already an action; choose another id for the ability")
        return self


class TitanStats(Model):
    """A titan's stats apart from HP."""

    attack: Stat
    defense: Stat
    speed: Stat
    stamina: Stat
    evasion: Stat = 0
    """Only matters with the option misses."""
    accuracy: Stat = 0
    """Only matters with the option misses."""
    critical: Annotated[int, Field(ge=0, le=100)] = 0
    """The chance of a critical hit in per cent, with the option criticals."""


class TitanEntry(TitanStats):
    """A titan defined in place."""

    name: Name
    hp: Hp
    abilities: Annotated[list[Id], Field(min_length=1, max_length=codes.OWN_ABILITIES)]
    level: Annotated[int, Field(ge=1, le=codes.LARGEST_LEVEL)] = 1
    experience: Annotated[int, Field(ge=0, le=10**9)] = 0
    """Experience gained since it reached its level."""
    note: Note = ""
    look: DrawnLook = None

    @model_validator(mode="after")
    def _has_no_ability_twice(self) -> TitanEntry:
        for name in self.abilities:
            if self.abilities.count(name) > 1:
                raise ValueError(f"has the ability {quoted(name)} twice")
        return self


class Titan(TitanEntry):
    """A titan of the content."""

    id: Id
    archetype: Id | None = None
    """The id of its archetype."""


class GeneratedTitan(Model):
    """A titan generated from a text; the same text gives the same titan."""

    generate: Annotated[str, Field(min_length=1, max_length=1000)]
    """Any text."""


class Rule(Model):
    """One rule of a policy."""

    when: Condition | None = None
    """A condition; absent means always."""
    do: Id
    """attack, defend, rest, the id of an ability, or ability: the first one that the titan can afford."""
    chance: Annotated[int, Field(ge=1, le=100)] = 100
    """How often in per cent the rule is used when it applies."""


Rules = Annotated[list[Rule], Field(min_length=1, max_length=codes.MAX_RULES)]
Steps = Annotated[int, Field(ge=1, le=codes.LARGEST_STEPS)]


class SolvedTable(Model):
    """A solver's mix of choices for each state."""

    own_hp: Steps
    """The number of steps for the player's own share of HP."""
    enemy_hp: Steps
    own_charge: Steps
    """The number of steps for the player's own charge."""
    enemy_charge: Steps
    choices: Annotated[list[Id], Field(min_length=1, max_length=3 + codes.OWN_ABILITIES)]
    """The choices that the weights belong to: attack, defend, rest, ids of abilities."""
    weights: str
    """Base64 of one byte for each choice in each cell; own HP is the slowest axis, the enemy's charge the fastest."""

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.own_hp * self.enemy_hp * self.own_charge * self.enemy_charge

    def decoded(self) -> bytes:
        """The weights as bytes.

        Raises:
            ValueError: the text is not base64, or does not fit the table.
        """
        try:
            data = base64.b64decode(self.weights, validate=True)
        except (binascii.Error, ValueError):
            raise ValueError("the weights are not base64") from None
        if len(data) != self.cells * len(self.choices):
            raise ValueError(
                f"has {len(data):,} weights; {self.cells:,} cells of {len(self.choices)} choices need "
                f"{self.cells * len(self.choices):,}"
            )
        return data

    @model_validator(mode="after")
    def _is_complete(self) -> SolvedTable:
        if self.cells > codes.MAX_CELLS:
            raise ValueError(f"has {self.cells:,} cells; at most {codes.MAX_CELLS:,} fit")
        if len(set(self.choices)) < len(self.choices):
            raise ValueError("names a choice twice")
        self.decoded()
        return self


class Policy(Model):
    """How a player decides: by rules, a solved table, a list of choices or a trained policy."""

    rules: Rules | None = None
    """Rules; the first that holds and is legal is used, attack if none does."""
    solved: SolvedTable | None = None
    """A mix of choices for each state."""
    choices: Annotated[list[Id], Field(max_length=codes.LARGEST_ROUND_CAP)] | None = None
    """Choices by round: attack, defend, rest, the id of an ability, or missed."""
    network: Network | None = None
    """A trained policy."""
    note: Note = ""

    @model_validator(mode="after")
    def _is_one(self) -> Policy:
        given = [key for key in ("rules", "solved", "choices", "network") if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError("needs one of rules, solved, choices and network" + (", not several" if given else ""))
        return self


class NamedPolicy(Model):
    """A content policy: rules that any titan can follow."""

    id: Id
    name: Name
    rules: Rules
    note: Note = ""

    @model_validator(mode="after")
    def _is_not_built_in(self) -> NamedPolicy:
        if self.id in BUILT_IN:
            raise ValueError(f"{quoted(self.id)} is already a policy; choose another id")
        return self


def _kind_of_policy(value: Any) -> str | None:
    if isinstance(value, list):
        return "a list"
    return "a text" if isinstance(value, str) else "a table" if isinstance(value, dict | Model) else None


# A policy: a name or file, a list of rules, or a table.
PolicyEntry = Annotated[
    Annotated[str, Tag("a text")] | Annotated[Rules, Tag("a list")] | Annotated[Policy, Tag("a table")],
    Discriminator(
        _kind_of_policy,
        custom_error_type="text_or_table",
        custom_error_message="is neither a string, nor a list of rules, nor a table",
    ),
]


def _kind_of_titan(value: Any) -> str | None:
    if isinstance(value, GeneratedTitan) or (isinstance(value, dict) and "generate" in value):
        return "made from a text"
    return "a text" if isinstance(value, str) else "a table" if isinstance(value, dict | Model) else None


# A titan: an id, generated from a text, or a table.
AnyTitan = Annotated[
    Annotated[Id, Tag("a text")]
    | Annotated[GeneratedTitan, Tag("made from a text")]
    | Annotated[TitanEntry, Tag("a table")],
    Discriminator(
        _kind_of_titan,
        custom_error_type="text_or_table",
        custom_error_message="is neither a string nor a table",
    ),
]
