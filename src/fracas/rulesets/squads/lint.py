"""What is valid in squads and yet probably not meant; every finding names its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from fracas.content.conditions import And, Comparison, Constant, Named, Not, Or, Parsed, Tree, parse, to_text
from fracas.content.packs import Library
from fracas.content.suggest import nearest
from fracas.content.validate import validate
from fracas.rulesets.contract import Document, Finding, Source
from fracas.rulesets.squads.constants import CLASS_PRIORITIES
from fracas.rulesets.squads.models import Ability, Resolved, Scenario, Strategy
from fracas.rulesets.squads.resolve import BASIC_ATTACK, Resolver, library_for, target_fits
from fracas.rulesets.squads.vocabulary import VOCABULARY

ALWAYS_FOUND = ("lowest_hp", "highest_hp", "highest_threat", "fastest")


def lint_scenario(document: Document, source: Source, folders: Sequence[Path]) -> list[Finding]:
    """Everything questionable in a scenario.

    Raises:
        InputError: the scenario is not even valid.
    """
    scenario = validate(Scenario, document, source.where)
    library = library_for(scenario.profile, folders, f"{source.where}: profile")
    resolver = Resolver(scenario, source, library, {})
    resolved = validate(Resolved, resolver.resolve().document, source.where)
    findings = list(_battle_findings(resolved, source.where))
    for place, side in enumerate(scenario.sides):
        path = f"sides.{place}.strategy"
        chosen = side.strategy
        if chosen is None and side.opponent is not None:
            chosen = library.of("opponents")[side.opponent].strategy
        strategy = resolver.strategy(path, chosen)
        owned = {u.class_ability for u in resolved.sides[place].units} | {
            u.ultimate for u in resolved.sides[place].units
        }
        where = f"{source.where}: {path}"
        findings += lint_strategy(strategy, where, resolver.abilities, owned | {BASIC_ATTACK})
        enemies: set[str] = {unit.class_ for unit in resolved.sides[1 - place].units}
        findings += _absent_classes(strategy, where, enemies)
    return findings


def lint_library(library: Library) -> list[Finding]:
    """Everything questionable in content."""
    findings: list[Finding] = []
    abilities: dict[str, Ability] = library.of("abilities")
    for identifier, strategy in library.of("strategies").items():
        findings += lint_strategy(strategy, f"strategies.{identifier}", abilities, set(abilities))
    findings += _unused_abilities(library)
    return findings


def lint_strategy(strategy: Strategy, where: str, abilities: dict[str, Ability], owned: set[str]) -> list[Finding]:
    """Everything questionable in one strategy; `owned` are the abilities that its side really has."""
    findings = list(_dead_priorities(strategy, where))
    by_name = {name: ability for ability in abilities.values() for name in (ability.id, ability.name.casefold())}
    for key, order in strategy.abilities.items():
        ability = by_name.get(key.casefold())
        if ability is None:
            continue
        path = f"{where}.abilities.{key}"
        if ability.id not in owned:
            hint = nearest(ability.name, [abilities[name].name for name in sorted(owned) if name in abilities])
            findings.append(Finding("not-owned", path, f'nobody on this side has "{ability.name}"', hint))
        if order.target is not None and not target_fits(ability, order.target):
            message = f'"{order.target}" cannot choose for "{ability.name}"; its own default counts'
            findings.append(Finding("target-without-effect", f"{path}.target", message))
        elif order.target is not None and ability.reach in ("all_enemies", "all_allies", "self"):
            message = f'"{ability.name}" leaves nothing to choose, so its target does nothing'
            findings.append(Finding("target-without-effect", f"{path}.target", message))
        findings += _condition_findings(parse(order.when, VOCABULARY, where=f"{path}.when"), f"{path}.when")
    return findings


def _condition_findings(parsed: Parsed, where: str) -> Iterator[Finding]:
    for warning in parsed.warnings:
        yield Finding("unknown-condition", where, warning.message, warning.suggestion)
    if parsed.tree is None:
        return
    value = constant_value(parsed.tree)
    if value is False:
        yield Finding("never-holds", where, f"`{to_text(parsed.tree)}` can never hold, so the ability is never used")
    elif value is True and not isinstance(parsed.tree, Constant):
        yield Finding(
            "always-holds", where, f"`{to_text(parsed.tree)}` always holds", 'write "always" if that is meant'
        )


def constant_value(tree: Tree) -> bool | None:
    """True or False if a condition cannot come out otherwise, None if it can.

    Decided from the ranges of facts, one comparison at a time and for comparisons of one fact joined by `and`.
    """
    match tree:
        case Named():
            return constant_value(tree.tree)
        case Constant():
            return tree.value
        case Not():
            inner = constant_value(tree.part)
            return None if inner is None else not inner
        case Comparison():
            return _within(_possible(tree), _full_range(tree.fact))
        case And():
            return _constant_and(tree)
        case Or():
            values = [constant_value(part) for part in tree.parts]
            return True if True in values else (False if all(value is False for value in values) else None)
        case _:
            return None


def _constant_and(tree: And) -> bool | None:
    values = [constant_value(part) for part in tree.parts]
    if False in values:
        return False
    together: dict[str, set[int]] = {}
    for part in tree.parts:
        inner = part.tree if isinstance(part, Named) else part
        if isinstance(inner, Comparison) and _full_range(inner.fact):
            together.setdefault(inner.fact, set(_full_range(inner.fact)))
            together[inner.fact] &= _possible(inner)
    if any(not possible for possible in together.values()):
        return False
    return True if all(value is True for value in values) else None


def _full_range(fact: str) -> set[int]:
    """The values of a fact that takes few: hit points are a fraction, so they stand for hundredths of a per cent."""
    known = VOCABULARY.fact_by_name[fact]
    if fact == "round":
        return set()
    low, high = known.limits
    if "hp_pct" in fact:
        return set(range(1, 100 * high + 1))
    least = 1 if fact in ("allies.count", "enemies.count") else low
    return set(range(least, high + 1))


def _possible(comparison: Comparison) -> set[int]:
    """The values of a fact's range for which a comparison holds."""
    scale = 100 if "hp_pct" in comparison.fact else 1
    bound = comparison.number * scale
    tests: dict[str, Callable[[int], bool]] = {
        "<": lambda value: value < bound,
        "<=": lambda value: value <= bound,
        ">": lambda value: value > bound,
        ">=": lambda value: value >= bound,
        "==": lambda value: value == bound,
        "!=": lambda value: value != bound,
    }
    holds = tests[comparison.operator]
    return {value for value in _full_range(comparison.fact) if holds(value)}


def _within(possible: set[int], full: set[int]) -> bool | None:
    if not full:
        return None
    return False if not possible else (True if possible == full else None)


def _dead_priorities(strategy: Strategy, where: str) -> Iterator[Finding]:
    seen: set[str] = set()
    final: str | None = None
    for place, entry in enumerate(strategy.target_priority):
        path = f"{where}.targetPriority.{place}"
        if final is not None:
            yield Finding(
                "dead-priority", path, f'"{entry}" is never reached: "{final}" above it always finds somebody'
            )
        elif entry in seen:
            yield Finding("dead-priority", path, f'"{entry}" stands above already')
        seen.add(entry)
        if entry in ALWAYS_FOUND:
            final = final or entry


def _absent_classes(strategy: Strategy, where: str, enemies: set[str]) -> Iterator[Finding]:
    for place, entry in enumerate(strategy.target_priority):
        if entry in CLASS_PRIORITIES and entry.removesuffix("s") not in enemies:
            path = f"{where}.targetPriority.{place}"
            yield Finding("absent-class", path, f'the other side has no {entry}, so "{entry}" finds nobody')


def _battle_findings(resolved: Resolved, where: str) -> Iterator[Finding]:
    stages = [stage.stage for stage in resolved.options.chain.stages]
    if resolved.modifier is not None and not {"environment", "defense", "critical"} & set(stages):
        yield Finding("modifier-without-effect", f"{where}: modifier", "no stage of the damage chain looks at it")
    zeroes = [stage for stage in resolved.options.chain.stages if stage.stage == "scale" and stage.percent == 0]
    if zeroes:
        yield Finding("no-damage", f"{where}: options.chain", "a scale stage of 0 % leaves no damage")
    if "minimum" not in stages and "cap" not in stages:
        for place, side in enumerate(resolved.sides):
            if not _can_hurt(resolved, place):
                message = f"{side.name} cannot get through the other side's defense: the battle can only end at the cap"
                yield Finding("cannot-end", f"{where}: sides.{place}", message)


def _can_hurt(resolved: Resolved, place: int) -> bool:
    """Whether some ability of a side could do damage even without help from class or luck."""
    numbers = resolved.options.formations
    weakest = min(
        unit.defense * numbers[resolved.sides[1 - place].strategy.formation].defense // 200
        for unit in resolved.sides[1 - place].units
    )
    for unit in resolved.sides[place].units:
        for name in (BASIC_ATTACK, unit.class_ability, unit.ultimate):
            for effect in resolved.abilities[name].effects:
                if effect.type == "damage_over_time":
                    return True
                if effect.type == "damage" and _largest_hit(unit, effect) > weakest:
                    return True
    return False


def _largest_hit(unit: Any, effect: Any) -> int:
    power = unit.attack * effect.attack + unit.defense * effect.defense + unit.hp * effect.max_hp
    return int(power * 2 // 100)


def _unused_abilities(library: Library) -> Iterator[Finding]:
    """Abilities of the content that no unit and no class has."""
    used = {BASIC_ATTACK}
    for entry in [*library.of("units").values(), *library.of("classes").values()]:
        used |= {entry.class_ability, entry.ultimate}
    for identifier, ability in library.of("abilities").items():
        if identifier not in used and not ability.note:
            message = "no unit and no class has it, and no note says what it is for"
            yield Finding("unused-ability", f"abilities.{identifier}", message)
