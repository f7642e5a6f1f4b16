"""Resolves squads scenarios, and checks content and strategy files by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fracas.content.packs import Library
from fracas.content.scenario_reader import ScenarioReader
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.rulesets.contract.types import Document, Source
from fracas.rulesets.shared.resolution import Resolution
from fracas.rulesets.squads.content.library import dangling_references, library_for, unknown_names
from fracas.rulesets.squads.content.models.scenario import Scenario
from fracas.rulesets.squads.content.models.units import Strategy
from fracas.rulesets.squads.content.resolver import Resolver


def check_strategy_file(
    document: Document, source: Source, folders: Sequence[Path] = (), *, strict: bool = False
) -> tuple[Problem, ...]:
    """Check a strategy file by itself; it may refer to the folders and shipped content.

    Raises:
        InputError: everything wrong with it; warnings too if strict.
    """
    resolver = bare_resolver(source, library_for(None, folders))
    resolver.orders("abilities", validate(Strategy, document, source.where), None)
    return resolver.verdict(strict=strict)


def bare_resolver(source: Source, library: Library) -> Resolver:
    """A resolver for strategies outside a scenario."""
    return Resolver(Scenario.model_construct(abilities={}), source, library)


def check_library(library: Library, origin: str | None = None) -> None:
    """Check that all references and conditions of a library, or of one of its files, are valid.

    Raises:
        InputError: every unknown name and every invalid condition.
    """
    problems = list(dangling_references(library, origin))
    for file, path, strategy in strategies_of(library, origin):
        resolver = bare_resolver(Source(file), library)
        resolver.orders(f"{path}.abilities", strategy, None, from_content=True)
        problems += resolver.problems
    if problems:
        raise InputError(dict.fromkeys(problems))


def strategies_of(library: Library, origin: str | None = None) -> Iterator[tuple[str, str, Strategy]]:
    """Every strategy of a library or of one of its files, with its file and path; opponents' own included."""
    for kind, below in (("strategies", ""), ("opponents", ".strategy")):
        for identifier, entry, file in library.from_file(kind, origin):
            strategy = entry.strategy if below else entry
            if isinstance(strategy, Strategy):
                yield file, f"{kind}.{identifier}{below}", strategy


_RESOLUTION = Resolution(ScenarioReader(Scenario, library_for, check_library, unknown_names), Resolver)
resolve, resolver_for = _RESOLUTION.resolve, _RESOLUTION.resolver_for
