"""Play a battle step by step and take snapshots at each round's start and each decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from fracas.kernel.dice import seek_stream
from fracas.kernel.snapshots import FROM_DECISION, FROM_ROUND, WITH_CHOICE, mutable_spans, save_snapshot
from fracas.rulesets.contract.analysis import Decision, DecisionPoint, Option
from fracas.rulesets.contract.types import Compiled, copied

# A choice and its target.
Pair = tuple[int, int]


class DecisionWalk(ABC):
    """A walk through one battle. A place is where to resume, the index in the order of play, choice and target."""

    def __init__(self, compiled: Compiled, given: frozenset[str] = frozenset(), nothing: Pair = (0, 0)) -> None:
        self.records = compiled.own_record()
        self.battle = self.records[0]
        self.spans = mutable_spans(self.records.dtype, given)
        self.nothing = nothing

    def points(self, stream: int) -> list[DecisionPoint]:
        """The decision points of a battle, in order."""
        seek_stream(self.battle.dice, stream)
        return list(self.moments())

    @abstractmethod
    def moments(self) -> Iterator[DecisionPoint]:
        """Play the battle; yield each `round_start`, and the `decision` before each turn."""

    @abstractmethod
    def choices(self, battle: Any, actor: int) -> tuple[list[Pair], Pair]:
        """All choices of an actor in its turn, and the one it will make. The battle is a copy and may be changed."""

    @abstractmethod
    def label(self, battle: Any, actor: int, option: Pair) -> str:
        """A choice in words."""

    @abstractmethod
    def title(self, battle: Any, actor: int) -> tuple[int, str]:
        """An actor's side, 1 or 2, and its name."""

    def round_start(self, tick: int, place: int = 0) -> DecisionPoint:
        """A decision point at a round's start."""
        return DecisionPoint(tick, save_snapshot(self.records, self.spans), (FROM_ROUND, place, *self.nothing, 0))

    def decision(self, tick: int, actor: int, place: int) -> Iterator[DecisionPoint]:
        """A decision point before an actor's turn; none if it has no choice."""
        battle = copied(self.records)[0]
        options, chosen = self.choices(battle, actor)
        if len(options) < 2:
            return
        labelled = [Option(self.label(battle, actor, option), (WITH_CHOICE, place, *option, 0)) for option in options]
        decision = Decision(*self.title(battle, actor), options.index(chosen), labelled)
        snapshot = save_snapshot(self.records, self.spans)
        yield DecisionPoint(tick, snapshot, (FROM_DECISION, place, *self.nothing, 0), decision)
