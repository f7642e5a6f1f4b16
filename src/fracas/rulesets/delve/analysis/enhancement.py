"""Enhancing an item that was found, with the dice that are its own. README, Enhancement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np

from fracas.content.validate import shown
from fracas.errors import InputError, Problem
from fracas.kernel.dice import dice_t, open_address, seek_stream
from fracas.rulesets.delve.analysis.loot_expectations import enhancement_odds
from fracas.rulesets.delve.rules.constants import (
    ENHANCEMENT_CHANCES,
    ENHANCEMENT_LANE,
    MAX_ENCOUNTERS,
    MAX_ENHANCEMENT,
    TICKS_PER_ENCOUNTER,
)
from fracas.rulesets.delve.rules.rolls import roll_d100
from fracas.rulesets.delve.rules.run.loot import enhance_item
from fracas.rulesets.shared.seeds import key_words

LONGEST_SEED = 1000
MOST_ATTEMPTS = 1000
LARGEST_ATTEMPT = 10**6
# What each number may be, the ends included.
BOUNDS = {
    "tick": (0, MAX_ENCOUNTERS * TICKS_PER_ENCOUNTER - 1),
    "lane": (0, 0xFFFF),
    "attempts": (1, MOST_ATTEMPTS),
    "level": (0, MAX_ENHANCEMENT),
    "first": (0, LARGEST_ATTEMPT),
    "stream": (0, 2**63 - 1),
}


@dataclass(frozen=True)
class Attempt:
    """One attempt to enhance an item."""

    number: int
    """From 0, counted over the item's life."""
    roll: int
    """The d100."""
    chance: int
    """It succeeds if the roll is at most this."""
    level: int
    """What the item has afterwards: 0 to 5."""


@dataclass(frozen=True)
class Enhancement:
    """An item's attempts at enhancement, which its address decides."""

    seed: str
    """The run's seed text."""
    tick: int
    lane: int
    stream: int
    before: int
    """What the item had before: 0 to 5."""
    attempts: tuple[Attempt, ...]
    """Those that were made, in order; an item that has come to +5 is left alone."""
    odds: tuple[Fraction, ...]
    """How likely any item is +0 to +5 after as many attempts as were asked for, exactly."""

    @property
    def level(self) -> int:
        """What the item has now: 0 to 5."""
        return self.attempts[-1].level if self.attempts else self.before

    def as_json(self) -> dict[str, Any]:
        """The same as plain values; odds as shares from 0 to 1."""
        return {
            "seed": self.seed,
            "tick": self.tick,
            "lane": self.lane,
            "stream": self.stream,
            "before": self.before,
            "level": self.level,
            "attempts": [
                {"number": each.number, "roll": each.roll, "chance": each.chance, "level": each.level}
                for each in self.attempts
            ],
            "odds": [float(share) for share in self.odds],
        }


def enhance(
    seed: str, tick: int, lane: int, *, attempts: int = 1, level: int = 0, first: int = 0, stream: int = 0
) -> Enhancement:
    """Try to enhance an item of delve that was found in a run, as often as is asked for.

    The same item comes out the same whenever and wherever it is enhanced: its dice are made of the run's seed text and
    of the address that the item was rolled at. Keep how many attempts it has had, and go on from there with `first`.

        >>> import fracas
        >>> fracas.enhance("7b1e2026-11-20T08:00:00Z", 65535, 65282, attempts=3).level
        2

    Args:
        seed: the run's seed text, 1 to 1,000 characters.
        tick: the tick that the item was rolled at, as its event `item` has it.
        lane: the lane, as its event `origin` has it: 0xFF02 for loot, 0xFF03 for the chest, 0xFF10 and on for extra
            rolls.
        attempts: how many, 1 to 1,000.
        level: what the item has before, 0 to 5.
        first: the number of the first of these attempts, from 0: how many the item has had in its life.
        stream: the run's number under its seed.

    Returns:
        Every attempt with its roll, what the item has then, and the exact odds.

    Raises:
        InputError: a seed or a number that is out of range; all that is wrong at once.

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
        if has == MAX_ENHANCEMENT:
            break
        open_address(dice, number, ENHANCEMENT_LANE)
        roll, chance = roll_d100(dice), ENHANCEMENT_CHANCES[has]
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
