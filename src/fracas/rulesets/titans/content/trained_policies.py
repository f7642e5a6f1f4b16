"""Trained policies of titans: which numbers they read, and whether one fits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from fracas.rulesets.contract.readings import NOTHING, NetworkShape, Reading, entries_of, under
from fracas.rulesets.shared.network_model import check_network
from fracas.rulesets.titans.rules.constants import (
    CHOICES,
    FEATURES,
    FIRST_ABILITY,
    NETWORK_SHAPE,
    OWN_ABILITIES,
    RULES_VERSION,
)

NETWORK = NetworkShape(*NETWORK_SHAPE, may_mix=True)
check = partial(check_network, ruleset="titans", rules_version=RULES_VERSION, shape=NETWORK)


def reading(names: Sequence[str]) -> Reading:
    """What policies of version 2 read: the duel, the rules and both titans; of each choice what its ability does."""
    stems = ("own.lasting.", "enemy.lasting.", "options.", "own.given.", "enemy.given.")
    common = np.concatenate([np.arange(FEATURES), entries_of(names, lambda name: name.startswith(stems))])
    deeds = [entries_of(names, under(f"own.ability_{slot}")) for slot in range(1, OWN_ABILITIES + 1)]
    deed_of = np.full((1, CHOICES), NOTHING)
    deed_of[0, FIRST_ABILITY:] = np.arange(OWN_ABILITIES)
    return Reading(NETWORK, 2, common, np.zeros((0, 0), np.int64), np.stack(deeds), deed_of)
