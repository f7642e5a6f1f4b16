"""Enhances an item found in a run, with the item's own dice. delve/README.md, Enhancement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np

from fracas.content.validate import shown
from fracas.errors import InputError, Problem
from fracas.kernel.dice import dice_t, open_address, seek_stream
from fracas.rulesets.delve.analysis.loot_expectations import enhancement_odds
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.rolls import roll_d100
from fracas.rulesets.delve.rules.run.loot import enhance_item
from fracas.rulesets.shared.seeds import key_words

LONGEST_SEED = 1000
MOST_ATTEMPTS = 1000
LARGEST_ATTEMPT = 10**6
# The range of each number, both ends included.
BOUNDS = {
    "tick": (0, codes.MAX_ENCOUNTERS * codes.TICKS_PER_ENCOUNTER - 1),
    "lane": (0, 0xFFFF),
    "attempts": (1, MOST_ATTEMPTS),
    "level": (0, codes.MAX_ENHANCEMENT),
    "first": (0, LARGEST_ATTEMPT),
    "stream": (0, 2**63 - 1),
}


@dataclass(frozen=True)
class Attempt:
    """One attempt to enhance an item."""

    number: int
    """The attempt's number in the item's life, from 0."""
    roll: int
    """The d100."""
    chance: int
    """It succeeds if the roll is at most this."""
    level: int
    """The item's level after it, 0 to 5."""


@dataclass(frozen=True)
class Enhancement:
    """An item's enhancement attempts, decided by its dice address."""

    seed: str
    """The run's seed text."""
    tick: int
    lane: int
    stream: int
    before: int
    """The item's level before the first attempt, 0 to 5."""
    attempts: tuple[Attempt, ...]
    """The attempts made, in order; they stop at +5."""
    odds: tuple[Fraction, ...]
    """The exact probabilities that any item is +0 to +5 after the requested attempts."""

    @property
    def level(self) -> int:
        """The item's level now, 0 to 5."""
        return self.attempts[-1].level if self.attempts else self.before

    def as_json(self) -> dict[str, Any]:
        """The result as plain values; odds as shares from 0 to 1."""
        return {
            "seed": self.seed,
            "tick": self.tick,
            "lane": self.lane,
            "stream": self.stream,
            "before": self.before,
            "level": self.level,
            "attempts": [asdict(each) for each in self.attempts],
            "odds": [float(share) for share in self.odds],
        }


def enhance(
    seed: str, tick: int, lane: int, *, attempts: int = 1, level: int = 0, first: int = 0, stream: int = 0
) -> Enhancement:
    """Try to enhance an item found in a delve run, up to `attempts` times.

    The result is reproducible: the item's dice depend only on the run's seed text and the address at which the item was
    rolled. To continue later, store the number of attempts it has had and pass it as `first`.

        >>> import fracas
        >>> fracas.enhance("7b1e2026-11-20T08:00:00Z", 65535, 65282, attempts=3).level
        2

    Args:
        seed: the run's seed text, 1 to 1,000 characters.
        tick: the tick at which the item was rolled, from its event `item`.
        lane: the lane, from its event `origin`: 0xFF02 for loot, 0xFF03 for the chest, 0xFF10 and above for extra
            rolls.
        attempts: the number of attempts, 1 to 1,000.
        level: the item's level before them, 0 to 5.
        first: the number of the first of these attempts: how many attempts the item has had, from 0.
        stream: the run's number under its seed.

    Returns:
        Every attempt with its roll, the item's level, and the exact odds.

    Raises:
        InputError: a seed or a number is out of range; names all of them at once.

    Source: the rule book of delve, Enhancement.
    """
    given = {"tick": tick, "lane": lane, "attempts": attempts, "level": level, "first": first, "stream": stream}
    _check(seed, given)
    dice: Any = np.zeros(1, dice_t)[0]
    dice.key[:] = key_words(f"{seed}/{tick}/{lane}")
    seek_stream(dice, stream)
    made: list[Attempt] = []
    has = level
    for number in range(first, first + attempts):
        if has == codes.MAX_ENHANCEMENT:
            break
        open_address(dice, number, codes.ENHANCEMENT_LANE)
        roll, chance = roll_d100(dice), codes.ENHANCEMENT_CHANCES[has]
        has = enhance_item(dice, number, has)
        made.append(Attempt(number, int(roll), chance, has))
    return Enhancement(seed, tick, lane, stream, level, tuple(made), enhancement_odds(attempts, level))


def _check(seed: Any, numbers: Mapping[str, Any]) -> None:
    problems: list[Problem] = []
    if not isinstance(seed, str) or not 1 <= len(seed) <= LONGEST_SEED:
        problems.append(Problem("seed", f"{shown(seed)} is not a text of 1 to {LONGEST_SEED:,} characters"))
    for name, (least, most) in BOUNDS.items():
        number = numbers[name]
        if isinstance(number, bool) or not isinstance(number, Integral):
            problems.append(Problem(name, f"{shown(number)} is not a whole number"))
        elif not least <= int(number) <= most:
            problems.append(Problem(name, f"{number:,} is out of range: {least:,} to {most:,}"))
    if problems:
        raise InputError(problems)
