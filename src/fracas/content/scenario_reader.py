"""Read a scenario for any ruleset: load its content first, so that unknown names are reported with other problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from fracas.content.canonical import DEEPEST_DOCUMENT
from fracas.content.catalogue import Catalogue, Origin
from fracas.content.packs import Library
from fracas.content.references import Collector
from fracas.content.validate import MOST_PROBLEMS, validate
from fracas.errors import InputError, Problem

ScenarioModel = TypeVar("ScenarioModel", bound=BaseModel)


class Read(NamedTuple, Generic[ScenarioModel]):
    """A scenario with a valid structure, its content, and problems to report later together with others."""

    scenario: ScenarioModel
    library: Library
    problems: list[Problem]


class ScenarioResolver(Collector, Generic[ScenarioModel]):
    """The base class of resolvers, which look up what one scenario refers to and collect every problem on the way."""

    catalogue: ClassVar[Catalogue]

    def __init__(
        self,
        scenario: ScenarioModel,
        source: Origin,
        library: Library,
        problems: Sequence[Problem] = (),
        plugins: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        super().__init__(source.where, problems)
        self.scenario = scenario
        self.source = source
        self.library = library
        self.plugins = plugins

    def entry(self, kind: str, chosen: Any, path: str, what: str) -> Any:
        """An entry of the content by its id, or what is written in its place.

        Raises:
            InputError: there is no such entry.
        """
        return self.library.find(kind, chosen, self.where(path), what) if isinstance(chosen, str) else chosen

    def given_options(self) -> list[Any]:
        """The sets of rule options to merge: the profile's base profiles first, then the profile, then the scenario."""
        own: Any = self.scenario
        where = self.where("profile")
        given, problems = self.catalogue.options_for(self.library, own.profile, own.options, where)
        self.problems += problems
        return given


@dataclass(frozen=True)
class ScenarioReader(Generic[ScenarioModel]):
    """Reads the scenarios of one ruleset."""

    model: type[ScenarioModel]
    library_for: Callable[[str | None, Sequence[Path], str], Library]
    """Loads the content for a profile (None: the default) and the user's folders; messages use the last argument."""
    check: Callable[[Library], None]
    """Raises InputError if the content has references to unknown entries."""
    unknown_names: Callable[[dict[str, Any], Library, str], Iterator[Problem]]
    """Generates the unknown names in a document, which may be invalid."""
    levels: int = DEEPEST_DOCUMENT
    """How deep a scenario must be sorted; see `validate`."""

    def read(self, document: dict[str, Any], where: str, folders: Sequence[Path]) -> Read[ScenarioModel]:
        """Read a scenario and its content. An unknown profile is reported with the scenario's other problems.

        Raises:
            InputError: every problem in the content, or else in the scenario's structure and names.
        """
        library, problems = self._library(document.get("profile"), where, folders)
        if folders:
            library.once(self.check)
        try:
            scenario = validate(self.model, document, where, self.levels)
        except InputError as error:
            problems += islice(self.unknown_names(document, library, where), MOST_PROBLEMS)
            places = {problem.where for problem in problems}
            # "Unknown name" is a better message than "has capital letters".
            problems += [problem for problem in error.problems if problem.where not in places]
            raise InputError(dict.fromkeys(problems)) from None
        return Read(scenario, library, problems)

    def _library(self, profile: object, where: str, folders: Sequence[Path]) -> tuple[Library, list[Problem]]:
        """Load the content for a document's profile; if the profile is unknown, the default's, and the problems."""
        path = f"{where}: profile"
        if isinstance(profile, str):
            try:
                return self.library_for(profile, folders, path), []
            except InputError as error:
                return self.library_for(None, folders, path), list(error.problems)
        return self.library_for(None, folders, path), []
