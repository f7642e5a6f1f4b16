"""A battle played step by step and stopped where it can be gone on with: at each round's start, at each decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from fracas.kernel.dice import seek_stream
from fracas.kernel.snapshots import FROM_DECISION, FROM_ROUND, WITH_CHOICE, mutable_spans, save_snapshot
from fracas.rulesets.contract.analysis import Decision, DecisionPoint, Option
from fracas.rulesets.contract.types import Compiled

# What is chosen, and its target.
Pair = tuple[int, int]


class DecisionWalk(ABC):
    """The walk through one battle. A place holds where to go on, the index in the order of play, choice and target."""

    def __init__(self, compiled: Compiled, given: frozenset[str] = frozenset(), nothing: Pair = (0, 0)) -> None:
        self.records = compiled.record.copy()
        self.battle = self.records[0]
        self.spans = mutable_spans(self.records.dtype, given)
        self.nothing = nothing

    def points(self, stream: int) -> list[DecisionPoint]:
        """The moments of a battle, in order."""
        seek_stream(self.battle.dice, stream)
        return list(self.moments())

    @abstractmethod
    def moments(self) -> Iterator[DecisionPoint]:
        """Play the battle, and stop at each `round_start` and before each turn at its `decision`."""

    @abstractmethod
    def choices(self, battle: Any, actor: int) -> tuple[list[Pair], Pair]:
        """All that somebody could do in its turn, and what it will do. The battle is a copy, to be changed at will."""

    @abstractmethod
    def label(self, battle: Any, actor: int, option: Pair) -> str:
        """A choice in words."""

    @abstractmethod
    def title(self, battle: Any, actor: int) -> tuple[int, str]:
        """Somebody's side, 1 or 2, and name."""

    def round_start(self, tick: int, place: int = 0) -> DecisionPoint:
        """The battle as it stands, to go on from a round's start."""
        return DecisionPoint(tick, save_snapshot(self.records, self.spans), (FROM_ROUND, place, *self.nothing))

    def decision(self, tick: int, actor: int, place: int) -> Iterator[DecisionPoint]:
        """The battle as it stands before somebody's turn; nothing if it has no choice."""
        battle = self.records.copy()[0]
        options, chosen = self.choices(battle, actor)
        if len(options) < 2:
            return
        said = [Option(self.label(battle, actor, option), (WITH_CHOICE, place, *option)) for option in options]
        decision = Decision(*self.title(battle, actor), options.index(chosen), said)
        kept = save_snapshot(self.records, self.spans)
        yield DecisionPoint(tick, kept, (FROM_DECISION, place, *self.nothing), decision)
