"""Resolves a stacks scenario, campaign or world: looks up everything it refers to and fills in every default."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from fracas.content.packs import Library
from fracas.content.profiles import merged_options
from fracas.content.scenario_reader import ScenarioReader, ScenarioResolver
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.files.read import read_named_document
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugins
from fracas.rulesets.contract.types import Document, ResolvedScenario, Source
from fracas.rulesets.shared.checked_scenario import checked_scenario
from fracas.rulesets.shared.resolution import Resolution
from fracas.rulesets.stacks.content.engagement import AttackRefused, encounter, leader_beside, stack_named
from fracas.rulesets.stacks.content.library import (
    CATALOGUE,
    FILE_ENDINGS,
    entry_mentions,
    library_for,
    unknown_names,
)
from fracas.rulesets.stacks.content.map_grid import key_of, neighbours, place_of
from fracas.rulesets.stacks.content.models import CampaignAttack, Resolved, Scenario
from fracas.rulesets.stacks.content.move_types import MOVE_TYPE
from fracas.rulesets.stacks.content.trained_policies import POLICIES
from fracas.rulesets.stacks.content.world_checks import off_map
from fracas.rulesets.stacks.content.world_models import Map, ResolvedStack, ResolvedWorld, UnitType, World, WorldFile
from fracas.rulesets.stacks.content.world_resolver import WorldResolver
from fracas.rulesets.stacks.rules import constants as codes

WORLD_FIELDS = tuple(World.model_fields)


def resolve(
    document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
) -> ResolvedScenario:
    """Resolve a scenario with one attack.

    Raises:
        InputError: every problem of the scenario and of the content it needs; or it is a campaign.
    """
    resolver = resolver_for(document, source, folders, plugins=plugins)
    if resolver.scenario.attacks is not None:
        message = f"a campaign of {len(resolver.scenario.attacks)} attacks is not a single battle"
        raise InputError.of(f"{source.where}: attacks", message, "fight it with fracas world campaign FILE")
    return resolver.resolve()


def resolve_campaign(
    document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
) -> ResolvedScenario:
    """Resolve a campaign, whose document has `attacks`, or a single battle.

    Raises:
        InputError: every problem of the campaign and of the content it needs.
    """
    resolver = resolver_for(document, source, folders, plugins=plugins)
    return resolver.resolve_campaign() if "attacks" in document else resolver.resolve()


def resolve_world(document: Document, source: Source, folders: Sequence[Path], plugins: Plugins) -> Document:
    """Resolve the world of a world file, a campaign or a scenario with one attack.

    Raises:
        InputError: every problem of the file and of the content it needs.
    """
    if "attack" in document or "attacks" in document:
        resolver = resolver_for(document, source, folders, plugins=plugins)
        resolved = resolver.resolve_campaign() if resolver.scenario.is_campaign else resolver.resolve()
        return {key: resolved.document[key] for key in WORLD_FIELDS}
    world = WorldResolver(source.where, library_for(None, folders).of("types"), plugin_moves=None)
    found = world.resolved(validate(WorldFile, document, source.where))
    world.raise_problems()
    return found


class AttackResolver(ScenarioResolver[Scenario]):
    """Resolves one scenario."""

    catalogue = CATALOGUE

    @cached_property
    def plugin_moves(self) -> list[str]:
        """The move types of the loaded plug-ins."""
        return [name for name, plugin in self.plugins.items() if plugin.mark == MOVE_TYPE.mark]

    @cached_property
    def types(self) -> dict[str, UnitType]:
        """The content's unit types and the scenario's own, by id."""
        return {**self.library.of("types"), **self.scenario.types}

    def resolve(self) -> ResolvedScenario:
        """The resolved document of one battle.

        Raises:
            InputError: all that was found.
        """
        attack = self.scenario.attack
        assert attack is not None
        document = self.setting()
        world = self.checked_world(document)
        if world is not None:
            self.check_attack("attack", attack, world, document["options"].get("sides", ""))
        elif "stacks" in document:
            self.check_attack("attack", attack, draft_of(document), None)
        self.raise_problems()
        document["attack"] = {"stack": attack.stack, "tile": list(attack.tile), "number": attack.number or 0}
        return checked_scenario(Resolved, document, self.source.where, dict.fromkeys(self.warnings))

    def resolve_campaign(self) -> ResolvedScenario:
        """The resolved document of a campaign.

        Raises:
            InputError: all that was found.
        """
        attacks = self.scenario.attacks or []
        document = self.setting()
        world = self.checked_world(document)
        for index, attack in enumerate(attacks):
            if world is not None:
                self.check_existence(f"attacks.{index}", attack, world)
        self.raise_problems()
        document["attacks"] = [{"stack": attack.stack, "tile": list(attack.tile)} for attack in attacks]
        return ResolvedScenario(document, tuple(dict.fromkeys(self.warnings)))

    def setting(self) -> Document:
        """Everything except the attack: name, seed, options and world."""
        scenario = self.scenario
        self.check_own_types()
        return {
            **CATALOGUE.head_of(scenario, self.source),
            "options": merged_options(self.given_options()),
            **POLICIES.resolve(self, scenario.policies, self.source),
            **self.world(),
        }

    def world(self) -> Document:
        """The world: written here, of the content, or in a file beside the scenario."""
        name = self.scenario.world
        if name is None:
            given = {key: getattr(self.scenario, key) for key in WORLD_FIELDS}
            world = World.model_construct(**{key: value for key, value in given.items() if value is not None})
            return self.resolved(world, self.origin)
        with self.collecting():
            if name.endswith(FILE_ENDINGS):
                file = self.named_file("world", name, self.source.folder)
                return self.resolved(validate(WorldFile, read_named_document(file), str(file)), str(file))
            world = self.entry("worlds", name, "world", "world")
            return self.resolved(world, self.library.origins["worlds", name], f"worlds.{name}.")
        return {}

    def resolved(self, world: World, origin: str, lead: str = "") -> Document:
        """A world as plain values; problems name the file that it is in."""
        resolver = WorldResolver(origin, self.types, plugin_moves=self.plugin_moves, lead=lead)
        document = resolver.resolved(world)
        self.problems += resolver.problems
        return document

    def check_own_types(self) -> None:
        """Check the groups and moves of the scenario's own unit types, used or not."""
        resolver = WorldResolver(self.origin, self.types, plugin_moves=self.plugin_moves)
        for key, entry in self.scenario.types.items():
            resolver.check_moves(f"types.{key}.moves", entry.moves)
            if entry.group is not None:
                with self.collecting():
                    self.entry("groups", entry.group, f"types.{key}.group", "group of units")
        self.problems += resolver.problems

    def checked_world(self, document: Document) -> ResolvedWorld | None:
        """The world of a document as a model, if there are no problems so far."""
        if self.problems:
            return None
        world = {key: document[key] for key in WORLD_FIELDS}
        return validate(ResolvedWorld, world, self.source.where)

    def check_existence(self, path: str, attack: CampaignAttack, world: ResolvedWorld) -> None:
        """Check that the stack and the tile of an attack exist."""
        if stack_named(world, attack.stack) is None:
            known = [stack.id for stack in world.stacks]
            hint = nearest(attack.stack, known) or f"stacks are {listed(known, 'and')}"
            self.complain(f"{path}.stack", f"there is no stack {quoted(attack.stack)}", hint, expected=known)
        self.problems += off_map(world.map, place_of(attack.tile), self.where(f"{path}.tile"))

    def check_attack(self, path: str, attack: CampaignAttack, world: ResolvedWorld, side_rule: str | None) -> None:
        """Check that an attack is possible; without a rule for sides, only that its tile is a neighbour."""
        before = len(self.problems)
        self.check_existence(path, attack, world)
        if len(self.problems) > before:
            return
        try:
            if side_rule is None:
                leader_beside(world, attack.stack, place_of(attack.tile))
            else:
                encounter(world, attack.stack, attack.tile, side_rule)
        except AttackRefused as obstacle:
            self.complain(f"{path}.tile", str(obstacle), _way_out(obstacle, attack, world))


def draft_of(document: Document) -> ResolvedWorld:
    """The valid parts of an invalid world, enough to look up an attack's stack and tile."""
    stacks = [ResolvedStack.model_construct(id=stack["id"], at=stack["at"]) for stack in document["stacks"]]
    return ResolvedWorld.model_construct(map=Map.model_validate(document["map"]), stacks=stacks)


def _way_out(obstacle: AttackRefused, attack: CampaignAttack, world: ResolvedWorld) -> str | None:
    """A suggestion of what to attack instead."""
    stack = stack_named(world, attack.stack)
    if obstacle.code != codes.NO_NEIGHBOUR or stack is None:
        return None
    around = [key_of(place) for place in neighbours(world.map, place_of(stack.at)).values()]
    return f"its neighbours are {listed(around, 'and')}" if around else "the map has no other tile"


# Content and worlds by themselves.


def check_strategy_file(
    document: Document, source: Source, folders: Sequence[Path] = (), *, strict: bool = False
) -> tuple[Problem, ...]:
    """Check a world file by itself; it may refer to the folders and shipped content.

    Raises:
        InputError: everything wrong with it.
    """
    resolve_world(document, source, folders, {})
    return ()


def check_library(library: Library, origin: str | None = None) -> None:
    """Check that all references and worlds of a library, or of one of its files, are valid.

    Raises:
        InputError: every unknown name and every invalid world.
    """
    problems = list(CATALOGUE.dangling_references(library, entry_mentions, origin))
    for identifier, world, file in library.from_file("worlds", origin):
        resolver = WorldResolver(file, library.of("types"), plugin_moves=None, lead=f"worlds.{identifier}.")
        resolver.resolved(world)
        problems += resolver.problems
    if problems:
        raise InputError(dict.fromkeys(problems))


_RESOLUTION = Resolution(ScenarioReader(Scenario, library_for, check_library, unknown_names), AttackResolver)
resolver_for = _RESOLUTION.resolver_for
