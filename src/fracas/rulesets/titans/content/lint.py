"""Lint titans scenarios and content: find what is valid but probably a mistake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fracas.conditions import parse
from fracas.conditions.range_analysis import constant_value
from fracas.content.packs import Library
from fracas.content.validate import validate
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugins
from fracas.rulesets.contract.types import Document, Finding, Source
from fracas.rulesets.shared.condition_lint import condition_findings
from fracas.rulesets.shared.duplicate_names import own_same_names, same_names
from fracas.rulesets.shared.trial_battles import all_end_with
from fracas.rulesets.titans.content.ability_models import Ability, Effect, GeneratedTitan, Policy, Rule
from fracas.rulesets.titans.content.checks import resolver_for
from fracas.rulesets.titans.content.compile import compile_battle
from fracas.rulesets.titans.content.models import Resolved, ResolvedOptions, Scenario
from fracas.rulesets.titans.content.resolver import ANY_ABILITY, BASIC, FactBounds
from fracas.rulesets.titans.content.vocabulary import VOCABULARY
from fracas.rulesets.titans.rules.constants import CAP_EQUAL, CAP_HP, LARGEST_ROUND_CAP
from fracas.rulesets.titans.rules.entry_points import play_many
from fracas.rulesets.titans.rules.state import result_t

# Stats that only matter with an option, and the option.
STAT_OPTIONS = {
    "evasion": "misses",
    "accuracy": "misses",
    "critical": "criticals",
    "stamina": "stamina_charges",
}
GENERATING = ("generated_hp_low", "generated_hp_high", "generated_abilities", "generated_stats")
# How many duels, and how many rounds in all, to try for an end before the cap.
MOST_TRIES, MOST_ROUNDS = 10, 1000


def lint_scenario(
    document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
) -> list[Finding]:
    """Findings in a scenario; content policies are linted with the content.

    Raises:
        InputError: the scenario is not valid.
    """
    resolver = resolver_for(document, source, folders)
    plain = resolver.resolve().document
    resolved = validate(Resolved, plain, source.where)
    findings = [*_scenario_findings(resolver.scenario, resolved, source.where)]
    findings += own_same_names({"abilities": resolver.scenario.abilities}, resolver.library, source.where)
    bounds = FactBounds(resolved.options.round_cap, resolved.options.sudden_death)
    for index, player in enumerate(resolver.scenario.players):
        policy = resolved.players[index].policy
        where = f"{source.where}: players.{index}.policy"
        if isinstance(policy, Policy) and policy.choices is not None:
            findings += _surplus_choices(policy, resolved.options, where)
        if isinstance(policy, str) or policy.rules is None:
            continue
        is_written_here = not isinstance(player.policy, str) or player.policy.endswith((".toml", ".json"))
        if is_written_here:
            path = f"{where}." if isinstance(player.policy, list) else f"{where}.rules."
            findings += lint_rules(policy.rules, path, bounds)
            findings += _idle_abilities(resolved.players[index].titan.abilities, policy.rules, where)
    return [*findings, *_cannot_end(plain, resolved, source.where)]


def lint_library(library: Library, origin: str | None = None) -> list[Finding]:
    """Findings in content, or in one of its files."""
    findings: list[Finding] = []
    for identifier, policy in library.of("policies").items():
        where = f"{library.origins['policies', identifier]}: policies.{identifier}.rules."
        findings += lint_rules(policy.rules, where, FactBounds(LARGEST_ROUND_CAP, 1))
    for identifier, ability in library.of("abilities").items():
        findings += _idle_effects(ability, f"{library.origins['abilities', identifier]}: abilities.{identifier}", None)
    findings += _unused(library)
    findings += same_names(library, origin)
    return [finding for finding in findings if origin is None or finding.where.startswith(f"{origin}: ")]


def lint_strategy_file(document: Document, source: Source, folders: Sequence[Path]) -> list[Finding]:
    """Findings in a valid policy file."""
    rules = validate(Policy, document, source.where).rules or []
    return [*lint_rules(rules, f"{source.where}: rules.", FactBounds(LARGEST_ROUND_CAP, 1))]


# Policies.


def lint_rules(rules: Sequence[Rule], where: str, bounds: FactBounds) -> Iterator[Finding]:
    """Conditions that never or always hold, and rules that are never reached."""
    final: int | None = None
    for index, rule in enumerate(rules):
        path = f"{where}{index}"
        if final is not None:
            yield Finding("dead-rule", path, f"is never reached: rule {final + 1} above it always applies")
            continue
        parsed = parse(rule.when, VOCABULARY, where=f"{path}.when")
        value = True if parsed.tree is None else constant_value(parsed.tree, bounds)
        hint = "leave the condition out if you mean that"
        yield from condition_findings(parsed, value, f"{path}.when", hint=hint)
        if value and rule.do in BASIC and rule.chance == 100:
            final = index


def _idle_abilities(owned: Sequence[str], rules: Sequence[Rule], where: str) -> Iterator[Finding]:
    """Abilities of a titan that none of its player's rules uses."""
    used = {rule.do for rule in rules}
    if ANY_ABILITY in used:
        return
    for name in owned:
        if name not in used:
            yield Finding("idle-ability", where, f'the titan has "{name}", but no rule uses it')


def _surplus_choices(policy: Policy, options: ResolvedOptions, where: str) -> Iterator[Finding]:
    """Choices for rounds after the cap."""
    assert policy.choices is not None
    if len(policy.choices) > options.round_cap:
        message = f"has {len(policy.choices)} choices, but a duel has at most {options.round_cap} rounds"
        yield Finding("surplus-choices", f"{where}.choices", message)


# Scenarios.


def _scenario_findings(scenario: Scenario, resolved: Resolved, where: str) -> Iterator[Finding]:
    given, options = scenario.options, resolved.options
    if (given.sudden_death or 0) > options.round_cap:
        message = f"the duel ends after round {options.round_cap}, before sudden death"
        yield Finding("option-without-effect", f"{where}: options.sudden_death", message)
    if not any(isinstance(player.titan, GeneratedTitan) for player in scenario.players):
        for key in GENERATING:
            if getattr(given, key) is not None:
                yield Finding(
                    "option-without-effect", f"{where}: options.{key}", "no titan here is generated from a text"
                )
    for key, ability in scenario.abilities.items():
        if key not in resolved.abilities:
            yield Finding("unused-ability", f"{where}: abilities.{key}", "no titan of this scenario has it")
        yield from _idle_effects(ability, f"{where}: abilities.{key}", options)


def _idle_effects(ability: Ability, where: str, options: ResolvedOptions | None) -> Iterator[Finding]:
    """Effects that change nothing, in themselves or under a scenario's options."""
    for index, effect in enumerate(ability.effects):
        message = _why_idle(effect, ability.effects[:index], options)
        if message:
            yield Finding("idle-effect", f"{where}.effects.{index}", message)


def _why_idle(effect: Effect, before: Sequence[Effect], options: ResolvedOptions | None) -> str:
    """Why an effect does nothing; empty if it can do something."""
    if effect.type != "set_charge" and getattr(effect, "amount", None) == 0:
        return f"{effect.type} of 0 changes nothing"
    if effect.type == "heal" and effect.dealt is not None and all(each.type != "damage" for each in before):
        return "heals a share of earlier damage, but no damage effect precedes it"
    if options is None:
        return ""
    if effect.type == "change" and effect.stat in STAT_OPTIONS and not getattr(options, STAT_OPTIONS[effect.stat]):
        return f"{effect.stat} has no effect without the option {STAT_OPTIONS[effect.stat]}"
    if effect.type == "heal" and options.sudden_death == 1:
        return "heals nothing: sudden death starts in round 1"
    return ""


def _cannot_end(document: Document, resolved: Resolved, where: str) -> Iterator[Finding]:
    """A match-up that only the round cap ends, judged by trial duels."""
    cap = resolved.options.round_cap
    tries = max(1, min(MOST_TRIES, MOST_ROUNDS // cap))
    if all_end_with((CAP_HP, CAP_EQUAL), compile_battle(document, {}), play_many, result_t, tries):
        message = f"duels 0 to {tries - 1} all end at the cap, after {cap} rounds"
        yield Finding("cannot-end", where, message, "attack more, heal less or set the option sudden_death")


# Content.


def _unused(library: Library) -> Iterator[Finding]:
    """Abilities that no titan has, and archetypes without titans."""
    titans = library.of("titans").values()
    used = {name for titan in titans for name in titan.abilities}
    used |= {rule.do for policy in library.of("policies").values() for rule in policy.rules}
    for identifier, ability in library.of("abilities").items():
        if identifier not in used and not ability.note:
            where = f"{library.origins['abilities', identifier]}: abilities.{identifier}"
            yield Finding("unused-ability", where, "no titan has it, and it has no note that says why")
    kinds = {titan.archetype for titan in titans}
    for identifier in library.of("archetypes"):
        if identifier not in kinds:
            where = f"{library.origins['archetypes', identifier]}: archetypes.{identifier}"
            yield Finding("unused-archetype", where, "no titan belongs to it")
