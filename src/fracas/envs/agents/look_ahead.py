"""The agents that try every action: one plays on for a while to see where it leads, the greedy one does not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fracas.envs.agents.agent import Agent, generator, random_of
from fracas.envs.agents.standing import Standing
from fracas.envs.batch import Array, BattleBatch
from fracas.envs.battles.search import SearchBatch
from fracas.errors import UsageError

# The most copies of battles that are played at once, and the most bytes of their records.
MOST_COPIES, MOST_BYTES = 2048, 1 << 26
FEWEST_COPIES = 64
MOST_SAMPLES, MOST_STEPS = 1024, 10_000


class LookAheadAgent(Agent):
    """Takes the action whose copies of the battle end best.

    Each action is played `samples` times with dice of the search, then `steps` further decisions of its own side at
    random. A copy that is decided counts 1 or -1, any other as its standing (`standing.py`). The other side plays as
    the scenario says; if an agent plays it, the search lets it choose at random.

    Args:
        samples: Copies for each action, 1 to 1,024.
        steps: Decisions that are played on, 0 to 10,000.
    """

    def __init__(self, samples: int = 8, steps: int = 4, name: str = "look-ahead", seed: str = "look-ahead") -> None:
        if not 1 <= samples <= MOST_SAMPLES:
            raise UsageError.of("samples", f"is {samples}; 1 to {MOST_SAMPLES:,} are allowed")
        if not 0 <= steps <= MOST_STEPS:
            raise UsageError.of("steps", f"is {steps}; 0 to {MOST_STEPS:,} are allowed")
        self.name, self.samples, self.steps = name, samples, steps
        self._search: SearchBatch | None = None
        self.begin(seed)

    def begin(self, seed: str) -> None:
        self._seed, self._stream = seed, 0
        self._rng = generator(seed)

    def choose(self, batch: BattleBatch, number: int) -> Array:
        masks = batch.masks[:, number]
        values = np.full(masks.shape, -np.inf)
        # With one legal action there is nothing to find out.
        rows, actions = np.nonzero(np.where(masks.sum(axis=1, keepdims=True) > 1, masks, 0))
        most = min(MOST_COPIES, max(1, MOST_BYTES // batch.kind.itemsize))
        # Drawn for all copies together: what is chosen must not depend on how many are played at once.
        shares = self._rng.random((len(rows), self.samples, self.steps + 1, len(batch.agents)))
        for part in _parts(len(rows), max(1, most // self.samples)):
            worth = self._try(batch, number, rows[part], actions[part], shares[part])
            values[rows[part], actions[part]] = worth
        chosen: Array = np.where(np.isfinite(values).any(axis=1), values.argmax(axis=1), masks.argmax(axis=1))
        return chosen

    def _try(self, batch: BattleBatch, number: int, rows: Array, actions: Array, shares: Array) -> Array:
        """What each action of a battle is worth, (m,); shares (m, samples, steps + 1, agents) as `random_of` takes."""
        search = self.copies(batch, self.samples * len(rows))
        search.load(batch, np.repeat(rows, self.samples), self._seed, self._stream)
        self._stream += search.used
        values = self._play_on(
            search, number, np.repeat(actions, self.samples), shares.reshape(search.used, *shares.shape[2:])
        )
        worth: Array = values.reshape(len(rows), self.samples).mean(axis=1)
        return worth

    def copies(self, batch: BattleBatch, count: int) -> SearchBatch:
        """Room for copies of a batch's battles, kept from call to call."""
        kept = self._search
        played = batch.scenarios, batch.agents.tolist(), batch.version
        if kept is None or kept.count < count or (kept.scenarios, kept.agents.tolist(), kept.version) != played:
            self._search = kept = SearchBatch(batch, max(count, FEWEST_COPIES))
            self._standing = Standing(list(batch.interface.features))
        return kept

    def at_random(self, search: SearchBatch, shares: Array | None = None) -> Array:
        """Random legal actions for all agents of all copies, (m, agents). shares: (m, agents), as `random_of` takes."""
        masks = search.masks[: search.used]
        if shares is None:
            shares = self._rng.random(masks.shape[:2])
        return np.stack([random_of(masks[:, place], shares[:, place]) for place in range(masks.shape[1])], axis=1)

    def _play_on(self, search: SearchBatch, number: int, first: Array, shares: Array) -> Array:
        """Play copies on, first with an agent's actions (m,), then at random; what they are worth for it, (m,)."""
        rewards = np.zeros(search.used)
        for step in range(shares.shape[1]):
            actions = self.at_random(search, shares[:, step])
            if step == 0:
                actions[:, number] = first
            search.play(actions)
            rewards += search.rewards[: search.used, number]
            if not search.undecided().any():
                break
        return self.values(search, rewards, number)

    def values(self, search: SearchBatch, rewards: Array, number: int) -> Array:
        """What copies are worth for an agent, (m,): the reward of those that are decided, the standing of others."""
        standing = self._standing.of(search.seen[: search.used, number])
        return np.where(search.over(), rewards, standing)


def _parts(count: int, size: int) -> Iterator[slice]:
    """Slices of at most a size that cover a count."""
    return (slice(first, min(first + size, count)) for first in range(0, count, size))


class GreedyAgent(LookAheadAgent):
    """Takes the action after which it stands best at its next decision, on average over a few rolls of the dice."""

    def __init__(self, samples: int = 4, name: str = "greedy", seed: str = "greedy") -> None:
        super().__init__(samples, 0, name, seed)
