"""Trained policies of squads: which numbers they read, and whether one fits."""

from __future__ import annotations

from fracas.rulesets.contract.agents import NetworkShape
from fracas.rulesets.shared.network_model import Network, check_network
from fracas.rulesets.squads.rules.constants import NETWORK_SHAPE, RULES_VERSION

NETWORK = NetworkShape(*NETWORK_SHAPE)


def check(network: Network, where: str) -> None:
    """Check that a trained policy plays squads.

    Raises:
        InputError: it is of another ruleset, version or shape.
    """
    check_network(network, "squads", RULES_VERSION, NETWORK, where)
