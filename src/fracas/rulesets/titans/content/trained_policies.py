"""Trained policies of titans: which numbers they read, and whether one fits."""

from __future__ import annotations

from fracas.rulesets.contract.agents import NetworkShape
from fracas.rulesets.shared.network_model import Network, check_network
from fracas.rulesets.titans.rules.constants import NETWORK_SHAPE, RULES_VERSION

NETWORK = NetworkShape(*NETWORK_SHAPE, may_mix=True)


def check(network: Network, where: str) -> None:
    """Check that a trained policy plays titans.

    Raises:
        InputError: it is of another ruleset, version or shape.
    """
    check_network(network, "titans", RULES_VERSION, NETWORK, where)
