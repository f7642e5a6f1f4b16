"""Battles as learning environments for Gymnasium and PettingZoo.

After `import fracas.envs`,
`gymnasium.make("fracas/Titans-v1")` makes one and `gymnasium.make_vec` a batch; `fracas.envs.titans_v1` has those for
both sides. They need the extra: pip install "fracas[envs]".
"""

from fracas.envs.registration import register_environments

register_environments()
