"""Models of the rules that content can set: modifiers, formations, damage chains, options and profiles."""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import AfterValidator, Field, model_validator

from fracas.content.field_types import Id, Name, Note, ProfileHead
from fracas.content.partial_models import partial
from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.squads.content.models.names import Amount, Chance, ClassName, Formation, Percent
from fracas.rulesets.squads.rules.constants import LARGEST_ROUND_CAP, MAX_STAGES
from fracas.rulesets.squads.rules.options import RuleOptions


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

# What stands before the figure of a stage; of all others of these, the figure is a percentage.
_BEFORE_FIGURES = {"defense": "-", "minimum": "at least ", "add": "+", "cap": "at most "}


def figure_text(stage: str, figure: int) -> str:
    """A stage's figure as people read it; empty for a plug-in's, which has none."""
    if stage in _BEFORE_FIGURES:
        return f"{_BEFORE_FIGURES[stage]}{figure}"
    return f"{figure}%" if stage in STAGE_PARAMETERS else ""


class Chain(Model):
    """The stages that turn an attack's power into damage, in order."""

    id: Id
    stages: Annotated[list[ChainStage], Field(max_length=MAX_STAGES)]
    note: Note = ""


class InlineChain(Model):
    """A damage chain written in a scenario."""

    stages: Annotated[list[ChainStage], Field(max_length=MAX_STAGES)]


class ResolvedOptions(RuleOptions, Model):
    """Every rule option with its value."""

    chain: InlineChain
    formations: AllFormations


@partial()
class Options(RuleOptions, Model):
    """Rule options; absent means the profile's value."""

    chain: TextOrTable[Id, InlineChain] | None = None
    """The damage chain: the id of one of the content, or stages written here."""
    formations: TextOrTable[Id, dict[Formation, FormationNumbers]] | None = None
    """The formation table: the id of one of the content, or numbers that replace single numbers of the profile."""


NO_OPTIONS = Options.model_validate({})


class Profile(ProfileHead):
    """A named set of rule options."""

    options: Options = NO_OPTIONS
    packs: list[Id] = []
    """Shipped packs that the profile loads over the usual content."""
