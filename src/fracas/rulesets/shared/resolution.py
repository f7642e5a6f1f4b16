"""Reads and resolves the scenarios of one ruleset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from fracas.content.scenario_reader import ScenarioReader
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugins
from fracas.rulesets.contract.types import Document, ResolvedScenario, Source


class Resolves(Protocol):
    """The resolver of one scenario."""

    def resolve(self) -> ResolvedScenario:
        """The resolved document, with all problems at once."""


Resolver = TypeVar("Resolver", bound=Resolves)


@dataclass(frozen=True)
class Resolution(Generic[Resolver]):
    """How a ruleset resolves scenarios: its reader, and the class of its resolvers."""

    reader: ScenarioReader[Any]
    made: Callable[..., Resolver]

    def resolver_for(
        self, document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
    ) -> Resolver:
        """The resolver of a scenario document.

        Raises:
            InputError: every problem in the content, or else in the scenario's structure and names.
        """
        scenario, library, problems = self.reader.read(document, source.where, folders)
        return self.made(scenario, source, library, problems=problems, plugins=plugins)

    def resolve(
        self, document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
    ) -> ResolvedScenario:
        """Resolve a scenario document.

        Raises:
            InputError: every problem in the scenario and the content it needs.
        """
        return self.resolver_for(document, source, folders, plugins).resolve()
