"""How every ruleset reads a scenario: its content first, so that a broken one is told its lost names too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from fracas.content.catalogue import Origin
from fracas.content.packs import Library
from fracas.content.validate import MOST_PROBLEMS, validate
from fracas.errors import InputError, Problem

ScenarioModel = TypeVar("ScenarioModel", bound=BaseModel)
Resolver = TypeVar("Resolver")


class Read(NamedTuple, Generic[ScenarioModel]):
    """A scenario of sound shape, the content it refers to, and problems that wait to be told with its others."""

    scenario: ScenarioModel
    library: Library
    problems: list[Problem]


@dataclass(frozen=True)
class ScenarioReader(Generic[ScenarioModel]):
    """What a ruleset's scenarios are read with."""

    model: type[ScenarioModel]
    library_for: Callable[[str | None, Sequence[Path], str], Library]
    """The content for a profile (None: the default one) with the user's folders, and what messages call the profile."""
    check: Callable[[Library], None]
    """Raises InputError if anything in the content leads nowhere."""
    unknown_names: Callable[[dict[str, Any], Library, str], Iterator[Problem]]
    """The names in a document, which need not be sound, that lead nowhere."""

    def read(self, document: dict[str, Any], where: str, folders: Sequence[Path]) -> Read[ScenarioModel]:
        """A scenario document and its content; a profile that is not there waits for the scenario's other problems.

        Raises:
            InputError: every problem of the content, or else of the scenario's shape and the names in it.
        """
        library, problems = self._library(document.get("profile"), where, folders)
        if folders:
            library.once(self.check)
        try:
            scenario = validate(self.model, document, where)
        except InputError as error:
            problems += islice(self.unknown_names(document, library, where), MOST_PROBLEMS)
            places = {problem.where for problem in problems}
            # A name that leads nowhere says more than that it has capitals in it.
            problems += [problem for problem in error.problems if problem.where not in places]
            raise InputError(dict.fromkeys(problems)) from None
        return Read(scenario, library, problems)

    def resolver_for(
        self,
        made: Callable[..., Resolver],
        document: dict[str, Any],
        source: Origin,
        folders: Sequence[Path],
        **own: Any,
    ) -> Resolver:
        """What resolves a scenario document: `made`, a ruleset's resolver, which is given `own` as well.

        Raises:
            InputError: see `read`.
        """
        scenario, library, problems = self.read(document, source.where, folders)
        return made(scenario, source, library, problems=problems, **own)

    def _library(self, profile: object, where: str, folders: Sequence[Path]) -> tuple[Library, list[Problem]]:
        """The content of a document's profile, or of the default one and what is wrong with the profile."""
        place = f"{where}: profile"
        if isinstance(profile, str):
            try:
                return self.library_for(profile, folders, place), []
            except InputError as error:
                return self.library_for(None, folders, place), list(error.problems)
        return self.library_for(None, folders, place), []
