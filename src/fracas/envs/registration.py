"""The names under which Gymnasium finds the environments."""

from __future__ import annotations

import gymnasium

from fracas.envs.names import RULESETS, environment_id


def register_environments() -> None:
    """Make the environments known to Gymnasium; `import fracas.envs` calls it."""
    for ruleset in RULESETS:
        name = environment_id(ruleset)
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="fracas.envs.single:BattleEnv",
                vector_entry_point="fracas.envs.vector:BattleVectorEnv",
                kwargs={"ruleset": ruleset},
            )
