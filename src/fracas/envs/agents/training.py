"""Trains small policies in NumPy, by policy gradients (REINFORCE) over batches of battles.

Sources: R. J. Williams, 1992, "Simple statistical gradient-following algorithms for connectionist reinforcement
learning"; steps are those of Adam (D. P. Kingma and J. Ba, 2015); chances are held back as in PPO (J. Schulman and
others, 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fracas.engine.scenario import Scenario
from fracas.envs.agents.agent import Agent, generator
from fracas.envs.agents.network import Layers, Situations
from fracas.envs.agents.standing import Standing
from fracas.envs.batch import Array, BattleBatch
from fracas.errors import UsageError
from fracas.kernel.networks import MAX_HIDDEN
from fracas.kernel.stepping import DISABLED, PLAYING

LN_2 = float(np.log(2.0))


@dataclass(frozen=True)
class Settings:
    """How a policy is trained."""

    hidden: int = 16
    """Units between inputs and scores, at most 64."""
    rate: float = 0.01
    """The size of a step."""
    discount: float = 0.99
    """What a reward is worth one decision earlier."""
    shaping: float = 1.0
    """The weight of changes in standing beside the result of the battle."""
    entropy: float = 0.01
    """How much a policy is pushed to stay undecided."""
    passes: int = 4
    """How often the decisions of an iteration are learned from."""
    clip: float = 0.2
    """How far the chance of an action may move in one iteration."""
    averaging: float = 0.0
    """How slowly `averaged` follows the policy, 0 to 1: it keeps this share of itself in each iteration."""
    ignored: Sequence[int] = ()
    """Inputs that the policy never reads."""


@dataclass
class Decisions:
    """What was decided in many battles, joined: n decisions with m legal actions together.

    chosen: (n,), the place of what was chosen among the m. returns: (n,), what came of it, discounted. standings: (n,).
    chances: (n,), how likely the choice was.
    """

    at: Situations
    chosen: Array
    returns: Array
    standings: Array
    chances: Array


@dataclass
class Episode:
    """One step of a batch, of those who decided something in it."""

    at: Situations
    chosen: Array
    battles: Array
    standings: Array
    chances: Array
    rewards: Array = field(default_factory=lambda: np.zeros(0))


class Trainer:
    """Trains one policy. Each call of `iterate` plays battles and learns from them.

    Raises:
        UsageError: settings with too few or too many units.
    """

    def __init__(
        self, layers_of: Scenario, settings: Settings | None = None, seed: str = "training", version: int = 1
    ) -> None:
        self.settings = settings or Settings()
        if not 1 <= self.settings.hidden <= MAX_HIDDEN:
            raise UsageError.of("hidden", f"is {self.settings.hidden}; 1 to {MAX_HIDDEN} fit into a policy file")
        self.interface = layers_of.ruleset.agent_interface()
        self.reading = self.interface.trained(layers_of.ruleset.name, version)
        self._rng = generator(seed)
        hidden = self.settings.hidden
        first = self._rng.normal(0, 1 / np.sqrt(self.reading.inputs), (self.reading.inputs, hidden))
        first[list(self.settings.ignored)] = 0
        self.layers = Layers(
            first, np.zeros(hidden), np.zeros((self.reading.choices, hidden)), np.zeros(self.reading.choices)
        )
        self._standing = Standing(list(self.interface.features))
        self._moments = [[np.zeros_like(part), np.zeros_like(part)] for part in parts_of(self.layers)]
        self._steps = 0
        self.averaged = copied(self.layers)

    def iterate(self, batch: BattleBatch, learners: Sequence[int], others: dict[int, Agent], seed: str) -> float:
        """Play all battles of a batch and learn from them; the learner's mean reward, -1 to 1.

        learners: the places among the batch's agents that the policy plays. others: agents for the other places.
        """
        decisions, reward = self.play(batch, learners, others, seed)
        for _ in range(self.settings.passes):
            self.learn(decisions)
        kept = self.settings.averaging
        for mean, part in zip(parts_of(self.averaged), parts_of(self.layers), strict=True):
            mean *= kept
            mean += (1 - kept) * part
        return reward

    def play(
        self, batch: BattleBatch, learners: Sequence[int], others: dict[int, Agent], seed: str
    ) -> tuple[Decisions, float]:
        """Play all battles of a batch with the policy as it is."""
        for number, agent in others.items():
            agent.begin(f"{seed}/{number}")
        batch.reseed([seed])
        batch.begin()
        steps: dict[int, list[Episode]] = {number: [] for number in learners}
        actions = np.zeros(batch.rewards.shape, np.int64)
        total = np.zeros(len(learners))
        while (batch.states == PLAYING).any():
            for number, agent in others.items():
                actions[:, number] = agent.choose(batch, number)
            for number in learners:
                step = self._decide(batch, number)
                steps[number].append(step)
                actions[step.battles, number] = step.at.actions[step.chosen]
            batch.step(actions, DISABLED)
            for place, number in enumerate(learners):
                steps[number][-1].rewards = batch.rewards[:, number].copy()
                total[place] += batch.rewards[:, number].sum()
        joined = _joined([self._with_returns(each, batch.count) for each in steps.values()])
        return joined, float(total.mean() / batch.count)

    def _decide(self, batch: BattleBatch, number: int) -> Episode:
        masks, seen = batch.masks[:, number], batch.seen[:, number]
        battles = np.flatnonzero(masks.any(axis=1))
        at = Situations.of(self.reading, seen[battles], masks[battles])
        chances = self.chances(at, len(battles))
        # The first action whose sum of chances is beyond a random number.
        sums = np.cumsum(chances)
        ends = np.cumsum(np.bincount(at.rows, minlength=len(battles)))
        before = np.concatenate([[0.0], sums[ends[:-1] - 1]]) if len(battles) else np.zeros(0)
        wanted = before + self._rng.random(len(battles)) * (1 - 1e-9)
        chosen = np.minimum(np.searchsorted(sums, wanted, side="right"), ends - 1)
        return Episode(at, chosen, battles, self._standing.of(seen[battles]), chances[chosen])

    def _with_returns(self, steps: list[Episode], battles: int) -> Decisions:
        """Decisions with what came of each: results, and changes in standing up to the next decision."""
        returns, later = np.zeros(battles), np.zeros(battles)
        has_later = np.zeros(battles, bool)
        found: list[Array] = []
        for step in reversed(steps):
            returns += step.rewards
            here = step.battles
            moved = np.where(has_later[here], later[here] - step.standings, 0.0)
            returns[here] = self.settings.discount * returns[here] + self.settings.shaping * moved
            found.append(returns[here].copy())
            later[here], has_later[here] = step.standings, True
        joined = _joined_steps(steps)
        return Decisions(joined[0], joined[1], np.concatenate(found[::-1]), joined[2], joined[3])

    def chances(self, at: Situations, count: int) -> Array:
        """How likely each legal action is, (m,)."""
        scores, *_ = self._forward(at)
        return _softmax(scores, at.rows, count)

    def _forward(self, at: Situations) -> tuple[Array, Array, Array]:
        """Scores, (m,); the units' sums, (m, hidden); the active ones."""
        layers = self.layers
        common, places, own, other = np.split(layers.first, self.reading.ends)
        shared = layers.bias + at.common @ common + at.own @ own
        if len(places):
            shared = shared + np.vstack([places, np.zeros_like(places[:1])])[at.places]
        sums = shared[at.rows] + at.others @ other
        active = np.maximum(sums, 0)
        return (active * layers.second[at.choices]).sum(axis=1) + layers.second_bias[at.choices], sums, active

    def learn(self, decisions: Decisions) -> None:
        """Make one step towards what went well."""
        at, settings = decisions.at, self.settings
        count = len(decisions.chosen)
        if not count:
            return
        scores, sums, active = self._forward(at)
        chances = _softmax(scores, at.rows, count)
        gains = decisions.returns - _expected(decisions.standings, decisions.returns)
        gains /= gains.std() + 1e-8
        ratio = chances[decisions.chosen] / decisions.chances
        is_free = np.where(gains > 0, ratio < 1 + settings.clip, ratio > 1 - settings.clip)
        weight = gains * ratio * is_free
        slope = -chances * weight[at.rows]
        slope[decisions.chosen] += weight
        logs = np.log(np.maximum(chances, 1e-12))
        mean_log = np.bincount(at.rows, chances * logs, count)
        slope -= settings.entropy * chances * (logs - mean_log[at.rows])
        self._step(self._gradients(at, slope * (LN_2 / count), sums, active))

    def _gradients(self, at: Situations, slope: Array, sums: Array, active: Array) -> list[Array]:
        layers, shape = self.layers, self.reading.shape
        second, second_bias = np.zeros_like(layers.second), np.bincount(at.choices, slope, shape.choices)
        np.add.at(second, at.choices, slope[:, None] * active)
        back = slope[:, None] * layers.second[at.choices] * (sums > 0)
        shared = np.zeros((len(at.common), back.shape[1]))
        np.add.at(shared, at.rows, back)
        parts = [at.common.T @ shared]
        if shape.places:
            places = np.zeros((shape.places + 1, back.shape[1]))
            np.add.at(places, at.places, shared)
            parts.append(places[:-1])
        parts += [at.own.T @ shared, at.others.T @ back]
        first = np.concatenate(parts)
        first[list(self.settings.ignored)] = 0
        return [first, shared.sum(axis=0), second, second_bias]

    def _step(self, gradients: list[Array]) -> None:
        """One step of Adam, upwards."""
        self._steps += 1
        for part, moments, gradient in zip(parts_of(self.layers), self._moments, gradients, strict=True):
            moments[0] = 0.9 * moments[0] + 0.1 * gradient
            moments[1] = 0.999 * moments[1] + 0.001 * gradient**2
            mean = moments[0] / (1 - 0.9**self._steps)
            square = moments[1] / (1 - 0.999**self._steps)
            part += self.settings.rate * mean / (np.sqrt(square) + 1e-8)


def parts_of(layers: Layers) -> list[Array]:
    """The four arrays of a network."""
    return [layers.first, layers.bias, layers.second, layers.second_bias]


def copied(layers: Layers) -> Layers:
    """The same numbers in arrays of their own."""
    return Layers(*(part.copy() for part in parts_of(layers)))


def _softmax(scores: Array, rows: Array, count: int) -> Array:
    """Chances by scores in powers of 2, within each row; rows are in order."""
    if not len(scores):
        return np.zeros(0)
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    most = np.maximum.reduceat(scores, starts)[rows]
    powers = np.exp2(scores - most)
    chances: Array = powers / np.bincount(rows, powers, count)[rows]
    return chances


def _expected(standings: Array, returns: Array) -> Array:
    """What to expect at a standing: a cubic through the returns."""
    basis = np.stack([np.ones_like(standings), standings, standings**2, standings**3], axis=1)
    weights, *_ = np.linalg.lstsq(basis, returns, rcond=None)
    expected: Array = basis @ weights
    return expected


def _joined_steps(steps: list[Episode]) -> tuple[Situations, Array, Array, Array]:
    """Steps one after the other, with rows and places among the actions counted on."""
    rows, places = 0, 0
    chosen, at_rows = [], []
    for step in steps:
        chosen.append(step.chosen + places)
        at_rows.append(step.at.rows + rows)
        rows += len(step.battles)
        places += len(step.at.rows)
    names = ("common", "places", "own", "others", "actions", "choices")
    parts: dict[str, Any] = {name: np.concatenate([getattr(step.at, name) for step in steps]) for name in names}
    at = Situations(**parts, rows=np.concatenate(at_rows))
    standings, chances = (np.concatenate([getattr(step, name) for step in steps]) for name in ("standings", "chances"))
    return at, np.concatenate(chosen), standings, chances


def _joined(parts: list[Decisions]) -> Decisions:
    """The decisions of several learners as one."""
    if len(parts) == 1:
        return parts[0]
    steps = [Episode(each.at, each.chosen, each.returns, each.standings, each.chances) for each in parts]
    at, chosen, standings, chances = _joined_steps(steps)
    return Decisions(at, chosen, np.concatenate([each.returns for each in parts]), standings, chances)
