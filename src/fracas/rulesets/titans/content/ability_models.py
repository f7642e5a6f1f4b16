"""What people write for titans: abilities and their effects, titans, policies."""

from __future__ import annotations

import base64
import binascii
import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from fracas.content.condition_model import WrittenCondition
from fracas.content.validate import Model, printable
from fracas.errors.suggestions import quoted
from fracas.rulesets.titans.rules.constants import (
    LARGEST_AMOUNT,
    LARGEST_HP,
    LARGEST_LEVEL,
    LARGEST_PERCENT,
    LARGEST_ROUND_CAP,
    LARGEST_STAT,
    LARGEST_STEPS,
    LARGEST_TIMES,
    LEAST_SUM,
    MAX_CELLS,
    MAX_CHARGE,
    MAX_EFFECTS,
    MAX_RULES,
    OWN_ABILITIES,
)

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(printable)]
Note = Annotated[str, Field(max_length=2000)]
StatName = Literal["attack", "defense", "speed", "stamina", "evasion", "accuracy", "critical"]
Who = Literal["self", "opponent"]
Amount = Annotated[int, Field(ge=0, le=LARGEST_AMOUNT)]
Hp = Annotated[int, Field(ge=1, le=LARGEST_HP)]
Stat = Annotated[int, Field(ge=0, le=LARGEST_STAT)]
Condition = WrittenCondition
# Policies that are not written by anybody.
BUILT_IN = ("random", "greedy", "equilibrium")
RESERVED = ("attack", "defend", "rest", "ability", "missed")


def _is_a_number(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a number")
    return float(value)


Times = Annotated[float, Field(gt=0, le=LARGEST_TIMES, strict=False), AfterValidator(_is_a_number)]


class Measured(Model):
    """An amount: fixed, or a multiple of one of the titan's stats as it is now."""

    amount: Amount | None = None
    """A fixed amount."""
    stat: StatName | None = None
    """The stat that it is a multiple of."""
    times: Times | None = None
    """How many times the stat."""

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
    """Damage to the opponent that knows no Defense; its shield absorbs it."""

    type: Literal["damage"]


class HealEffect(Measured):
    """The titan regains HP, at most what it lacks."""

    type: Literal["heal"]
    dealt: Annotated[int, Field(ge=1, le=LARGEST_PERCENT)] | None = None
    """Per cent of the HP that the opponent has lost to this ability's effects so far."""

    def _ways(self) -> str:
        return "amount, stat and times, or dealt"


class ShieldEffect(Measured):
    """The titan's shield grows, until the round ends."""

    type: Literal["shield"]


class ChargeEffect(Model):
    """Charge is added or taken away."""

    type: Literal["charge"]
    amount: Annotated[int, Field(ge=-MAX_CHARGE, le=MAX_CHARGE)]
    on: Who = "self"


class SetChargeEffect(Model):
    """Charge is set."""

    type: Literal["set_charge"]
    amount: Annotated[int, Field(ge=0, le=MAX_CHARGE)]
    on: Who = "self"


class ChangeEffect(Model):
    """A stat is raised or lowered for some rounds."""

    type: Literal["change"]
    stat: StatName
    percent: Annotated[int, Field(ge=LEAST_SUM, le=LARGEST_PERCENT)]
    rounds: Annotated[int, Field(ge=0, le=LARGEST_ROUND_CAP)]
    """Rounds after this one until it ends."""
    on: Who = "opponent"

    @model_validator(mode="after")
    def _changes_something(self) -> ChangeEffect:
        if self.percent == 0:
            raise ValueError("a change of 0 per cent changes nothing")
        return self


class CleanseEffect(Model):
    """Whatever lowers one of the titan's stats ends."""

    type: Literal["cleanse"]


Effect = Annotated[
    DamageEffect | HealEffect | ShieldEffect | ChargeEffect | SetChargeEffect | ChangeEffect | CleanseEffect,
    Field(discriminator="type"),
]


class Ability(Model):
    """Something that a titan can do for charge."""

    id: Id
    name: Name
    cost: Annotated[int, Field(ge=0, le=MAX_CHARGE)]
    """The charge that it takes."""
    effects: Annotated[list[Effect], Field(min_length=1, max_length=MAX_EFFECTS)]
    """They apply in this order."""
    note: Note = ""

    @model_validator(mode="after")
    def _is_not_an_action(self) -> Ability:
        if self.id in RESERVED:
            raise ValueError(f"{quoted(self.id)} is an action already; an ability needs another id")
        return self


class TitanStats(Model):
    """What a titan has besides its HP and abilities."""

    attack: Stat
    defense: Stat
    speed: Stat
    stamina: Stat
    evasion: Stat = 0
    """Counts where blows can miss."""
    accuracy: Stat = 0
    """Counts where blows can miss."""
    critical: Annotated[int, Field(ge=0, le=100)] = 0
    """The chance of a critical hit in per cent, where there are such."""


class TitanEntry(TitanStats):
    """A titan written out."""

    name: Name
    hp: Hp
    abilities: Annotated[list[Id], Field(min_length=1, max_length=OWN_ABILITIES)]
    level: Annotated[int, Field(ge=1, le=LARGEST_LEVEL)] = 1
    experience: Annotated[int, Field(ge=0, le=10**9)] = 0
    """What it has gained since it reached its level."""
    note: Note = ""

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
    """The kind of titans that it belongs to."""


class GeneratedTitan(Model):
    """A titan made from a text; the same text makes the same titan."""

    generate: Annotated[str, Field(min_length=1, max_length=1000)]
    """Any text."""


class Rule(Model):
    """One rule of a policy."""

    when: Condition | None = None
    """A condition; absent means always."""
    do: Id
    """attack, defend, rest, the id of an ability, or ability: the first one that the titan can pay for."""
    chance: Annotated[int, Field(ge=1, le=100)] = 100
    """In how many of a hundred cases the rule is taken if nothing else keeps it back."""


Rules = Annotated[list[Rule], Field(min_length=1, max_length=MAX_RULES)]
Steps = Annotated[int, Field(ge=1, le=LARGEST_STEPS)]


class SolvedTable(Model):
    """How often each choice is made in each state, as a solver has found it."""

    own_hp: Steps
    """Into how many steps the own share of HP is divided."""
    enemy_hp: Steps
    own_charge: Steps
    """Into how many steps the own charge is divided."""
    enemy_charge: Steps
    choices: Annotated[list[Id], Field(min_length=1, max_length=3 + OWN_ABILITIES)]
    """What the weights are for: attack, defend, rest, ids of abilities."""
    weights: str
    """In base64, for each cell a byte for each choice; own HP is the slowest axis, the enemy's charge the fastest."""

    @property
    def cells(self) -> int:
        """How many states the table tells apart."""
        return self.own_hp * self.enemy_hp * self.own_charge * self.enemy_charge

    def decoded(self) -> bytes:
        """The weights.

        Raises:
            ValueError: the text is no base64, or not as long as the table.
        """
        try:
            data = base64.b64decode(self.weights, validate=True)
        except (binascii.Error, ValueError):
            raise ValueError("the weights are no base64") from None
        if len(data) != self.cells * len(self.choices):
            raise ValueError(
                f"has {len(data):,} weights; {self.cells:,} cells of {len(self.choices)} choices need "
                f"{self.cells * len(self.choices):,}"
            )
        return data

    @model_validator(mode="after")
    def _is_complete(self) -> SolvedTable:
        if self.cells > MAX_CELLS:
            raise ValueError(f"has {self.cells:,} cells; there is room for {MAX_CELLS:,}")
        if len(set(self.choices)) < len(self.choices):
            raise ValueError("names a choice twice")
        self.decoded()
        return self


class Policy(Model):
    """How a player decides: rules, a solved table, or the choices themselves."""

    rules: Rules | None = None
    """The first that holds and is legal counts; attack if none does."""
    solved: SolvedTable | None = None
    """A mix of choices for each state."""
    choices: Annotated[list[Id], Field(max_length=LARGEST_ROUND_CAP)] | None = None
    """What was chosen, round by round: attack, defend, rest, the id of an ability, or missed."""
    note: Note = ""

    @model_validator(mode="after")
    def _is_one(self) -> Policy:
        given = [key for key in ("rules", "solved", "choices") if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError("needs one of rules, solved and choices" + (", not several" if given else ""))
        return self


class NamedPolicy(Model):
    """A policy of the content: rules that any titan can follow."""

    id: Id
    name: Name
    rules: Rules
    note: Note = ""

    @model_validator(mode="after")
    def _is_not_built_in(self) -> NamedPolicy:
        if self.id in BUILT_IN:
            raise ValueError(f"{quoted(self.id)} is a policy already; this one needs another id")
        return self


def _kind_of_policy(value: Any) -> str | None:
    if isinstance(value, list):
        return "a list"
    return "a text" if isinstance(value, str) else "a table" if isinstance(value, dict | Model) else None


# A policy by its name or file, as a list of rules, or as a table.
PolicyEntry = Annotated[
    Annotated[str, Tag("a text")] | Annotated[Rules, Tag("a list")] | Annotated[Policy, Tag("a table")],
    Discriminator(
        _kind_of_policy,
        custom_error_type="text_or_table",
        custom_error_message="is neither a text, nor a list of rules, nor a table",
    ),
]


def _kind_of_titan(value: Any) -> str | None:
    if isinstance(value, GeneratedTitan) or (isinstance(value, dict) and "generate" in value):
        return "made from a text"
    return "a text" if isinstance(value, str) else "a table" if isinstance(value, dict | Model) else None


# A titan by its id, made from a text, or written out.
AnyTitan = Annotated[
    Annotated[Id, Tag("a text")]
    | Annotated[GeneratedTitan, Tag("made from a text")]
    | Annotated[TitanEntry, Tag("a table")],
    Discriminator(
        _kind_of_titan,
        custom_error_type="text_or_table",
        custom_error_message="is neither a text nor a table",
    ),
]
