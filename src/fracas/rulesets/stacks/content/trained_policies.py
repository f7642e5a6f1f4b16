"""Trained policies of stacks: which numbers they read, and the sides that may play by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.contract.readings import NOTHING, NetworkShape, Reading, entries_of, under
from fracas.rulesets.shared.network_model import TrainedPolicy
from fracas.rulesets.shared.side_policies import File, SidePolicies
from fracas.rulesets.stacks.rules.constants import MAX_DIRECTIONS, NETWORK_SHAPE, RULES_VERSION, STACK_SLOTS

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


def reading(names: Sequence[str]) -> Reading:
    """What policies of version 2 read: the attack, the rules, and units as they are and were."""
    common = [np.arange(NETWORK.common), entries_of(names, lambda name: name.startswith("options."))]
    blocks = [
        np.concatenate([entries_of(names, under(f"tile_{tile}.{what}_{slot}")) for what in ("unit", "used", "given")])
        for tile in range(MAX_DIRECTIONS)
        for slot in range(1, STACK_SLOTS + 1)
    ]
    return Reading(
        NETWORK,
        2,
        np.concatenate(common),
        np.stack(blocks),
        np.zeros((0, 0), np.int64),
        np.full((len(blocks), NETWORK.choices), NOTHING),
    )
