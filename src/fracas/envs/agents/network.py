"""Plays a trained policy in NumPy, number for number as the rules do (kernel/networks.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fracas.engine.scenario import Scenario
from fracas.envs.agents.agent import SeeingAgent, generator
from fracas.envs.batch import Array
from fracas.errors import InputError
from fracas.kernel.networks import (
    DISTANCE_BITS,
    INPUT_UNIT,
    LARGEST_INPUT,
    SCORE_BITS,
    SHARE_BITS,
    WEIGHT_BITS,
)
from fracas.rulesets.contract.readings import NOTHING, Reading
from fracas.rulesets.shared.network_model import Network

# Sums below this are exact in floating point, whose products of matrices are much faster.
EXACT = 1 << 53
# No input of version 2 is further from 0.
SQUASHED = 4.0


@dataclass
class Layers:
    """The numbers of a network: floats while it is trained, whole numbers once it is exported.

    first: (inputs, hidden). bias: (hidden,). second: (choices, hidden). second_bias: (choices,).
    """

    first: Array
    bias: Array
    second: Array
    second_bias: Array

    @classmethod
    def of(cls, network: Network) -> Layers:
        """The whole numbers in a policy file."""
        weights = network.decoded().astype(np.int64)
        ends = np.cumsum(
            [network.inputs * network.hidden, network.hidden, network.choices * network.hidden, network.choices]
        )
        parts = np.split(weights, ends[:-1])
        return cls(
            parts[0].reshape(network.inputs, network.hidden),
            parts[1],
            parts[2].reshape(network.choices, network.hidden),
            parts[3],
        )

    def flat(self) -> Array:
        """All numbers in a row, in the order of a policy file."""
        return np.concatenate([part.ravel() for part in (self.first, self.bias, self.second, self.second_bias)])

    def rounded(self) -> Layers:
        """The weights as whole numbers of 1/65,536, as a policy file holds them.

        Raises:
            InputError: a number that is not finite or too large.
        """
        numbers = self.flat()
        limit = float(1 << 31 - WEIGHT_BITS)
        if not (np.abs(numbers) < limit).all():
            raise InputError.of("weights", f"must be numbers between -{limit:,.0f} and {limit:,.0f}")
        parts = (self.first, self.bias, self.second, self.second_bias)
        return Layers(*(np.round(part * (1 << WEIGHT_BITS)).astype(np.int64) for part in parts))


@dataclass(frozen=True)
class Situations:
    """Observations as a network reads them: n of them, with m legal actions together.

    common: (n, common). places: (n,), the acting slot, -1 if it has no input of its own. own: (n, width). others: (m,
    width + entries of a deed), the block of each action's target, and what the action does. rows: (m,), which
    observation. actions, choices: (m,).
    """

    common: Array
    places: Array
    own: Array
    others: Array
    rows: Array
    actions: Array
    choices: Array

    @classmethod
    def of(cls, reading: Reading, seen: Array, masks: Array) -> Situations:
        """Read observations (n, features) with masks (n, actions); numbers are float64."""
        shape, every = reading.shape, np.arange(len(seen))
        acting, places = np.zeros(len(seen), np.int64), np.full(len(seen), -1)
        own = np.zeros((len(seen), reading.width))
        if shape.blocks:
            acts = seen[:, reading.blocks[:, shape.acting]] != 0
            acting, somebody = acts.argmax(axis=1), acts.any(axis=1)
            own = _inputs(reading, np.where(somebody[:, None], seen[every[:, None], reading.blocks[acting]], 0))
            places = np.where(somebody & (acting < shape.places), acting, -1)
        rows, actions = np.nonzero(masks)
        first_plain = shape.plain // shape.targets - shape.plain
        choices = np.where(actions < shape.plain, actions // shape.targets, actions + first_plain)
        others = np.zeros((len(rows), reading.width + reading.deeds.shape[1]))
        if shape.blocks:
            targets = actions % shape.targets
            aimed = np.flatnonzero((actions < shape.plain) & (targets < shape.blocks))
            blocks = reading.blocks[targets[aimed]]
            others[aimed, : reading.width] = _inputs(reading, seen[rows[aimed, None], blocks])
        if reading.deeds.size:
            deeds = reading.deeds_in(seen[rows], acting[rows], choices)
            done = np.flatnonzero(deeds != NOTHING)
            others[done, reading.width :] = _inputs(reading, seen[rows[done, None], reading.deeds[deeds[done]]])
        return cls(_inputs(reading, seen[:, reading.common]), places, own, others, rows, actions, choices)

    def rounded(self) -> Situations:
        """The same with inputs as whole numbers of 1/1024, int64."""
        parts = (self.common, self.own, self.others)
        common, own, others = (rounded_inputs(part) for part in parts)
        return replace(self, common=common, own=own, others=others)


def _inputs(reading: Reading, numbers: Array) -> Array:
    """Numbers of an observation as inputs: those of version 2, some of which are large, are drawn together."""
    numbers = numbers.astype(np.float64)
    return numbers if reading.version == 1 else numbers * SQUASHED / (SQUASHED + np.abs(numbers))


class NetworkAgent(SeeingAgent):
    """Plays a trained policy as the rules play it: the same sums, the same choices.

    A policy that mixes draws from the agent's own seed, not from the battle's dice.
    """

    def __init__(self, network: Network, reading: Reading, name: str = "trained", seed: str = "trained") -> None:
        self.name, self.version = name, reading.version
        self.network, self.reading = network, reading
        self.layers = Layers.of(network)
        self.begin(seed)

    def begin(self, seed: str) -> None:
        self._rng = generator(seed)

    def choose_seen(self, seen: Array, masks: Array) -> Array:
        scores, legal = self.scores(seen, masks)
        best: Array = np.where(legal, scores, np.iinfo(np.int64).min).argmax(axis=1)
        if not self.network.mixes:
            return best
        shares = self.shares(scores, legal)
        drawn = self._rng.integers(0, np.maximum(shares.sum(axis=1), 1))
        mixed: Array = (np.cumsum(shares, axis=1) > drawn[:, None]).argmax(axis=1)
        return mixed

    def scores(self, seen: Array, masks: Array) -> tuple[Array, Array]:
        """The score of each action, (n, actions) int64, and whether it is legal."""
        at = Situations.of(self.reading, seen, masks).rounded()
        return self.scored(at, self.sums(at), masks.shape), masks != 0

    def sums(self, at: Situations) -> Array:
        """The units' sums for each legal action, (m, hidden) int64."""
        layers = self.layers
        common, places, own, other = np.split(layers.first, self.reading.ends)
        shared = layers.bias * INPUT_UNIT + _product(at.common, common) + _product(at.own, own)
        if len(places):
            slots = np.vstack([places, np.zeros_like(places[:1])])
            shared += slots[at.places] * INPUT_UNIT
        sums: Array = shared[at.rows] + _product(at.others, other)
        return sums

    def scored(self, at: Situations, sums: Array, shape: tuple[int, ...]) -> Array:
        """The scores of actions, (n, actions), 0 if they are not legal."""
        layers, scores = self.layers, np.zeros(shape, np.int64)
        active = np.clip(sums >> WEIGHT_BITS, 0, LARGEST_INPUT)
        weighted = np.einsum("mh,mh->m", active, layers.second[at.choices])
        scores[at.rows, at.actions] = weighted + layers.second_bias[at.choices] * INPUT_UNIT
        return scores

    def shares(self, scores: Array, legal: Array) -> Array:
        """How often each action is drawn if the policy mixes, relative to the best action's 2^20: (n, actions)."""
        most = np.where(legal, scores, np.iinfo(np.int64).min).max(axis=1, keepdims=True)
        distance = np.where(legal, most - scores, 0) >> SCORE_BITS - DISTANCE_BITS
        whole, rest = distance >> DISTANCE_BITS, distance & (1 << DISTANCE_BITS) - 1
        share = ((2 << DISTANCE_BITS) - rest << SHARE_BITS - DISTANCE_BITS - 1) >> np.minimum(whole, 62)
        return np.where(legal & (whole <= SHARE_BITS), share, 0)


class MixingAgent:
    """A trained policy in a scenario, as solvers of hidden choices ask it (`Mixer` of the contract)."""

    def __init__(self, agent: NetworkAgent, scenario: Scenario) -> None:
        interface, battle = scenario.ruleset.agent_interface(), scenario.compiled.record[0]
        self._agent, self._described = agent, [interface.describe(battle, side) for side in (0, 1)]

    def look(self, side: int, seen: Array, masks: Array) -> NetworkMixes:
        """Let it look at states: (n, entries) without the content, and legal choices (n, choices)."""
        content = np.broadcast_to(self._described[side], (len(seen), len(self._described[side])))
        return NetworkMixes(self._agent, np.concatenate([seen, content], axis=1), masks)


class NetworkMixes:
    """How often a trained policy takes each action in n observations."""

    def __init__(self, agent: NetworkAgent, seen: Array, masks: Array) -> None:
        self._agent, self._legal = agent, masks != 0
        self._at = Situations.of(agent.reading, seen, masks).rounded()
        self._sums = agent.sums(self._at)

    def under(self, further: Sequence[Mapping[int, float]]) -> Array:
        """The shares, (n, further, actions) float64; further: values of common entries that are 0 in `seen`."""
        agent, shape = self._agent, self._legal.shape
        found = np.zeros((shape[0], len(further), shape[1]))
        for place, entries in enumerate(further):
            where, inputs = np.nonzero(np.array([*entries])[:, None] == agent.reading.common)
            values = rounded_inputs(_inputs(agent.reading, np.array([*entries.values()], np.float32)[where]))
            scores = agent.scored(self._at, self._sums + values @ agent.layers.first[inputs], shape)
            shares = agent.shares(scores, self._legal)
            if not agent.network.mixes:
                shares = (shares == shares.max(axis=1, keepdims=True)) & self._legal
                shares &= shares.cumsum(axis=1) == 1
            found[:, place] = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1)
        return found


def rounded_inputs(seen: Array) -> Array:
    """Observations as whole numbers of 1/1024, int64."""
    whole = np.floor(seen.astype(np.float32).astype(np.float64) * INPUT_UNIT).astype(np.int64)
    inputs: Array = np.clip(whole, -LARGEST_INPUT, LARGEST_INPUT)
    return inputs


def _product(values: Array, weights: Array) -> Any:
    """The product of two matrices of whole numbers, without error."""
    if not values.size or not weights.size:
        return np.zeros((len(values), weights.shape[1]), np.int64)
    largest = int(np.abs(values).max()) * int(np.abs(weights).max()) * weights.shape[0]
    if largest < EXACT:
        return (values.astype(np.float64) @ weights.astype(np.float64)).astype(np.int64)
    return values @ weights
