"""Trained policies of delve: which numbers they read, and the sides that may play by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.contract.readings import NOTHING, NetworkShape, Reading, entries_of, under
from fracas.rulesets.delve.rules.constants import (
    MAX_QUEUE,
    MAX_SKILLS,
    NETWORK_SHAPE,
    RULES_VERSION,
    RUN_FEATURES,
    SIDE_SLOTS,
)
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


def reading(names: Sequence[str]) -> Reading:
    """What policies of version 2 read: the run, the rules, participants, and what the skill in a slot does."""
    common = [np.arange(RUN_FEATURES), entries_of(names, lambda name: name.startswith(("options.", "difficulty.")))]
    slots = [f"{whose}_{slot}" for whose in ("own", "enemy") for slot in range(1, SIDE_SLOTS + 1)]
    skills = sorted({name.partition(".")[0] for name in names if name.startswith("skill_")}, key=_number)
    places = {name: place for place, name in enumerate(names)}
    numbers = np.full((len(slots), NETWORK.choices), NOTHING)
    numbers[:SIDE_SLOTS, :MAX_QUEUE] = [
        [places[f"{slot}.queue_{place}.skill"] for place in range(1, MAX_QUEUE + 1)] for slot in slots[:SIDE_SLOTS]
    ]
    return Reading(
        NETWORK,
        2,
        np.concatenate(common),
        np.stack([entries_of(names, under(slot, "queue_", "given.")) for slot in slots]),
        np.stack([entries_of(names, under(skill)) for skill in skills]),
        np.full(numbers.shape, NOTHING),
        numbers,
        MAX_SKILLS,
    )


def _number(name: str) -> int:
    return int(name.rpartition("_")[2])
