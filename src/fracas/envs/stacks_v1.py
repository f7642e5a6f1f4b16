"""Stacks for agents on both sides, in turns, with observations of version 1.

For one agent: `gymnasium.make("fracas/Stacks-v1")`.
"""

from fracas.envs.two_sides import BothSides

_BOTH = BothSides("stacks", 1)
env, parallel_env = _BOTH.env, _BOTH.parallel_env
