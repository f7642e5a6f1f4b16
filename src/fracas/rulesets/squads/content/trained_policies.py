"""Trained policies of squads: which numbers they read, and whether one fits."""

from __future__ import annotations

from functools import partial

from fracas.rulesets.contract.agents import NetworkShape
from fracas.rulesets.shared.network_model import check_network
from fracas.rulesets.squads.rules.constants import NETWORK_SHAPE, RULES_VERSION

NETWORK = NetworkShape(*NETWORK_SHAPE)
check = partial(check_network, ruleset="squads", rules_version=RULES_VERSION, shape=NETWORK)
