"""Trained policies of stacks: which numbers they read, and the sides that may play by one."""

from __future__ import annotations

from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.contract.agents import NetworkShape
from fracas.rulesets.shared.network_model import TrainedPolicy
from fracas.rulesets.shared.side_policies import File, SidePolicies
from fracas.rulesets.stacks.rules.constants import NETWORK_SHAPE, RULES_VERSION

NETWORK = NetworkShape(*NETWORK_SHAPE)
POLICIES = SidePolicies("stacks", RULES_VERSION, NETWORK, ("attackers", "defenders"))


class Policies(Model):
    """Sides that trained policies play; the others play as usual."""

    attackers: TextOrTable[File, TrainedPolicy] | None = None
    """A file beside the scenario, or a trained policy written here."""
    defenders: TextOrTable[File, TrainedPolicy] | None = None
    """A file beside the scenario, or a trained policy written here."""


class ResolvedPolicies(Model):
    """Sides that trained policies play."""

    attackers: TrainedPolicy | None = None
    defenders: TrainedPolicy | None = None
