"""The shapes in which rulesets take and give: documents, compiled battles, findings, campaigns, sessions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fracas.content.canonical import canonical
from fracas.errors import Problem
from fracas.events.protocol import Codebooks
from fracas.events.styled_text import Line
from fracas.rulesets.contract.plugin_kinds import Plugin

Document = dict[str, Any]
Rows = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Source:
    """Where a document came from: how messages call it, and the folder in which files that it names are looked for."""

    where: str
    folder: Path | None = None

    @property
    def stem(self) -> str:
        """The name to go by if the document has none of its own."""
        return Path(self.where).stem if self.folder is not None else "scenario"


# What a session's document says it is.
SESSION_FORMAT = "fracas duel session"


@dataclass(frozen=True)
class ResolvedScenario:
    """A scenario with nothing left to look up: the document that replays embed, and what is worth a warning.

    The keys of every table of the document are sorted.
    """

    document: Document
    warnings: tuple[Problem, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "document", canonical(self.document))


@dataclass(frozen=True)
class Compiled:
    """A resolved scenario as numbers: one battle record in an array of one, and the names of its numbers."""

    record: Rows
    books: Codebooks
    plugins: tuple[Plugin, ...] = ()


@dataclass(frozen=True)
class Finding:
    """Something that is valid and yet probably not meant."""

    rule: str
    where: str
    message: str
    suggestion: str | None = None


@dataclass(frozen=True)
class Explanation:
    """A condition in a given situation: one line for every node of its tree, and the facts it was read from."""

    unit: str
    round: int
    condition: Any
    value: bool
    nodes: tuple[ExplainedNode, ...]
    warnings: tuple[Problem, ...] = ()
    encounter: int | None = None
    """The encounter that the round belongs to, in battles that have several."""
    verdict: str = ""
    """What was decided, in rulesets whose units weigh what they can do in place of conditions."""


@dataclass(frozen=True)
class ExplainedNode:
    """One node of a condition's tree: how deep it stands, its text, its value, and the numbers it compared."""

    depth: int
    text: str
    value: bool
    detail: str = ""


@dataclass(frozen=True)
class Override:
    """One `--set PATH=VALUE`: where it goes and the value, and how messages call it."""

    path: tuple[str, ...]
    value: Any
    where: str = field(default="--set", compare=False)

    @property
    def label(self) -> str:
        """How messages call it with its path: --set players.0.hp."""
        return f"{self.where} {'.'.join(self.path)}"


@dataclass(frozen=True)
class BuildCode:
    """A build of a file, and its share code; or why it has none."""

    place: str
    """Where in the file it stands: left; empty if the file is the build."""
    name: str
    code: str | None
    problem: Problem | None = None


@dataclass(frozen=True)
class LadderRung:
    """A build against an opponent of the content, as resolved documents: the build as side 1, then as side 2."""

    kind: str
    id: str
    name: str
    level: int | None
    documents: tuple[Document, Document]


@dataclass(frozen=True)
class Swap:
    """Something of a build exchanged for something else of the content, and the resolved document with it."""

    place: str
    """Its path: left.items.3."""
    removed: str | None
    """The id of what was there; None if nothing was."""
    added: str
    """The id of what comes in."""
    document: Document
    parts: tuple[tuple[str, str | None, str], ...] = ()
    """Of several at once each one's place, what was there and what comes in; empty for one alone."""
    does: str = ""
    """What that does, in words."""


@dataclass(frozen=True)
class SkippedBattle:
    """A battle of a campaign that cannot be fought any more: its event rows, and why."""

    number: int
    rows: Rows
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class CommitResult:
    """What became of a campaign's world by a battle: event rows, the battle in short, and what the world took in."""

    rows: Rows
    summary: tuple[Line, ...]
    lines: tuple[Line, ...]
    result: tuple[tuple[Any, ...], ...]
    """What was committed, as plain values: in stacks tuples of actor, target, move type and effect."""


@dataclass(frozen=True)
class SavedSession:
    """A kept session between people, as a battle that can be played again."""

    scenario: Document
    """The resolved battle under its seed text, with what people submitted as their policies."""
    commitment: str
    """What was shown before anybody chose."""
    handshake: str | None
    """The digest of the commitment and of all sealed salts; None if not all are sealed."""
    broken: str
    """Which promise made before the first round was not kept, in a sentence; empty if all were."""
    salts: Mapping[str, str | None]
    """What the players gave."""
    choices: Sequence[Sequence[str]]
    """What all chose, by round."""
    digests: Sequence[str]
    """For each round the digest of its event rows."""


class Campaign(ABC):
    """Battles in order, each on the world as the ones before left it."""

    @abstractmethod
    def next_battle(self) -> Document | SkippedBattle | None:
        """The next battle's resolved document, or why it is skipped; None after the last."""

    @abstractmethod
    def apply_result(self, rows: Rows, compiled: Compiled) -> CommitResult:
        """Change the world by the event rows of the battle that came last.

        Raises:
            InputError: the world refuses them.
        """

    @abstractmethod
    def commit(self, document: Document, rows: Rows, compiled: Compiled, where: str) -> CommitResult:
        """Change the world by the event rows of a battle that was fought elsewhere, whose resolved document is given.

        Raises:
            InputError: the world, which messages call `where`, is not the one that was fought on, as it was then.
        """

    @abstractmethod
    def world(self) -> Document:
        """The world as it is now, as files hold it."""

    @abstractmethod
    def world_text(self) -> str:
        """The same as the text of a TOML file."""

    @abstractmethod
    def world_lines(self) -> list[Line]:
        """The same for people."""
