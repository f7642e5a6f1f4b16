"""Resolve titans scenarios; check content and policy files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fracas.conditions import parse
from fracas.content.packs import Library
from fracas.content.scenario_reader import ScenarioReader
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.rulesets.contract.types import Document, Source
from fracas.rulesets.shared.resolution import Resolution
from fracas.rulesets.titans.content.ability_models import Policy
from fracas.rulesets.titans.content.library import CATALOGUE, entry_mentions, library_for, unknown_names
from fracas.rulesets.titans.content.models import Scenario
from fracas.rulesets.titans.content.resolver import Resolver
from fracas.rulesets.titans.content.vocabulary import VOCABULARY


def check_strategy_file(
    document: Document, source: Source, folders: Sequence[Path] = (), *, strict: bool = False
) -> tuple[Problem, ...]:
    """Check a policy file against itself, the folders and shipped content.

    Raises:
        InputError: every problem found; warnings too if strict.
    """
    policy = validate(Policy, document, source.where)
    resolver = Resolver(Scenario.model_construct(abilities={}), source, library_for(None, folders))
    if policy.rules is not None:
        resolver.rules("rules", policy.rules, None, is_own=True)
    return resolver.verdict(strict=strict)


def check_library(library: Library, origin: str | None = None) -> None:
    """Check references and conditions in a library, or in one of its files.

    Raises:
        InputError: every unknown reference and invalid condition.
    """
    problems = list(CATALOGUE.dangling_references(library, entry_mentions, origin))
    for identifier, policy, file in library.from_file("policies", origin):
        for index, rule in enumerate(policy.rules):
            try:
                where = f"{file}: policies.{identifier}.rules.{index}.when"
                parse(rule.when, VOCABULARY, where=where, content=True)
            except InputError as error:
                problems += error.problems
    if problems:
        raise InputError(dict.fromkeys(problems))


_RESOLUTION = Resolution(ScenarioReader(Scenario, library_for, check_library, unknown_names), Resolver)
resolve, resolver_for = _RESOLUTION.resolve, _RESOLUTION.resolver_for
