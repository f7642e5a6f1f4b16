"""How a battle stands, as plain values for people: what one side, or somebody who watches, may see of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ShownValue:
    """One value: hit points, a charge, cards in hand."""

    name: str
    """In words, as files spell it with blanks for underscores."""
    value: int | str
    most: int | None = None
    """What a bar of it is a part of; None for values without a bar."""


@dataclass(frozen=True)
class ShownBody:
    """Somebody of a side."""

    name: str
    values: Sequence[ShownValue]
    is_asked: bool = False
    """Whether its side chooses for it now."""


@dataclass(frozen=True)
class ShownSide:
    """One side."""

    name: str
    values: Sequence[ShownValue]
    bodies: Sequence[ShownBody] = ()


@dataclass(frozen=True)
class Standing:
    """A battle between two decisions."""

    round: int
    values: Sequence[ShownValue]
    sides: Sequence[ShownSide]


@dataclass(frozen=True)
class ChoiceWords:
    """What people read of a choice before they make it."""

    words: str
    """What it does, or what it is expected to do; empty if the rules do not say."""
    cost: str = ""
    """What it costs, in words; empty for nothing."""
