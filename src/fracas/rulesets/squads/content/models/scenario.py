"""Models of squads content files and scenarios, and of the resolved battle that is compiled."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from fracas.content.field_types import Id, Name, ResolvedHead, ScenarioHead
from fracas.content.keyed_entries import keys_are_ids
from fracas.content.validate import Keyed, Model, TextOrTable
from fracas.rulesets.squads.content.models.abilities import Ability
from fracas.rulesets.squads.content.models.rules_tables import (
    NO_OPTIONS,
    Chain,
    FormationTable,
    Modifier,
    Options,
    Profile,
    ResolvedOptions,
)
from fracas.rulesets.squads.content.models.units import (
    ClassDefaults,
    NamedStrategy,
    Opponent,
    Strategy,
    Unit,
    UnitEntry,
    UnitNumbers,
)
from fracas.rulesets.squads.rules import constants as codes


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
    units: Annotated[list[TextOrTable[Id, UnitEntry]], Field(min_length=1, max_length=codes.SIDE_SLOTS)] | None = None
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


class Scenario(ScenarioHead):
    """A squads scenario file."""

    ruleset: Literal["squads"]
    date: datetime.date | None = None
    """Chooses the weekly environment modifier."""
    modifier: TextOrTable[Id, Modifier] | None = None
    """An environment modifier by name, or written here."""
    options: Options = NO_OPTIONS
    abilities: Annotated[dict[Id, Ability], Keyed(Ability)] = {}
    """The scenario's own abilities; they replace the content's with the same id."""
    sides: Annotated[list[Side], Field(min_length=2, max_length=2)]

    _own_ids = model_validator(mode="after")(keys_are_ids("abilities"))

    @model_validator(mode="before")
    @classmethod
    def _date_may_be_text(cls, document: Any) -> Any:
        if isinstance(document, dict) and isinstance(document.get("date"), str):
            try:
                return document | {"date": datetime.date.fromisoformat(document["date"])}
            except ValueError:
                return document
        return document


class ResolvedUnit(UnitNumbers):
    """A unit with all references resolved."""

    class_ability: Id
    ultimate: Id


class ResolvedSide(Model):
    """A side with all references resolved."""

    name: Name
    units: Annotated[list[ResolvedUnit], Field(min_length=1, max_length=codes.SIDE_SLOTS)]
    strategy: Strategy


class Resolved(ResolvedHead):
    """A battle's complete input: what a replay embeds and the compiler reads."""

    ruleset: Literal["squads"]
    modifier: Modifier | None
    options: ResolvedOptions
    sides: Annotated[list[ResolvedSide], Field(min_length=2, max_length=2)]
    abilities: Annotated[dict[Id, Ability], Field(max_length=codes.MAX_ABILITIES)]
