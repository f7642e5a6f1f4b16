"""Titans for agents on both sides, who choose at once, with observations of version 1.

For one agent: `gymnasium.make("fracas/Titans-v1")`.
"""

from fracas.envs.two_sides import BothSides

_BOTH = BothSides("titans", 1, at_once=True)
env, parallel_env = _BOTH.env, _BOTH.parallel_env
