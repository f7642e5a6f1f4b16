"""Stacks for agents on both sides, in turns, with observations of version 2.

For one agent: `gymnasium.make("fracas/Stacks-v2")`.
"""

from fracas.envs.two_sides import BothSides

_BOTH = BothSides("stacks", 2)
env, parallel_env = _BOTH.env, _BOTH.parallel_env
