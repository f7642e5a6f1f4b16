"""Models of titans files: content, scenarios and sessions, and the resolved duel that the compiler reads."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from fracas.content.field_types import Id, Name, Note, ProfileHead, ResolvedHead, ScenarioHead
from fracas.content.keyed_entries import keys_are_ids
from fracas.content.partial_models import partial
from fracas.content.validate import Keyed, Model, TextOrTable
from fracas.errors.suggestions import quoted
from fracas.rulesets.shared.commit_reveal import HEX_DIGITS, is_hex
from fracas.rulesets.titans.content.ability_models import (
    Ability,
    AnyTitan,
    NamedPolicy,
    Policy,
    PolicyEntry,
    Titan,
    TitanEntry,
)
from fracas.rulesets.titans.rules.constants import LARGEST_ROUND_CAP, MAX_ABILITIES, PLAYERS
from fracas.rulesets.titans.rules.options import RuleOptions


def _hex(value: Any) -> Any:
    """Check for 64 hex digits. Some values are secret, so messages never show them."""
    if not is_hex(value):
        raise PydanticCustomError("hex", f"is not a text of {HEX_DIGITS} lower-case hexadecimal digits")
    return value


Hex = Annotated[str, BeforeValidator(_hex)]
Salt = Annotated[str, Field(max_length=200)]
Deadline = Annotated[int, Field(ge=1, le=10_000_000)]
Pair = Annotated[list[Id], Field(min_length=PLAYERS, max_length=PLAYERS)]


class ResolvedOptions(RuleOptions, Model):
    """Every rule option with its value."""

    @model_validator(mode="after")
    def _hp_are_a_range(self) -> ResolvedOptions:
        if self.generated_hp_low > self.generated_hp_high:
            raise ValueError(
                f"generated_hp_low {self.generated_hp_low} is above generated_hp_high {self.generated_hp_high}"
            )
        return self


@partial()
class Options(RuleOptions, Model):
    """Rule options; absent means the profile's value."""


NO_OPTIONS = Options.model_validate({})


class Profile(ProfileHead):
    """A named set of rule options."""

    options: Options = NO_OPTIONS


class Archetype(Model):
    """A kind of titans."""

    id: Id
    name: Name
    note: Note = ""


class ContentFile(Model):
    """One TOML file of a content pack; all files of a pack's folder are read together."""

    abilities: list[Ability] = []
    archetypes: list[Archetype] = []
    titans: list[Titan] = []
    policies: list[NamedPolicy] = []
    profiles: list[Profile] = []


class Player(Model):
    """One of the two players."""

    name: Name | None = None
    titan: AnyTitan
    """The id of a titan, a titan defined here, or { generate = "any text" }."""
    policy: PolicyEntry | None = None
    """random, greedy, a policy's id, a JSON or TOML file beside the scenario, or rules or a table defined here."""


class Scenario(ScenarioHead):
    """A titans scenario file."""

    ruleset: Literal["titans"]
    options: Options = NO_OPTIONS
    abilities: Annotated[dict[Id, Ability], Keyed(Ability)] = {}
    """The scenario's own abilities; they replace content abilities of the same id."""
    players: Annotated[list[Player], Field(min_length=PLAYERS, max_length=PLAYERS)]

    _own_ids = model_validator(mode="after")(keys_are_ids("abilities"))


class ResolvedPlayer(Model):
    """A player with nothing left to look up."""

    name: Name
    titan: TitanEntry
    policy: TextOrTable[Literal["random", "greedy"], Policy]


class Resolved(ResolvedHead):
    """A duel's complete input: what a replay embeds and the compiler reads."""

    ruleset: Literal["titans"]
    options: ResolvedOptions
    players: Annotated[list[ResolvedPlayer], Field(min_length=PLAYERS, max_length=PLAYERS)]
    abilities: Annotated[dict[Id, Ability], Field(max_length=MAX_ABILITIES)]

    @model_validator(mode="after")
    def _players_differ(self) -> Resolved:
        if self.players[0].name == self.players[1].name:
            raise ValueError(f"both players are named {quoted(self.players[0].name)}")
        return self


class SessionStart(Model):
    """The arguments of a new session apart from its scenario."""

    server_seed: Hex
    deadline: Deadline | None = None


class SessionFile(Model):
    """A saved duel between people: everything that decides it, and a seal over all of it."""

    format: Literal["fracas duel session"]
    version: Literal[2]
    rules_version: Annotated[int, Field(ge=1)]
    scenario: dict[str, Any]
    """The resolved duel."""
    deadline: Deadline | None
    """Seconds for each round; null means no limit."""
    server_seed: Hex
    """Secret until the duel is over."""
    commitment: Hex
    """The commitment shown before the duel: binds the seed, rules, scenario with policies, and deadline."""
    salt_seals: Annotated[list[Hex | None], Field(min_length=PLAYERS, max_length=PLAYERS)]
    """Each player's seal of its salt, shown before the other's salt was known."""
    salts: Annotated[list[Salt | None], Field(min_length=PLAYERS, max_length=PLAYERS)]
    """Each player's salt, which may be empty; the dice are fixed once both are given."""
    nonces: Annotated[list[Hex | None], Field(min_length=PLAYERS, max_length=PLAYERS)]
    """The nonces that hid the salts behind their seals."""
    rounds: Annotated[list[Pair], Field(max_length=LARGEST_ROUND_CAP)]
    """Both players' choices, by round."""
    digests: Annotated[list[Hex], Field(max_length=LARGEST_ROUND_CAP)]
    """The blake3 digest of each round's event rows."""
    pending: Annotated[list[Id | None], Field(min_length=PLAYERS, max_length=PLAYERS)]
    """The choices submitted for the current round."""
    seal: Hex
    """blake3 over all the rest (titans/README.md, Session)."""
