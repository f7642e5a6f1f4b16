"""Plays a trained policy in NumPy, number for number as the rules do (kernel/networks.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

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
from fracas.rulesets.contract.agents import NetworkShape
from fracas.rulesets.shared.network_model import Network

# Sums below this are exact in floating point, whose products of matrices are much faster.
EXACT = 1 << 53


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
    width), the block of each action's target. rows: (m,), which observation. actions, choices: (m,).
    """

    common: Array
    places: Array
    own: Array
    others: Array
    rows: Array
    actions: Array
    choices: Array

    @classmethod
    def of(cls, shape: NetworkShape, seen: Array, masks: Array) -> Situations:
        """Read observations (n, features) with masks (n, actions)."""
        common = seen[:, : shape.common]
        end = shape.common + shape.blocks * shape.width
        blocks = seen[:, shape.common : end].reshape(len(seen), shape.blocks, shape.width)
        every = np.arange(len(seen))
        if shape.blocks:
            acts = blocks[:, :, shape.acting] != 0
            acting, somebody = acts.argmax(axis=1), acts.any(axis=1)
            own = np.where(somebody[:, None], blocks[every, acting], 0)
            places = np.where(somebody & (acting < shape.places), acting, -1)
        else:
            own, places = np.zeros((len(seen), 0), seen.dtype), np.full(len(seen), -1)
        rows, actions = np.nonzero(masks)
        others = np.zeros((len(rows), shape.width), seen.dtype)
        if shape.blocks:
            targets = actions % shape.targets
            aimed = (actions < shape.plain) & (targets < shape.blocks)
            others[aimed] = blocks[rows[aimed], targets[aimed]]
        first_plain = shape.plain // shape.targets - shape.plain
        choices = np.where(actions < shape.plain, actions // shape.targets, actions + first_plain)
        return cls(common, places, own, others, rows, actions, choices)


class NetworkAgent(SeeingAgent):
    """Plays a trained policy as the rules play it: the same sums, the same choices.

    A policy that mixes draws from the agent's own seed, not from the battle's dice.
    """

    def __init__(self, network: Network, shape: NetworkShape, name: str = "trained", seed: str = "trained") -> None:
        self.name = name
        self.network, self.shape = network, shape
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
        situations = Situations.of(self.shape, rounded_inputs(seen), masks)
        scores = np.zeros(masks.shape, np.int64)
        scores[situations.rows, situations.actions] = self._scores(situations)
        return scores, masks != 0

    def _scores(self, at: Situations) -> Array:
        layers, shape = self.layers, self.shape
        ends = np.cumsum([shape.common, shape.places, shape.width])
        common, places, own, other = np.split(layers.first, ends)
        shared = layers.bias * INPUT_UNIT + _product(at.common, common) + _product(at.own, own)
        if shape.places:
            slots = np.vstack([places, np.zeros_like(places[:1])])
            shared += slots[at.places] * INPUT_UNIT
        sums = shared[at.rows] + _product(at.others, other)
        active = np.clip(sums >> WEIGHT_BITS, 0, LARGEST_INPUT)
        scores: Array = (active * layers.second[at.choices]).sum(axis=1) + layers.second_bias[at.choices] * INPUT_UNIT
        return scores

    def shares(self, scores: Array, legal: Array) -> Array:
        """How often each action is drawn if the policy mixes, relative to the best action's 2^20: (n, actions)."""
        most = np.where(legal, scores, np.iinfo(np.int64).min).max(axis=1, keepdims=True)
        distance = np.where(legal, most - scores, 0) >> SCORE_BITS - DISTANCE_BITS
        whole, rest = distance >> DISTANCE_BITS, distance & (1 << DISTANCE_BITS) - 1
        share = ((2 << DISTANCE_BITS) - rest << SHARE_BITS - DISTANCE_BITS - 1) >> np.minimum(whole, 62)
        return np.where(legal & (whole <= SHARE_BITS), share, 0)


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
