"""The chronicle of a game: the events of a battle, round by round.

import fracas
from fracas.kit.derive.chronicle import GameLog

battle = fracas.run("duel.toml")
assert isinstance(battle.chronicle, GameLog)
for each in battle.chronicle.rounds:
    print(each.number, [happening.kind for happening in each.happenings])
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from fracas.events.chronicle import Chronicle
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document


@dataclass(frozen=True, slots=True)
class Happening:
    """One event."""

    kind: str
    """The event's name."""
    actor: str | None
    """Who did it; None for events without one."""
    target: str | None
    """To whom; None for events without one."""
    values: dict[str, int | bool | str]
    """The other columns by name."""


@dataclass(frozen=True, slots=True)
class RoundLog:
    """A round, or the set-up."""

    number: int
    """From 1 on; 0 is the set-up."""
    happenings: tuple[Happening, ...]
    """What happened, in order."""


@dataclass(frozen=True, slots=True)
class GameLog(Chronicle):
    """A battle of a game."""

    rounds: tuple[RoundLog, ...]
    """The set-up, then every round in which something happened; the last ends with the outcome."""


def chronicle(events: Sequence[Event], document: Document) -> GameLog:
    """Group the events of a battle by their rounds."""
    grouped = itertools.groupby(events, key=lambda event: event.tick)
    return GameLog(tuple(RoundLog(tick, tuple(map(_happening, inner))) for tick, inner in grouped))


def _happening(event: Event) -> Happening:
    values = event.as_json()
    del values["tick"]
    return Happening(values.pop("kind"), values.pop("actor", None), values.pop("target", None), values)
