"""Reproducible random choices for generated scenarios, seeded by a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from fracas.kernel.dice import below, dice_t, open_address, seek_stream
from fracas.rulesets.shared.seeds import key_words

Choice = TypeVar("Choice")


class Choices:
    """A stream of choices that depends on its text only."""

    def __init__(self, text: str) -> None:
        self.record = np.zeros(1, dice_t)[0]
        self.record.key[:] = key_words(text)
        seek_stream(self.record, 0)
        open_address(self.record, 0, 0)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return int(below(self.record, n))

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high."""
        return low + self.below(high - low + 1)

    def choose(self, options: Sequence[Choice]) -> Choice:
        """One of the options."""
        return options[self.below(len(options))]

    def some(self, options: Sequence[Choice], least: int, most: int) -> list[Choice]:
        """From `least` to `most` different options, or all of them if there are fewer."""
        left = list(options)
        wanted = min(self.between(least, most), len(left))
        return [left.pop(self.below(len(left))) for _ in range(wanted)]
