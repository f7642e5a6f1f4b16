"""Lints squads scenarios, content and strategies: finds valid input that is probably a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fracas.conditions import parse
from fracas.conditions.range_analysis import SHARE_SCALE, Bounds, constant_value, declared_values
from fracas.content.packs import Library
from fracas.content.validate import validate
from fracas.errors.suggestions import nearest
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugin, Plugins
from fracas.rulesets.contract.types import Document, Finding, Source
from fracas.rulesets.shared.condition_lint import condition_findings
from fracas.rulesets.shared.duplicate_names import own_same_names, same_names
from fracas.rulesets.shared.trial_battles import all_end_with
from fracas.rulesets.squads.content.checks import bare_resolver, resolver_for, strategies_of
from fracas.rulesets.squads.content.compile import compile_battle
from fracas.rulesets.squads.content.library import ABILITY_SLOTS, library_for
from fracas.rulesets.squads.content.models.abilities import Ability
from fracas.rulesets.squads.content.models.names import BASIC_ATTACK
from fracas.rulesets.squads.content.models.rules_tables import STAGE_PARAMETERS, ChainStage, InlineChain
from fracas.rulesets.squads.content.models.scenario import Resolved, ResolvedSide, Scenario, Side
from fracas.rulesets.squads.content.models.units import NamedStrategy, Strategy
from fracas.rulesets.squads.content.resolver import Resolver, target_fits
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.entry_points import play_many
from fracas.rulesets.squads.rules.state import result_t

AREAS = ("all_enemies", "all_allies")
SLOT_KINDS = {"class_ability": "class", "ultimate": "ultimate"}
# The stage that uses each number of a modifier; speed and healing need none.
MODIFIER_STAGES = {
    "damage": "environment",
    "defense": "defense",
    "critical_chance": "critical",
    "critical_multiplier": "critical",
}
# Stages without effect, by name and parameters; and the parameters with which a stage turns 0 damage into more.
IDLE_STAGES = {"scale": {"percent": 100}, "add": {"amount": 0}, "class_advantage": {"strong": 100, "weak": 100}}
LIFTING = ("at_least", "amount")
# The most battles to try for an end before the cap, and the most rounds of all of them together.
MOST_TRIES, MOST_ROUNDS = 10, 2000


def lint_scenario(
    document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
) -> list[Finding]:
    """Lint a scenario; strategies of the content are linted with the content.

    Raises:
        InputError: the scenario is not valid.
    """
    resolver = resolver_for(document, source, folders, plugins=plugins)
    plain = resolver.resolve().document
    resolved = validate(Resolved, plain, source.where)
    findings = [*_scenario_findings(resolver.scenario, resolved, source.where)]
    findings += _cannot_end(plain, resolved, plugins, source.where)
    findings += own_same_names({"abilities": resolver.scenario.abilities}, resolver.library, source.where)
    for side_index, side in enumerate(resolver.scenario.sides):
        strategy = _own_strategy(resolver, side_index, side)
        if strategy is not None:
            where = f"{source.where}: sides.{side_index}.strategy."
            findings += _strategy_of_side(strategy, where, resolver, resolved, side_index)
    return findings


def lint_library(library: Library, origin: str | None = None) -> list[Finding]:
    """Lint content, or one of its files."""
    findings: list[Finding] = []
    for file, path, strategy in strategies_of(library, origin):
        findings += lint_strategy(strategy, f"{file}: {path}.", bare_resolver(Source(file), library))
    for finding in (*_unused_abilities(library), *_wrong_slots_of_content(library), *_shared(library)):
        if origin is None or finding.where.startswith(f"{origin}: "):
            findings.append(finding)
    findings += same_names(library, origin)
    return findings


def lint_strategy_file(document: Document, source: Source, folders: Sequence[Path]) -> list[Finding]:
    """Lint a valid strategy file."""
    resolver = bare_resolver(source, library_for(None, folders))
    return lint_strategy(validate(Strategy, document, source.where), f"{source.where}: ", resolver)


# Strategies.


@dataclass(frozen=True)
class FactBounds(Bounds):
    """The bounds of a condition's facts: the sizes of both sides, the round cap, and the slot of its ability."""

    allies: int = codes.SIDE_SLOTS
    enemies: int = codes.SIDE_SLOTS
    round_cap: int = codes.LARGEST_ROUND_CAP
    has_charge: bool = True
    """False under ultimate_rule = "cooldown", where no unit gains charge."""
    slot: str = ""
    """class_ability or ultimate; empty if it may be either. A condition is evaluated only when its ability is ready."""

    def values(self, fact: str) -> range:
        """The values that a fact can have where a condition is evaluated."""
        if fact.endswith("hp_pct"):
            return range(1, 100 * SHARE_SCALE + 1)
        if fact.endswith("charge"):
            low = codes.MAX_CHARGE if fact == "self.charge" and self.slot == "ultimate" else 0
            return range(low, codes.MAX_CHARGE + 1) if self.has_charge else range(1)
        if fact == "self.cooldown" and self.slot == "class_ability":
            return range(1)
        if fact in ("allies.count", "enemies.count"):
            return range(1, self.size(fact.partition(".")[0]) + 1)
        return range(1, self.round_cap + 1) if fact == "round" else declared_values(VOCABULARY, fact)

    def size(self, group: str) -> int:
        """The most living units that a group can have."""
        return self.allies if group == "allies" else self.enemies

    def flag(self, subject: str, status: str) -> bool | None:
        """The value of a flag if it is certain: the deciding unit is never stunned."""
        return False if (subject, status) == ("self", "stunned") else None


def _own_strategy(resolver: Resolver, index: int, side: Side) -> Strategy | None:
    """The strategy written for this scenario, in it or in a file beside it."""
    strategy = resolver.strategy(f"sides.{index}.strategy", side.strategy)
    return None if isinstance(strategy, NamedStrategy) else strategy


def _strategy_of_side(
    strategy: Strategy, where: str, resolver: Resolver, resolved: Resolved, side_index: int
) -> list[Finding]:
    own, other = resolved.sides[side_index], resolved.sides[1 - side_index]
    options = resolved.options
    bounds = FactBounds(len(own.units), len(other.units), options.round_cap, options.ultimate_rule == "charge")
    findings = lint_strategy(strategy, where, resolver, own, bounds)
    enemies, allies = (strategy.priority_key, other, "the other side"), (strategy.ally_priority_key, own, "the side")
    for key, side, whose in (enemies, allies):
        classes: set[str] = {unit.class_ for unit in side.units}
        for number, entry in enumerate(_lists_of(strategy)[key]):
            if entry in codes.CLASS_PRIORITIES and entry.removesuffix("s") not in classes:
                message = f'{whose} has no {entry}, so "{entry}" never finds a target'
                findings.append(Finding("absent-class", f"{where}{key}.{number}", message))
    if "tank" not in {unit.class_ for unit in own.units}:
        for name, order in strategy.abilities.items():
            if order.target == "tank_ally":
                message = 'the side has no tanks, so "tank_ally" picks the most hurt ally'
                findings.append(Finding("absent-class", f"{where}abilities.{name}.target", message))
    return findings


def _lists_of(strategy: Strategy) -> dict[str, Sequence[str]]:
    """A strategy's priority lists by their keys."""
    return {strategy.priority_key: strategy.target_priority, strategy.ally_priority_key: strategy.ally_priority}


def lint_strategy(
    strategy: Strategy,
    where: str,
    resolver: Resolver,
    side: ResolvedSide | None = None,
    bounds: FactBounds | None = None,
) -> list[Finding]:
    """Lint one strategy, for its own side or for any; `where` is the prefix of its paths."""
    findings = [*_dead_priorities(strategy, where), *_idle_list_of_allies(strategy, where)]
    slots = {BASIC_ATTACK: ""} if side is None else _slots_of(side)
    for key, order in strategy.abilities.items():
        path = f"{where}abilities.{key}"
        ability = resolver.ability_named(path, key, set(slots))
        if side is not None and ability.id not in slots:
            titles = [resolver.abilities[name].name for name in slots]
            message = f'nobody on this side has "{ability.name}"'
            findings.append(Finding("not-owned", path, message, nearest(ability.name, titles)))
        findings += _target_findings(ability, order.target, f"{path}.target")
        slot = slots.get(ability.id, "") if side is not None else _usual_slot(ability)
        parsed = parse(order.when, VOCABULARY, where=f"{path}.when")
        when = replace(bounds or FactBounds(), slot=slot)
        value = None if parsed.tree is None else constant_value(parsed.tree, when)
        findings += condition_findings(parsed, value, f"{path}.when", never=", so the ability is never used")
    return findings


def _slots_of(side: ResolvedSide) -> dict[str, str]:
    """The abilities of a side, each with its slot; empty if units have it in different slots."""
    slots = {BASIC_ATTACK: ""}
    for unit in side.units:
        for slot in ABILITY_SLOTS:
            name = getattr(unit, slot)
            slots[name] = slot if slots.get(name, slot) == slot else ""
    return slots


def _usual_slot(ability: Ability) -> str:
    """The slot of a class ability; empty for ultimates, whose conditions depend on the option ultimate_rule."""
    return "class_ability" if ability.kind == "class" else ""


def _target_findings(ability: Ability, target: str | None, where: str) -> Iterator[Finding]:
    rule = "target-without-effect"
    if target is None:
        return
    if not target_fits(ability, target):
        yield Finding(rule, where, f'"{target}" cannot choose for "{ability.name}"; its default target counts')
    elif ability.reach in AREAS:
        yield Finding(rule, where, f'"{ability.name}" has no choice of targets, so its target is ignored')


def _dead_priorities(strategy: Strategy, where: str) -> Iterator[Finding]:
    for key, entries in _lists_of(strategy).items():
        seen: set[str] = set()
        final: str | None = None
        for index, entry in enumerate(entries):
            path = f"{where}{key}.{index}"
            if final is not None:
                yield Finding(
                    "dead-priority", path, f'"{entry}" is never reached: "{final}" above it always finds somebody'
                )
            elif entry in seen:
                yield Finding("dead-priority", path, f'"{entry}" is already listed above')
            seen.add(entry)
            if entry in codes.SURE_PRIORITIES:
                final = final or entry


def _idle_list_of_allies(strategy: Strategy, where: str) -> Iterator[Finding]:
    """An ally priority list that no ability uses, or a "priority_ally" target without a list."""
    aimed = [name for name, order in strategy.abilities.items() if order.target == "priority_ally"]
    if strategy.ally_priority and not aimed:
        yield Finding("unused-list", f"{where}{strategy.ally_priority_key}", 'no ability aims with "priority_ally"')
    for name in aimed if not strategy.ally_priority else ():
        message = f'there is no {strategy.ally_priority_key}, so "priority_ally" picks the most hurt ally'
        yield Finding("target-without-effect", f"{where}abilities.{name}.target", message)


# Scenarios.


def _scenario_findings(scenario: Scenario, resolved: Resolved, where: str) -> Iterator[Finding]:
    stages = resolved.options.chain.stages
    yield from _modifier_findings(resolved, where)
    if _leaves_nothing(stages):
        yield Finding("no-damage", f"{where}: options.chain", "a scale stage of 0 % removes all damage")
    if isinstance(scenario.options.chain, InlineChain):
        yield from _idle_stages(stages, where)
    if resolved.options.ultimate_rule == "cooldown":
        for key in ("charge_action", "charge_hit"):
            if getattr(scenario.options, key) is not None:
                message = 'nobody gains charge under ultimate_rule = "cooldown"'
                yield Finding("option-without-effect", f"{where}: options.{key}", message)
    for name in scenario.abilities:
        if name not in resolved.abilities:
            yield Finding("unused-ability", f"{where}: abilities.{name}", "no unit of this scenario has it")
    for side_index, side in enumerate(resolved.sides):
        for number, unit in enumerate(side.units):
            yield from _wrong_slots(unit, resolved.abilities, f"{where}: sides.{side_index}.units.{number}")


def _modifier_findings(resolved: Resolved, where: str) -> Iterator[Finding]:
    modifier = resolved.modifier
    if modifier is None:
        return
    keys = {key for numbers in (modifier, *modifier.classes.values()) for key in numbers.model_fields_set}
    stages = {stage.stage for stage in resolved.options.chain.stages}
    if not keys & {"speed", "healing"} and not {MODIFIER_STAGES.get(key) for key in keys} & stages:
        yield Finding("modifier-without-effect", f"{where}: modifier", "no stage of the damage chain uses it")


def _leaves_nothing(stages: Iterable[ChainStage]) -> bool:
    """Whether a stage scales all damage to 0 and no later stage raises it again; a plug-in's stage may."""
    nothing = False
    for stage in stages:
        if stage.stage == "scale" and stage.percent == 0:
            nothing = True
        elif stage.stage not in STAGE_PARAMETERS or any(getattr(stage, key) for key in LIFTING):
            nothing = False
    return nothing


def _idle_stages(stages: Iterable[ChainStage], where: str) -> Iterator[Finding]:
    for index, stage in enumerate(stages):
        if (
            stage.stage in IDLE_STAGES
            and stage.model_dump(include=set(IDLE_STAGES[stage.stage])) == IDLE_STAGES[stage.stage]
        ):
            message = f"the stage {stage.stage} changes nothing with these numbers"
            yield Finding("idle-stage", f"{where}: options.chain.stages.{index}", message)


def _cannot_end(document: Document, resolved: Resolved, plugins: Mapping[str, Plugin], where: str) -> Iterator[Finding]:
    """A match-up that always reaches the round cap: play some of its battles until one ends sooner."""
    cap = resolved.options.round_cap
    tries = min(MOST_TRIES, MOST_ROUNDS // cap)
    compiled = compile_battle(document, plugins)
    if all_end_with((codes.CAP_HP, codes.CAP_EQUAL), compiled, play_many, result_t, tries):
        message = f"the battles 0 to {tries - 1} all end at the cap, after {cap} rounds"
        hint = "raise damage, lower healing, or use the profile tuned, whose hits grow late in a battle"
        yield Finding("cannot-end", where, message, hint)


# Content.


def _wrong_slots(unit: Any, abilities: Mapping[str, Ability], where: str) -> Iterator[Finding]:
    """Abilities in a slot of a unit or class that they are not made for."""
    for slot, kind in SLOT_KINDS.items():
        ability = abilities.get(getattr(unit, slot) or "")
        if ability is not None and ability.kind != kind:
            message = f'"{ability.name}" is of the kind {ability.kind}, but it is in the slot {slot}'
            yield Finding("wrong-slot", f"{where}.{slot}", message)


def _wrong_slots_of_content(library: Library) -> Iterator[Finding]:
    for kind in ("units", "classes"):
        for identifier, entry in library.of(kind).items():
            where = f"{library.origins[kind, identifier]}: {kind}.{identifier}"
            yield from _wrong_slots(entry, library.of("abilities"), where)


def _shared(library: Library) -> Iterator[Finding]:
    """Modifiers that share a place in the rotation."""
    for identifier, other, file in library.sharing("modifiers", "rotation"):
        message = f'"{other}" has the same place in the rotation and wins because it was read first'
        yield Finding("shared-place", f"{file}: modifiers.{identifier}.rotation", message)


def _unused_abilities(library: Library) -> Iterator[Finding]:
    """Abilities of the content that no unit or class has."""
    used = {BASIC_ATTACK}
    for entry in [*library.of("units").values(), *library.of("classes").values()]:
        used |= {entry.class_ability, entry.ultimate}
    for identifier, ability in library.of("abilities").items():
        if identifier not in used and not ability.note:
            where = f"{library.origins['abilities', identifier]}: abilities.{identifier}"
            message = "no unit or class has it; if that is intended, say why in its note"
            yield Finding("unused-ability", where, message)
