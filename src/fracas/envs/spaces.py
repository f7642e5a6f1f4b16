"""The spaces of environments, from what a ruleset says that agents see and do."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from fracas.rulesets.contract.agents import AgentInterface
from fracas.rulesets.contract.drafts import DraftSpaces


def observation_space(interface: AgentInterface | DraftSpaces) -> spaces.Dict:
    """What an agent sees: `observation` (features,) float32 and `action_mask` (actions,) int8."""
    low = np.array([feature.low for feature in interface.features], np.float32)
    high = np.array([feature.high for feature in interface.features], np.float32)
    return spaces.Dict(
        {"observation": spaces.Box(low, high, dtype=np.float32), "action_mask": spaces.MultiBinary(interface.actions)}
    )
