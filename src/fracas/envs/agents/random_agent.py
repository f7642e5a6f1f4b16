"""The agent that chooses at random."""

from __future__ import annotations

import numpy as np

from fracas.envs.agents.agent import SeeingAgent, random_of
from fracas.envs.batch import Array
from fracas.rulesets.shared.seeds import key_words


class RandomAgent(SeeingAgent):
    """Takes any legal action, all equally likely."""

    name = "random"

    def __init__(self, seed: str = "random") -> None:
        self.begin(seed)

    def begin(self, seed: str) -> None:
        self._rng = generator(seed)

    def choose_seen(self, seen: Array, masks: Array) -> Array:
        return random_of(masks, self._rng)


def generator(seed: str) -> np.random.Generator:
    """NumPy's generator for a seed text. Battles never draw from it."""
    return np.random.default_rng(np.array(key_words(seed), np.uint32))
