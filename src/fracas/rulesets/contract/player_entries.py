"""What each ruleset says about its entries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fracas.content.document_edits import get_path
from fracas.content.packs import Library
from fracas.content.validate import Model
from fracas.errors import Problem
from fracas.rulesets.contract.types import Document

# The text before the colon in problems about an entry.
WHERE = "entry"


@dataclass(frozen=True)
class Piece:
    """An id of the content that an entry names, and that a league may price or ban."""

    path: str
    id: str


class EntryKind(ABC):
    """The entries of one ruleset."""

    model: type[Model]
    content: str
    """The kind of content that leagues price: units, items, heroes, types, titans."""
    what: str
    """What messages call one of them."""
    side: str
    """Where side 1 stands in the scenario of an entry, such as `sides.0`: there its keys are the entry's own."""

    @abstractmethod
    def pieces(self, entry: Any) -> Iterable[Piece]:
        """The ids that count towards size, budget and bans."""

    @abstractmethod
    def scenario(self, entry: Any, code: str, library: Library) -> Document:
        """A scenario without ruleset, profile and options, in which the entry is side 1 and called by its code."""

    def path(self, path: str, entry: Any) -> str | None:
        """The entry's path for a path of that scenario; None if it belongs to something else."""
        return path.removeprefix(f"{self.side}.") if path.startswith(f"{self.side}.") else None

    @abstractmethod
    def free_places(self, entry: Any) -> Iterable[str]:
        """The paths at which one more piece may stand, as far as the model allows."""

    def known(self, library: Library) -> Mapping[str, Any]:
        """What pieces may name, by id."""
        return library.of(self.content)

    def fits(self, path: str, piece: Any) -> bool:
        """Whether an entry of the content may stand at the path of a piece."""
        return True

    def decided(self, document: Document) -> Document:
        """Side 1 of a resolved scenario, by the entry's own keys as far as they are decisions."""
        found: Document = get_path(document, self.side.split("."))
        return found

    def problems(self, entry: Any, library: Library) -> Iterator[Problem]:
        """What the schema cannot say, such as a decision that names something outside the content."""
        yield from ()
