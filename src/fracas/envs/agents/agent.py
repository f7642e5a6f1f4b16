"""What an agent is: it chooses for one side of many battles at once. The simplest one chooses at random."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from fracas.envs.batch import Array, BattleBatch
from fracas.rulesets.shared.seeds import key_words


class Agent(ABC):
    """Chooses an action in each battle of a batch. Legal always; the same seed gives the same actions."""

    name: str
    version = 1
    """The version of observations that it reads: 2 for environments whose ids end in -v2."""

    @abstractmethod
    def begin(self, seed: str) -> None:
        """Forget everything, and draw from now on by this seed text."""

    @abstractmethod
    def choose(self, batch: BattleBatch, number: int) -> Array:
        """The actions, (n,) int64, of the side at a place among the batch's agents.

        Battles in which that side has nothing to decide may get any number.
        """


class SeeingAgent(Agent):
    """An agent that needs nothing but observations, so that it plays in any environment.

    As a function it takes one observation of an environment and returns its action, so it is an `opponent` too.
    """

    @abstractmethod
    def choose_seen(self, seen: Array, masks: Array) -> Array:
        """The actions, (n,) int64, by observations (n, features) and masks (n, actions)."""

    def choose(self, batch: BattleBatch, number: int) -> Array:
        # Each version begins with the entries of the one before it.
        entries = len(batch.interface.seen_in(self.version))
        return self.choose_seen(batch.seen[:, number, :entries], batch.masks[:, number])

    def __call__(self, observation: dict[str, Any]) -> int:
        """The action for one observation of an environment."""
        chosen = self.choose_seen(observation["observation"][None], observation["action_mask"][None])
        return int(chosen[0])


def random_of(masks: Array, shares: Array) -> Array:
    """For each mask one of its legal actions, (n,) int64; 0 where nothing is legal.

    shares: (n,) random numbers from 0 to below 1, which choose among the legal actions in their order.
    """
    rows, actions = np.nonzero(masks.view(bool))
    counts = np.bincount(rows, minlength=len(masks))
    chosen = np.zeros(len(masks), np.int64)
    some = np.flatnonzero(counts)
    firsts = np.cumsum(counts) - counts
    chosen[some] = actions[(firsts + (shares * counts).astype(np.int64))[some]]
    return chosen


class RandomAgent(SeeingAgent):
    """Takes any legal action, all equally likely."""

    name = "random"

    def __init__(self, seed: str = "random") -> None:
        self.begin(seed)

    def begin(self, seed: str) -> None:
        self._rng = generator(seed)

    def choose_seen(self, seen: Array, masks: Array) -> Array:
        return random_of(masks, self._rng.random(len(masks)))


def generator(seed: str) -> np.random.Generator:
    """NumPy's generator for a seed text. Battles never draw from it."""
    return np.random.default_rng(np.array(key_words(seed), np.uint32))
