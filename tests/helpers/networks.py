"""Trained policies with random weights."""

from __future__ import annotations

import numpy as np

from fracas.envs.agents import Layers
from fracas.envs.agents.policy_file import network_of
from fracas.rulesets import registry
from fracas.rulesets.shared.network_model import Network

HIDDEN = 8


def network_with(ruleset: str, seed: int, mixes: bool = False, version: int = 1) -> Network:
    """A policy with random weights."""
    shape = registry.get(ruleset).agent_interface().trained(ruleset, version)
    rng = np.random.default_rng(seed)
    layers = Layers(
        rng.normal(size=(shape.inputs, HIDDEN)),
        rng.normal(size=HIDDEN),
        rng.normal(size=(shape.choices, HIDDEN)),
        rng.normal(size=shape.choices),
    )
    return network_of(ruleset, layers, mixes, version)
