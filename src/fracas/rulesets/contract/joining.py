"""Battles joined from sides that were compiled before, for callers in which the same sides meet again and again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from fracas.rulesets.contract.types import Compiled, ResolvedScenario


class SideJoiner(ABC):
    """Joins compiled sides to battles. All sides must have the same options, profile and modifier."""

    @abstractmethod
    def part(self, resolution: ResolvedScenario) -> Any:
        """Compile the first side of a resolved document, for any number of battles.

        Raises:
            InputError: it does not compile.
        """

    @abstractmethod
    def join(self, first: Any, second: Any) -> Compiled | None:
        """A battle between two parts: byte by byte what compiling their matchup gives.

        None means that they must be compiled together: they do not fit one record, or share a name for two things.
        """
