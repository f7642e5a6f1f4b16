"""Battles as learning environments for Gymnasium and PettingZoo.

After `import fracas.envs`,
`gymnasium.make("fracas/Titans-v1")` makes one and `gymnasium.make_vec` a batch; `fracas.envs.titans_v1` has those for
both sides. They need the extra: pip install "fracas[envs]". Without it only `fracas.envs.descriptions` works.
"""

from importlib.util import find_spec

if find_spec("gymnasium") is not None:
    from fracas.envs.registration import register_environments

    register_environments()
