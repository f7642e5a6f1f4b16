"""Copies of battles to look ahead in: the same states with other dice, so that no agent learns what will be rolled."""

from __future__ import annotations

import numpy as np

from fracas.envs.batch import Array, BattleBatch
from fracas.kernel.chacha8 import BLOCK_WORDS
from fracas.kernel.stepping import DISABLED, OVER, PLAYING
from fracas.rulesets.shared.seeds import key_words

# What is put behind a seed text for the dice of a search.
SEARCH = "/search"


def forget_dice(records: Array) -> None:
    """Clear the dice of battles: key, stream and all words drawn so far."""
    records["dice"] = np.zeros((), records.dtype["dice"])


class SearchBatch(BattleBatch):
    """Up to `count` copies of battles, side by side. They roll under the seed text with "/search" behind it.

    Agents play the same sides as in the battles that are copied.
    """

    def __init__(self, source: BattleBatch, count: int) -> None:
        super().__init__(source.scenarios, source.agents.tolist(), count, version=source.version)
        self.used = 0

    def load(self, source: BattleBatch, rows: Array, seed: str, first: int) -> None:
        """Copy the battles at the places `rows`, (m,), of a batch. Copy k rolls stream first + k of the search."""
        used = self.used = len(rows)
        part = slice(0, used)
        self.battles[part] = source.battles[rows]
        forget_dice(self.battles[part])
        dice = self.battles["dice"]
        dice["key"][part] = key_words(seed + SEARCH)
        streams = np.arange(first, first + used, dtype=np.uint64)
        dice["stream"][part, 0] = streams & 0xFFFFFFFF
        dice["stream"][part, 1] = streams >> np.uint64(32)
        # As kernel/dice.py, seek_stream: nothing is filled yet.
        for name in ("lanes_filled", "turns_lane", "ticks_lane", "block"):
            dice[name][part] = -1
        dice["cursor"][part] = BLOCK_WORDS
        self.cursors[part] = source.cursors[rows]
        self.states[part] = source.states[rows]
        self.streams[part], self.starts[part] = source.streams[rows], source.starts[rows]
        self.seen[part], self.masks[part] = source.seen[rows], source.masks[rows]
        self.rewards[part], self.ended[part] = 0.0, 0

    def play(self, actions: Array) -> None:
        """Play all copies one step on, by actions (m, agents); those that are over stay as they are."""
        self._actions[: self.used] = actions
        self._play(self._whole.part(0, self.used), DISABLED)

    def undecided(self) -> Array:
        """Which copies are still under way, (m,) bool."""
        under_way: Array = self.states[: self.used] == PLAYING
        return under_way

    def over(self) -> Array:
        """Which copies are decided, (m,) bool."""
        decided: Array = self.states[: self.used] == OVER
        return decided
