"""Which guilds fight each other in a week, and in which order their entries meet. Nothing here knows a database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# So many guilds at the end of the list are paired as well as possible, by trying everything.
_TRIED = 6


@dataclass(frozen=True)
class Contender:
    """A guild that named entries."""

    guild: str
    strength: float
    """The mean mu of its named entries."""
    last_rival: str | None = None
    """The guild that it fought last week."""
    had_bye: bool = False
    """Whether it had no rival last week."""

    def may_meet(self, other: Contender) -> bool:
        """Whether they did not fight each other last week."""
        return other.guild != self.last_rival and self.guild != other.last_rival


Pair = tuple[Contender, Contender]


def pair(contenders: Sequence[Contender]) -> tuple[list[Pair], list[Contender]]:
    """Pair guilds of like strength, and nobody with last week's rival; return the pairs and those with a bye.

    Of an odd number the weakest has the bye, unless it had one last week. Two that are alone and fought last week both
    have one. The stronger guild of a pair comes first.
    """
    waiting = sorted(contenders, key=lambda each: (-each.strength, each.guild))
    resting: list[Contender] = []
    if len(waiting) % 2:
        # With three guilds, the two who fought last week must not be left.
        fitting = [each for each in waiting if len(waiting) != 3 or _may_be_left(waiting, each)]
        weakest = min(fitting[::-1], key=lambda each: each.had_bye)
        resting.append(weakest)
        waiting.remove(weakest)
    pairs: list[Pair] = []
    while len(waiting) > _TRIED:
        first = waiting.pop(0)
        pairs.append((first, waiting.pop(_nearest(first, waiting))))
    best = min(_pairings(waiting), key=_difference, default=None)
    if best is None:
        # Two who fought last week.
        return pairs, [*resting, *waiting]
    return [*pairs, *best], resting


def _may_be_left(three: Sequence[Contender], resting: Contender) -> bool:
    one, other = (each for each in three if each is not resting)
    return one.may_meet(other)


def _nearest(first: Contender, others: Sequence[Contender]) -> int:
    """Where in a list by strength the guild is that is nearest; each guild has one rival that it must not meet."""
    return next(index for index, other in enumerate(others) if first.may_meet(other))


def _pairings(waiting: Sequence[Contender]) -> Iterator[list[Pair]]:
    """Every way to pair an even number of guilds."""
    if not waiting:
        yield []
        return
    first, *rest = waiting
    for index, other in enumerate(rest):
        if first.may_meet(other):
            for others in _pairings([*rest[:index], *rest[index + 1 :]]):
                yield [(first, other), *others]


def _difference(pairs: Sequence[Pair]) -> float:
    return sum(one.strength - other.strength for one, other in pairs)


def bouts(first: int, second: int) -> Iterator[tuple[int, int]]:
    """All against all: the positions, from 1, of each match between so many entries of two guilds, in its order.

    In rounds in which nobody fights twice, so that the points of both grow side by side.
    """
    most = max(first, second)
    for shift in range(most):
        for position in range(1, most + 1):
            other = (position - 1 + shift) % most + 1
            if position <= first and other <= second:
                yield position, other
