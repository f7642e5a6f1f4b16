"""Models of stacks content files and scenarios, and of the resolved battle that is compiled."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from fracas.content.field_types import Id, Name, ProfileHead, ScenarioHead, Seed
from fracas.content.keyed_entries import keys_are_ids
from fracas.content.partial_models import partial
from fracas.content.validate import Keyed, Model
from fracas.errors.suggestions import listed
from fracas.rulesets.stacks.content.trained_policies import Policies, ResolvedPolicies
from fracas.rulesets.stacks.content.world_models import (
    Factions,
    Group,
    Map,
    NamedWorld,
    ResolvedWorld,
    Revision,
    Stacks,
    Tile,
    Tiles,
    UnitType,
)
from fracas.rulesets.stacks.rules.constants import LARGEST_ATTACK_NUMBER, MAX_ATTACKS
from fracas.rulesets.stacks.rules.options import RuleOptions

# The keys of a world written in a scenario.
WORLD_KEYS = ("map", "factions", "tiles", "stacks", "revision")


class ResolvedOptions(RuleOptions, Model):
    """Every rule option with its value."""


@partial()
class Options(RuleOptions, Model):
    """Rule options; absent means the profile's value."""


NO_OPTIONS = Options.model_validate({})


class Profile(ProfileHead):
    """A named set of rule options."""

    options: Options = NO_OPTIONS


class ContentFile(Model):
    """One TOML file of a content pack; all files of a pack's folder are read together."""

    groups: list[Group] = []
    types: list[UnitType] = []
    worlds: list[NamedWorld] = []
    profiles: list[Profile] = []


class CampaignAttack(Model):
    """An attack of a campaign."""

    stack: Id
    """The stack that attacks."""
    tile: Tile
    """The neighbouring tile that is attacked."""


class Attack(CampaignAttack):
    """An attack by itself."""

    number: Annotated[int, Field(ge=0, le=LARGEST_ATTACK_NUMBER)] | None = None
    """Its number in a campaign, from 0, which selects its dice; absent means 0."""


class Scenario(ScenarioHead):
    """A stacks scenario file: a world and an attack, or a campaign with several attacks."""

    ruleset: Literal["stacks"]
    options: Options = NO_OPTIONS
    types: Annotated[dict[Id, UnitType], Keyed(UnitType)] = {}
    """The scenario's own unit types; they replace the content's with the same id."""
    world: Annotated[str, Field(min_length=1, max_length=1000)] | None = None
    """The id of a world, or a TOML or JSON file beside the scenario; instead of map, factions, tiles and stacks."""
    map: Map | None = None
    factions: Factions | None = None
    tiles: Tiles | None = None
    """Tiles by key, such as "3,3"; only those with an owner or a name."""
    stacks: Stacks | None = None
    revision: Revision | None = None
    policies: Policies | None = None
    """Trained policies of the attackers and the defenders."""
    attack: Attack | None = None
    attacks: Annotated[list[CampaignAttack], Field(min_length=1, max_length=MAX_ATTACKS)] | None = None
    """The attacks of a campaign in order, each on the world that the one before left."""

    @model_validator(mode="after")
    def _has_one_world(self) -> Scenario:
        given = [key for key in WORLD_KEYS if getattr(self, key) is not None]
        if self.world is not None and given:
            raise ValueError(f"names a world, so it cannot also have {listed(given, 'and')}")
        missing = [key for key in ("map", "factions", "stacks") if getattr(self, key) is None]
        if self.world is None and missing:
            other = "" if given else ", or the name of a world"
            raise ValueError(f"needs {listed(missing, 'and')}{other}")
        return self

    @model_validator(mode="after")
    def _has_something_to_fight(self) -> Scenario:
        if self.attack is None and self.attacks is None:
            raise ValueError("needs an attack (a stack and a tile), or in a campaign attacks")
        if self.attack is not None and self.attacks is not None:
            raise ValueError("has both an attack and attacks; a battle has one, a campaign a list")
        return self

    _own_ids = model_validator(mode="after")(keys_are_ids("types"))

    @property
    def is_campaign(self) -> bool:
        """True for a list of attacks, false for a single one."""
        return self.attacks is not None


class ResolvedAttack(CampaignAttack):
    """An attack with its number."""

    number: Annotated[int, Field(ge=0, le=LARGEST_ATTACK_NUMBER)]


class Resolved(ResolvedWorld):
    """A battle's complete input: what a replay embeds and the compiler reads."""

    ruleset: Literal["stacks"]
    id: Name
    seed: Seed
    profile: Id
    options: ResolvedOptions
    policies: ResolvedPolicies | None = None
    attack: ResolvedAttack
