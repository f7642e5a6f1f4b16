"""Models of relics scenarios and content files, and of the resolved battle that the compiler reads."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from fracas.content.field_types import Id, ProfileHead, ResolvedHead, ScenarioHead
from fracas.content.keyed_entries import keys_are_ids
from fracas.content.validate import Keyed, Model
from fracas.rulesets.relics.content.models.fighters import Fighter, ResolvedFighter
from fracas.rulesets.relics.content.models.items import Boss, Enemy, Item, ItemSet, OwnStatus, ResolvedStatus, StatusId
from fracas.rulesets.relics.content.models.rule_options import NO_OPTIONS, Options, ResolvedOptions
from fracas.rulesets.relics.rules.constants import OWN_STATUSES


class Profile(ProfileHead):
    """A named set of rule options."""

    options: Options = NO_OPTIONS


class ContentFile(Model):
    """One TOML file of a content pack; all files of a pack's folder are read together."""

    items: list[Item] = []
    sets: list[ItemSet] = []
    statuses: list[OwnStatus] = []
    enemies: list[Enemy] = []
    bosses: list[Boss] = []
    profiles: list[Profile] = []


class Scenario(ScenarioHead):
    """A relics scenario file: two fighters."""

    ruleset: Literal["relics"]
    options: Options = NO_OPTIONS
    items: Annotated[dict[Id, Item], Keyed(Item)] = {}
    """The scenario's own items; they replace content items of the same id."""
    statuses: Annotated[dict[StatusId, OwnStatus], Keyed(OwnStatus)] = {}
    """The scenario's own statuses; they replace content statuses of the same id."""
    left: Fighter
    right: Fighter

    _entries_go_by_their_ids = model_validator(mode="after")(keys_are_ids("items", "statuses"))


class Resolved(ResolvedHead):
    """A battle's complete input: what a replay embeds and the compiler reads."""

    ruleset: Literal["relics"]
    options: ResolvedOptions
    left: ResolvedFighter
    right: ResolvedFighter
    statuses: Annotated[dict[StatusId, ResolvedStatus], Keyed(ResolvedStatus), Field(max_length=OWN_STATUSES)] = {}
    """The own statuses that the battle can involve, by id."""
