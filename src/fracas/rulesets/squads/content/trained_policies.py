"""Trained policies of squads: which numbers they read, and whether one fits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from fracas.rulesets.contract.readings import NetworkShape, Reading, entries_of, under
from fracas.rulesets.shared.network_model import check_network
from fracas.rulesets.squads.rules.constants import CHOICES, NETWORK_SHAPE, RULES_VERSION, SIDE_SLOTS

NETWORK = NetworkShape(*NETWORK_SHAPE)
check = partial(check_network, ruleset="squads", rules_version=RULES_VERSION, shape=NETWORK)

ABILITIES = ("basic", "class_ability", "ultimate")


def reading(names: Sequence[str]) -> Reading:
    """What policies of version 2 read: the rules, units as they are and were, and what each ability does."""
    stems = ("round", "options.", "own.", "enemy.")
    units = [f"{whose}_{slot}" for whose in ("own", "enemy") for slot in range(1, SIDE_SLOTS + 1)]
    blocks = [entries_of(names, under(unit, *(f"{ability}." for ability in ABILITIES))) for unit in units]
    deeds = [entries_of(names, under(f"{unit}.{ability}")) for unit in units for ability in ABILITIES]
    return Reading(
        NETWORK,
        2,
        entries_of(names, lambda name: name.startswith(stems)),
        np.stack(blocks),
        np.stack(deeds),
        np.arange(len(deeds)).reshape(len(units), len(CHOICES)),
    )
