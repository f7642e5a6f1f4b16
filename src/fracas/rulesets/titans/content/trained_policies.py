"""Trained policies of titans: which numbers they read, and whether one fits."""

from __future__ import annotations

from functools import partial

from fracas.rulesets.contract.agents import NetworkShape
from fracas.rulesets.shared.network_model import check_network
from fracas.rulesets.titans.rules.constants import NETWORK_SHAPE, RULES_VERSION

NETWORK = NetworkShape(*NETWORK_SHAPE, may_mix=True)
check = partial(check_network, ruleset="titans", rules_version=RULES_VERSION, shape=NETWORK)
