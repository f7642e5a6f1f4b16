"""Types that rulesets accept and return: documents, compiled battles, findings, campaigns, sessions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np

from fracas.content.canonical import canonical
from fracas.errors import Problem
from fracas.events.styled_text import Line
from fracas.kernel.event_protocol import Codebooks
from fracas.kernel.snapshots import as_words
from fracas.rulesets.contract.plugin_kinds import Plugin

Document = dict[str, Any]
Rows = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Source:
    """Where a document came from: its name in messages, and the folder in which to look for files it names."""

    where: str
    folder: Path | None = None

    @property
    def stem(self) -> str:
        """The name to use if the document has none."""
        return Path(self.where).stem if self.folder is not None else "scenario"


# The `format` of session documents.
SESSION_FORMAT = "fracas duel session"


@dataclass(frozen=True)
class ResolvedScenario:
    """A resolved scenario: the document that replays embed, and warnings.

    The keys of every table of the document are sorted.
    """

    document: Document
    warnings: tuple[Problem, ...] = ()
    sound: Any = field(default=None, repr=False, compare=False)
    """The validated model of the document, for the compiler; None if not validated yet."""

    def __post_init__(self) -> None:
        if self.sound is None:
            object.__setattr__(self, "document", canonical(self.document))


@dataclass(frozen=True)
class Compiled:
    """A resolved scenario as numbers: an array with one battle record, and its code books."""

    record: Rows
    books: Codebooks
    plugins: tuple[Plugin, ...] = ()

    @property
    def functions(self) -> tuple[Any, ...] | None:
        """The plug-ins' functions as plain Python takes them: the first of all plug-ins, the second of all, and so on.

        Those of a kind with one function alone are not nested; None without plug-ins.
        """
        columns = tuple(zip(*(plugin.functions for plugin in self.plugins), strict=True))
        return columns[0] if len(columns) == 1 else columns or None

    def own_record(self) -> Rows:
        """A copy of the record, to change and to play with."""
        return copied(self.record)


def copied(records: Rows) -> Rows:
    """A copy of battle records, made word by word: NumPy copies field by field, which takes several times as long."""
    return as_words(records).copy().view(records.dtype)


@dataclass(frozen=True)
class Finding:
    """A lint finding: something valid that is probably a mistake."""

    rule: str
    where: str
    message: str
    suggestion: str | None = None


@dataclass(frozen=True)
class Explanation:
    """A condition evaluated in a situation: a line for each node of its tree, with the facts it used."""

    unit: str
    round: int
    condition: Any
    value: bool
    nodes: tuple[ExplainedNode, ...]
    warnings: tuple[Problem, ...] = ()
    encounter: int | None = None
    """The round's encounter, in battles with several."""
    verdict: str = ""
    """The decision, in rulesets whose units score their options instead of using conditions."""

    def as_json(self) -> dict[str, Any]:
        """The explanation as plain values."""
        return {
            "unit": self.unit,
            **({} if self.encounter is None else {"encounter": self.encounter}),
            "round": self.round,
            "condition": self.condition,
            "value": self.value,
            **({"verdict": self.verdict} if self.verdict else {}),
            "nodes": [vars(node) for node in self.nodes],
            "warnings": [warning.as_json() for warning in self.warnings],
        }


@dataclass(frozen=True)
class ExplainedNode:
    """One node of a condition's tree: its depth, text and value, and the numbers it compared."""

    depth: int
    text: str
    value: bool
    detail: str = ""


@dataclass(frozen=True)
class Override:
    """One `--set PATH=VALUE`: its path and value, and its name in messages."""

    path: tuple[str, ...]
    value: Any
    where: str = field(default="--set", compare=False)

    @property
    def label(self) -> str:
        """Its name in messages with its path: --set players.0.hp."""
        return f"{self.where} {'.'.join(self.path)}"


class Asked(TypedDict):
    """What `explain` is asked: a condition, as text or in its JSON form, at a unit's decision in a round."""

    stream: int
    unit: str
    when: Any
    round: int
    state: Sequence[Override]
    """Values of the situation to override, by the paths in the explain section of the rule book."""
    strict: NotRequired[bool]
    """Whether unknown condition names are errors."""
    encounter: NotRequired[int | None]
    """The round's encounter; None for a single fight."""


class AskedHit(TypedDict):
    """What `hits` is asked: `actor` and `target` are unit names as in events, or sides, "1" and "2"."""

    stream: int
    actor: str
    target: str
    round: int | None
    """The round of the actor's decision; None for the battle's start."""
    state: Sequence[Override]
    encounter: NotRequired[int | None]


@dataclass(frozen=True)
class BuildCode:
    """A build in a file with its share code, or the reason why it has none."""

    place: str
    """Its place in the file: left; empty if the file is the build."""
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
    """One part of a side exchanged for another of the content, and the resulting resolved document."""

    place: str
    """Its path: left.items.3."""
    removed: str | None
    """The id of the removed part; None if the place was empty."""
    added: str
    """The id of the added part."""
    document: Document
    parts: tuple[tuple[str, str | None, str], ...] = ()
    """For several exchanges at once: the place, the removed and the added part of each; empty for a single one."""
    does: str = ""
    """Its effect, in words."""


@dataclass(frozen=True)
class SkippedBattle:
    """A campaign battle that can no longer be fought: its event rows, and why."""

    number: int
    rows: Rows
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class CommitResult:
    """A battle committed to a campaign's world: event rows, a summary of the battle, and the changes to the world."""

    rows: Rows
    summary: tuple[Line, ...]
    lines: tuple[Line, ...]
    result: tuple[tuple[Any, ...], ...]
    """The committed changes as plain values: in stacks, tuples of actor, target, move type and effect."""


@dataclass(frozen=True)
class SavedSession:
    """A saved session between people, as a battle that can be replayed."""

    scenario: Document
    """The resolved battle with its seed text, and people's submitted choices as their policies."""
    commitment: str
    """The commitment shown before the first choice."""
    handshake: str | None
    """The digest of the commitment and all salt seals; None if a seal is missing."""
    broken: str
    """The promise from before the first round that was broken, in a sentence; empty if none."""
    salts: Mapping[str, str | None]
    """The players' salts."""
    choices: Sequence[Sequence[str]]
    """All players' choices, by round."""
    digests: Sequence[str]
    """The digest of each round's event rows."""


class Campaign(ABC):
    """Battles in order, each on the world that the previous ones left."""

    @abstractmethod
    def next_battle(self) -> Document | SkippedBattle | None:
        """The next battle's resolved document, or why it is skipped; None after the last."""

    @abstractmethod
    def apply_result(self, rows: Rows, compiled: Compiled) -> CommitResult:
        """Apply the event rows of the last battle to the world.

        Raises:
            InputError: they do not fit the world.
        """

    @abstractmethod
    def commit(self, document: Document, rows: Rows, compiled: Compiled, where: str) -> CommitResult:
        """Apply the event rows of a battle fought elsewhere, given its resolved document, to the world.

        Raises:
            InputError: the world, named `where` in messages, is not the one that the battle was fought on.
        """

    @abstractmethod
    def world(self) -> Document:
        """The current world, in file form."""

    @abstractmethod
    def world_text(self) -> str:
        """The current world as the text of a TOML file."""

    @abstractmethod
    def world_lines(self) -> list[Line]:
        """The current world as lines of text."""
