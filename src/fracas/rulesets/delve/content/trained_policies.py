"""Trained policies of delve: which numbers they read, and the sides that may play by one."""

from __future__ import annotations

from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.contract.agents import NetworkShape
from fracas.rulesets.delve.rules.constants import NETWORK_SHAPE, RULES_VERSION
from fracas.rulesets.shared.network_model import TrainedPolicy
from fracas.rulesets.shared.side_policies import File, SidePolicies

NETWORK = NetworkShape(*NETWORK_SHAPE)
POLICIES = SidePolicies("delve", RULES_VERSION, NETWORK, ("party", "enemies"))


class Policies(Model):
    """Sides that trained policies play; the others play as usual."""

    party: TextOrTable[File, TrainedPolicy] | None = None
    """A file beside the scenario, or a trained policy written here."""
    enemies: TextOrTable[File, TrainedPolicy] | None = None
    """A file beside the scenario, or a trained policy written here."""


class ResolvedPolicies(Model):
    """Sides that trained policies play."""

    party: TrainedPolicy | None = None
    enemies: TrainedPolicy | None = None
