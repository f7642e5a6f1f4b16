"""Episodes of agents that choose at random among what is legal."""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.engine.battle import Battle


def legal_choice(mask: Any, rng: np.random.Generator) -> int:
    """One of the actions that a mask allows."""
    return int(rng.choice(np.flatnonzero(mask)))


def play_at_random(env: Any, seed: int, steps: int | None = None, stream: int = 0) -> Any:
    """Play an episode to its end, whose battle comes back; or so many steps of it."""
    rng = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed, options={"stream": stream})
    over, played = False, 0
    while not over and played != steps:
        observation, _, over, _, _ = env.step(legal_choice(observation["action_mask"], rng))
        played += 1
    battle: Battle | None = env.battle() if over else None
    return battle
