"""What people author for squads: content, strategies and scenarios, and the resolved battle that is compiled."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, ConfigDict, Field, ModelWrapValidatorHandler, PrivateAttr, model_validator

from fracas.content.condition_model import WrittenCondition
from fracas.content.validate import Keyed, Model, TextOrTable, printable
from fracas.rulesets.squads.rules.constants import (
    LARGEST_PERCENT,
    LARGEST_ROUND_CAP,
    LARGEST_STAT,
    MAX_ABILITIES,
    MAX_EFFECTS,
    MAX_PRIORITIES,
    MAX_STAGES,
    SIDE_SLOTS,
)

Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(printable)]
Seed = Annotated[str, Field(min_length=1, max_length=1000)]
Note = Annotated[str, Field(max_length=2000)]
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
    """How many round ends it strikes at, this round's first."""


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
    """Something a unit can do: whom it reaches and what it does to each of them."""

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


class Unit(Model):
    """A fighter."""

    id: Id
    name: Name
    class_: Annotated[ClassName, Field(alias="class")]
    hp: Stat
    attack: Stat
    defense: Defense
    speed: Stat
    class_ability: Id | None = None
    """An ability; absent means the class's own."""
    ultimate: Id | None = None
    """An ability; absent means the class's own."""
    tier: Annotated[int, Field(ge=1, le=5)] | None = None
    note: Note = ""


class UnitEntry(Model):
    """A unit in a scenario: complete, or a unit of the content with some values replaced."""

    id: Id
    name: Name | None = None
    class_: Annotated[ClassName | None, Field(alias="class")] = None
    hp: Stat | None = None
    attack: Stat | None = None
    defense: Defense | None = None
    speed: Stat | None = None
    class_ability: Id | None = None
    ultimate: Id | None = None
    tier: Annotated[int, Field(ge=1, le=5)] | None = None
    note: Note = ""


class ClassDefaults(Model):
    """What units of a class can do unless they say otherwise."""

    id: ClassName
    class_ability: Id
    ultimate: Id


class ModifierNumbers(Model):
    """What an environment changes; absent means unchanged."""

    damage: Percent | None = None
    """Per cent of the attacker's damage."""
    defense: Percent | None = None
    """Per cent of the defender's defense."""
    healing: Percent | None = None
    """Per cent of the healer's heals and shields."""
    speed: Percent | None = None
    """Per cent of a unit's speed."""
    critical_chance: Chance | None = None
    """Replaces the chain's chance, in per cent."""
    critical_multiplier: Percent | None = None
    """Replaces the chain's multiplier, in per cent."""


class Modifier(ModifierNumbers):
    """An environment; a class's number replaces the overall one."""

    id: Id
    name: Name
    rotation: Annotated[int, Field(ge=0, le=51)] | None = None
    """Its place in the weekly rotation, from 0."""
    note: Note = ""
    classes: dict[ClassName, ModifierNumbers] = {}


class FormationNumbers(Model):
    """What a formation does to its side."""

    attack: Percent = 100
    """Per cent of the damage that the side deals. Options that leave a number out keep the profile's."""
    defense: Percent = 100
    """Per cent of the side's defense."""
    taken: Percent = 100
    """Per cent of the damage that the side takes (stage formation_exclusive only)."""


def _is_complete(table: dict[Formation, FormationNumbers]) -> dict[Formation, FormationNumbers]:
    missing = [name for name in get_args(Formation) if name not in table]
    if missing:
        raise ValueError(f"lacks {', '.join(missing)}")
    return table


AllFormations = Annotated[dict[Formation, FormationNumbers], AfterValidator(_is_complete)]


class FormationTable(Model):
    """The numbers of the four formations."""

    id: Id
    table: AllFormations
    note: Note = ""


class ChainStage(Model):
    """One stage of the damage chain. Which parameters it takes depends on the stage."""

    stage: Id
    """formation, formation_exclusive, class_advantage, critical, environment, defense, minimum, fatigue, scale, add,
    cap, or a stage that a plug-in provides."""
    strong: Percent | None = None
    weak: Percent | None = None
    chance: Chance | None = None
    multiplier: Percent | None = None
    percent: Percent | None = None
    at_least: Amount | None = None
    at_most: Amount | None = None
    amount: Amount | None = None
    after: Annotated[int, Field(ge=0, le=LARGEST_ROUND_CAP)] | None = None
    per_round: Percent | None = None

    @model_validator(mode="after")
    def _takes_its_parameters(self) -> ChainStage:
        given = self.model_fields_set - {"stage"}
        if self.stage in STAGE_PARAMETERS:
            accepted = STAGE_PARAMETERS[self.stage]
            strange = sorted(given - set(accepted))
            if strange:
                takes = ", ".join(accepted) if accepted else "no parameters"
                raise ValueError(f'stage "{self.stage}" does not take {", ".join(strange)}; it takes {takes}')
        elif given:
            raise ValueError(
                f'a plug-in\'s stage takes no parameters; "{self.stage}" was given {", ".join(sorted(given))}'
            )
        return self


# Each shipped stage's parameters with their defaults, in the order in which the record keeps them.
STAGE_PARAMETERS: dict[str, dict[str, int]] = {
    "formation": {},
    "formation_exclusive": {},
    "class_advantage": {"strong": 120, "weak": 80},
    "critical": {"chance": 10, "multiplier": 150},
    "environment": {},
    "defense": {"percent": 50, "at_least": 0},
    "minimum": {"at_least": 1},
    "fatigue": {"after": 20, "per_round": 10},
    "scale": {"percent": 100},
    "add": {"amount": 0},
    "cap": {"at_most": 10**9},
}


class Chain(Model):
    """The stages that turn an attack's power into damage, in order."""

    id: Id
    stages: Annotated[list[ChainStage], Field(max_length=MAX_STAGES)]
    note: Note = ""


class InlineChain(Model):
    """A damage chain written in a scenario."""

    stages: Annotated[list[ChainStage], Field(max_length=MAX_STAGES)]


class Options(Model):
    """Rule options; absent means what the profile says."""

    round_cap: Annotated[int, Field(ge=1, le=LARGEST_ROUND_CAP)] | None = None
    """Rounds until the HP left decide."""
    healer_threshold: Chance | None = None
    """An unconfigured heal needs a living ally below this per cent of HP."""
    healer_fallback: Literal["unless_configured", "always"] | None = None
    """always: healers heal even after their condition refused."""
    ultimate_rule: Literal["charge", "cooldown"] | None = None
    """Whether ultimates wait for charge, or are ready at once and then cool down."""
    charge_action: Chance | None = None
    """Charge for a class ability or basic attack."""
    charge_hit: Chance | None = None
    """Charge for a hit that takes HP."""
    cap_tie: Literal["draw", "side1"] | None = None
    """Who wins with equal HP at the cap."""
    chain: TextOrTable[Id, InlineChain] | None = None
    """The damage chain: one of the content's, or stages written here."""
    formations: TextOrTable[Id, dict[Formation, FormationNumbers]] | None = None
    """The formation table: one of the content's, or numbers that replace the profile's, each by itself."""


class Profile(Model):
    """A named set of rule options."""

    id: Id
    note: Note = ""
    base: Id | None = None
    """The profile whose options count where this one says nothing."""
    options: Options = Options()
    packs: list[Id] = []
    """Shipped packs that the profile loads over the usual content."""


class AbilityOrder(Model):
    """When and on whom a side uses an ability."""

    when: Condition | None = None
    """A condition; absent means whenever it is ready (heals: when someone is hurt)."""
    target: Selector | None = None
    """Absent means the ability's own default."""


# The keys of a strategy that have two spellings: as files write them in JSON, and in TOML.
BOTH_SPELLINGS = {"targetPriority": "target_priority", "allyPriority": "ally_priority"}


def _with_both_spellings(schema: dict[str, Any]) -> None:
    for key, other in BOTH_SPELLINGS.items():
        schema["properties"][other] = schema["properties"][key]


class Strategy(Model):
    """How a side fights. Everything is optional."""

    model_config = ConfigDict(json_schema_extra=_with_both_spellings)

    formation: Formation = "balanced"
    target_priority: Annotated[list[Priority], Field(alias="targetPriority", max_length=MAX_PRIORITIES)] = []
    """Walked in order until one yields a living enemy."""
    ally_priority: Annotated[list[Priority], Field(alias="allyPriority", max_length=MAX_PRIORITIES)] = []
    """Walked in order until one yields an ally, for abilities aimed by priority_ally."""
    abilities: dict[Name, AbilityOrder] = {}
    """By ability id or display name."""

    _spelled: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def priority_key(self) -> str:
        """What the file calls `target_priority`: that, or `targetPriority`."""
        return self._spelled.get("target_priority", "target_priority")

    @property
    def ally_priority_key(self) -> str:
        """What the file calls `ally_priority`: that, or `allyPriority`."""
        return self._spelled.get("ally_priority", "ally_priority")

    @model_validator(mode="wrap")
    @classmethod
    def _one_spelling(cls, document: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        spelled = dict[str, str]()
        for key, other in BOTH_SPELLINGS.items() if isinstance(document, dict) else ():
            used = {key, other} & set(document)
            if len(used) > 1:
                raise ValueError(f'has both "{key}" and "{other}"; keep one')
            if used:
                spelled[other] = used.pop()
        strategy = read(document)
        strategy._spelled = spelled
        return strategy


class NamedStrategy(Strategy):
    """A strategy of the content."""

    id: Id
    name: Name
    level: Literal["naive", "basic", "solid", "expert"] = "basic"
    note: Note = ""


class Opponent(Model):
    """A preset side to play against."""

    id: Id
    name: Name
    tier: Literal["novice", "intermediate", "expert"]
    units: Annotated[list[Id], Field(min_length=1, max_length=SIDE_SLOTS)]
    strategy: TextOrTable[Id, Strategy]
    note: Note = ""


class ContentFile(Model):
    """One TOML file of a content pack; all files of a pack's folder are read together."""

    units: list[Unit] = []
    classes: list[ClassDefaults] = []
    abilities: list[Ability] = []
    modifiers: list[Modifier] = []
    chains: list[Chain] = []
    formations: list[FormationTable] = []
    profiles: list[Profile] = []
    strategies: list[NamedStrategy] = []
    opponents: list[Opponent] = []


class Side(Model):
    """One side of a scenario."""

    name: Name | None = None
    units: Annotated[list[TextOrTable[Id, UnitEntry]], Field(min_length=1, max_length=SIDE_SLOTS)] | None = None
    """Ids of the content, or units written here."""
    opponent: Id | None = None
    """A preset side instead of units."""
    strategy: TextOrTable[str, Strategy] | None = None
    """The id of a strategy, a JSON or TOML file beside the scenario, or a strategy written here."""

    @model_validator(mode="after")
    def _has_units(self) -> Side:
        if (self.units is None) == (self.opponent is None):
            raise ValueError(
                "needs either units or an opponent" if self.units is None else "has both units and an opponent"
            )
        return self


class Scenario(Model):
    """A squads scenario file."""

    ruleset: Literal["squads"]
    id: Name | None = None
    note: Note = ""
    seed: Seed | None = None
    """The seed text; absent means the id."""
    profile: Id | None = None
    date: datetime.date | None = None
    """Chooses the weekly environment modifier."""
    modifier: TextOrTable[Id, Modifier] | None = None
    """An environment modifier by name, or written here."""
    options: Options = Options()
    abilities: Annotated[dict[Id, Ability], Keyed(Ability)] = {}
    """Abilities of this scenario's own, over the content's."""
    sides: Annotated[list[Side], Field(min_length=2, max_length=2)]

    @model_validator(mode="after")
    def _abilities_go_by_their_ids(self) -> Scenario:
        for key, ability in self.abilities.items():
            if key != ability.id:
                raise ValueError(f'abilities.{key} has the id "{ability.id}"; both must be the same')
        return self

    @model_validator(mode="before")
    @classmethod
    def _date_may_be_text(cls, document: Any) -> Any:
        if isinstance(document, dict) and isinstance(document.get("date"), str):
            try:
                return document | {"date": datetime.date.fromisoformat(document["date"])}
            except ValueError:
                return document
        return document


class ResolvedUnit(Model):
    """A unit with nothing left to look up."""

    id: Id
    name: Name
    class_: Annotated[ClassName, Field(alias="class")]
    hp: Stat
    attack: Stat
    defense: Defense
    speed: Stat
    class_ability: Id
    ultimate: Id


class ResolvedSide(Model):
    """A side with nothing left to look up."""

    name: Name
    units: Annotated[list[ResolvedUnit], Field(min_length=1, max_length=SIDE_SLOTS)]
    strategy: Strategy


class ResolvedOptions(Model):
    """Every rule option with its value."""

    round_cap: Annotated[int, Field(ge=1, le=LARGEST_ROUND_CAP)]
    healer_threshold: Chance
    healer_fallback: Literal["unless_configured", "always"]
    ultimate_rule: Literal["charge", "cooldown"]
    charge_action: Chance
    charge_hit: Chance
    cap_tie: Literal["draw", "side1"]
    chain: InlineChain
    formations: AllFormations


class Resolved(Model):
    """A battle's complete input: what a replay embeds and the compiler reads."""

    ruleset: Literal["squads"]
    id: Name
    seed: Seed
    profile: Id
    modifier: Modifier | None
    options: ResolvedOptions
    sides: Annotated[list[ResolvedSide], Field(min_length=2, max_length=2)]
    abilities: Annotated[dict[Id, Ability], Field(max_length=MAX_ABILITIES)]
