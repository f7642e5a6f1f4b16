"""Lints stacks scenarios, worlds and content: finds valid input that is probably a mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fracas.content.packs import Library
from fracas.content.validate import validate
from fracas.errors.suggestions import nearest, quoted
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugin, Plugins
from fracas.rulesets.contract.types import Document, Finding, Source
from fracas.rulesets.shared.duplicate_names import own_same_names, same_names
from fracas.rulesets.shared.trial_battles import all_end_with
from fracas.rulesets.stacks.content.compile import compile_battle
from fracas.rulesets.stacks.content.engagement import AttackRefused, Encounter, encounter
from fracas.rulesets.stacks.content.library import library_for
from fracas.rulesets.stacks.content.models import Resolved
from fracas.rulesets.stacks.content.scenario_resolver import AttackResolver, resolver_for
from fracas.rulesets.stacks.content.world_models import ResolvedWorld, UnitNumbers, WorldFile
from fracas.rulesets.stacks.content.world_resolver import CHOSEN_MOVES, WorldResolver
from fracas.rulesets.stacks.rules.constants import HARMFUL_MOVES, MOVES, REPELLED, ROLES, TURN_CAP
from fracas.rulesets.stacks.rules.entry_points import play_many
from fracas.rulesets.stacks.rules.state import result_t

# The most battles to try for a decision, and the most participants' turns of all of them together.
MOST_TRIES, MOST_TURNS = 10, 2000
USUAL_TURNS = 20
# Moves that are soon used up: possible only in the first turn, or once in a battle.
SOON_OVER = {"charge", "javelin"}


def lint_scenario(
    document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
) -> list[Finding]:
    """Lint a scenario or a campaign.

    Raises:
        InputError: the scenario is not valid.
    """
    resolver = resolver_for(document, source, folders, plugins=plugins)
    harmful = harmful_moves(plugins)
    findings = [*own_same_names({"types": resolver.scenario.types}, resolver.library, source.where)]
    if resolver.scenario.attacks is not None:
        plain = resolver.resolve_campaign().document
        first = {key: value for key, value in plain.items() if key != "attacks"}
        first["attack"] = {**plain["attacks"][0], "number": 0}
        resolved = validate(Resolved, first, source.where)
        return [
            *findings,
            *world_findings(resolved, resolver.where(""), harmful),
            *_unused_types(resolver, resolved),
            *_first_attack(resolved, resolver.where("attacks.0")),
        ]
    plain = resolver.resolve().document
    resolved = validate(Resolved, plain, source.where)
    drawn = encounter(resolved, resolved.attack.stack, resolved.attack.tile, resolved.options.sides)
    return [
        *findings,
        *_option_findings(resolver, resolved, drawn),
        *world_findings(resolved, resolver.where(""), harmful),
        *_unused_types(resolver, resolved),
        *_field_findings(resolved, drawn, resolver.where("attack")),
        *_never_decided(plain, drawn, plugins, resolver.where("attack")),
    ]


def lint_strategy_file(document: Document, source: Source, folders: Sequence[Path]) -> list[Finding]:
    """Lint a valid world file."""
    resolver = WorldResolver(source.where, library_for(None, folders).of("types"), plugin_moves=None)
    world = validate(ResolvedWorld, resolver.resolved(validate(WorldFile, document, source.where)), source.where)
    return list(world_findings(world, resolver.where(""), None))


def lint_library(library: Library, origin: str | None = None) -> list[Finding]:
    """Lint content, or one of its files."""
    findings: list[Finding] = []
    for identifier, kind, file in library.from_file("types", origin):
        where = f"{file}: types.{identifier}"
        findings += unit_findings(kind, where, None)
    used = {kind.group for kind in library.of("types").values()}
    for identifier, _, file in library.from_file("groups", origin):
        if identifier not in used:
            findings.append(Finding("unused-group", f"{file}: groups.{identifier}", "no unit type belongs to it"))
    findings += same_names(library, origin)
    return findings


def harmful_moves(plugins: Mapping[str, Plugin]) -> frozenset[str]:
    """The move types that can do harm, including plug-ins'."""
    return frozenset(HARMFUL_MOVES) | {name for name, plugin in plugins.items() if plugin.flags.get("harmful", True)}


# Units.


def unit_findings(unit: UnitNumbers, where: str, harmful: frozenset[str] | None) -> Iterator[Finding]:
    """Lint a unit's moves and numbers; unknown moves are ignored if the plug-ins are not known."""
    for name in unit.moves:
        if harmful is None and name not in CHOSEN_MOVES and nearest(name, CHOSEN_MOVES):
            message = f"Fracas has no move type {quoted(name)}"
            yield Finding("foreign-move", f"{where}.moves", message, nearest(name, CHOSEN_MOVES))
    known = harmful if harmful is not None else frozenset(HARMFUL_MOVES) | (set(unit.moves) - set(MOVES))
    harming = [name for name in unit.moves if name in known]
    if not unit.moves:
        yield Finding("no-moves", f"{where}.moves", "it has no moves, so it waits in every turn")
    elif not harming:
        message = "none of its moves does harm; such units are why most attacks are repelled"
        yield Finding("harmless", f"{where}.moves", message, "give it strike")
    elif set(harming) <= SOON_OVER:
        message = f"it can do no more harm after {' and '.join(harming)}"
        yield Finding("harmless-soon", f"{where}.moves", message, "give it a move for the turns after that")
    if set(harming) & set(MOVES) and not set(harming) - set(MOVES):
        if unit.damage == 0:
            yield Finding("no-damage", f"{where}.damage", "a hit takes 0 to 0 health, so none of its moves does harm")
        elif unit.attack == 0:
            yield Finding("no-hit", f"{where}.attack", "an attack roll of 0 to 0 never hits")


def world_findings(world: ResolvedWorld, where: str, harmful: frozenset[str] | None) -> Iterator[Finding]:
    """Units that cannot fight, and factions without tiles or stacks."""
    lead = where.removesuffix(": ")
    for index, stack in enumerate(world.stacks):
        for number, unit in enumerate(stack.units):
            path = f"{lead}: stacks.{index}.units.{number}"
            yield from unit_findings(unit, path, harmful)
    owners = {stack.owner for stack in world.stacks} | {entry.owner for entry in world.tiles.values()}
    named = {ally for faction in world.factions.values() for ally in (*faction.allies, *faction.enemies)}
    for name, faction in world.factions.items():
        if name not in owners and name not in named and not faction.allies:
            yield Finding("unused-faction", f"{lead}: factions.{name}", "it owns nothing, and nothing mentions it")


# Attacks.


def _option_findings(resolver: AttackResolver, resolved: Resolved, drawn: Encounter) -> Iterator[Finding]:
    """Options without effect in this battle."""
    given, options = resolver.scenario.options, resolved.options
    moves = {name for fighter in drawn.fighters for name in fighter.unit.moves}
    rule = "option-without-effect"
    where = resolver.where
    if not moves & {"charge"}:
        for key in ("charge_estimate", "charge_damage"):
            if getattr(given, key) is not None:
                yield Finding(rule, where(f"options.{key}"), "no unit in this battle has charge")
    if "healing" not in moves:
        for key in ("heal_limit", "heal_self"):
            if getattr(given, key) is not None:
                yield Finding(rule, where(f"options.{key}"), "no unit in this battle has healing")
    if given.stale_turns and options.stale_turns >= options.turn_cap:
        yield Finding(rule, where("options.stale_turns"), "the turn cap comes first")
    if (given.idle_turns or 0) > options.turn_cap:
        yield Finding(rule, where("options.idle_turns"), "the turn cap comes first")
    is_equal = len({fighter.unit.initiative for fighter in drawn.fighters}) == 1
    if given.order == "initiative" and is_equal:
        message = "all units have the same initiative, so they act in the order of their ids"
        yield Finding("equal-initiative", where("options.order"), message)


def _unused_types(resolver: AttackResolver, resolved: ResolvedWorld) -> Iterator[Finding]:
    used = {unit.type for stack in resolved.stacks for unit in stack.units}
    for name in resolver.scenario.types:
        if name not in used:
            yield Finding("unused-type", resolver.where(f"types.{name}"), "no unit of this world is of this type")


def _field_findings(resolved: Resolved, drawn: Encounter, where: str) -> Iterator[Finding]:
    """An attack without defenders, or with a stack on the tile that takes no part."""
    if not any(fighter.side for fighter in drawn.fighters):
        yield Finding("unopposed", where, "no one defends the tile, so the attackers win without a turn")
    for standing in drawn.standings:
        is_target = list(standing.stack.at) == list(resolved.attack.tile)
        if is_target and not standing.is_involved:
            message = f"{quoted(standing.stack.id)} stands on the tile and takes no part: it is {ROLES[standing.role]}"
            yield Finding("bystander-on-target", where, message)


def _first_attack(resolved: Resolved, where: str) -> Iterator[Finding]:
    """A campaign whose first attack is skipped."""
    try:
        encounter(resolved, resolved.attack.stack, resolved.attack.tile, resolved.options.sides)
    except AttackRefused as obstacle:
        yield Finding("skipped", where, f"is always skipped: {obstacle}")


def _never_decided(
    document: Document, drawn: Encounter, plugins: Mapping[str, Plugin], where: str
) -> Iterator[Finding]:
    """An attack that neither side ever wins: play some of its battles until one is decided."""
    tries = max(1, min(MOST_TRIES, MOST_TURNS // (max(len(drawn.fighters), 1) * USUAL_TURNS)))
    compiled = compile_battle(document, plugins)
    if all_end_with((REPELLED, TURN_CAP), compiled, play_many, result_t, tries):
        played = f"the battles 0 to {tries - 1} all end" if tries > 1 else "a battle that was tried ends"
        message = f"{played} with both sides alive"
        yield Finding("never-decided", where, message, "raise damage, lower defence, or use fewer healers")
