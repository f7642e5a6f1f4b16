"""The names under which Gymnasium finds the environments."""

from __future__ import annotations

import gymnasium

from fracas.envs.names import DRAFTED, ENVIRONMENTS, environment_id

BATTLES = ("fracas.envs.battles.single:BattleEnv", "fracas.envs.battles.vector:BattleVectorEnv")
DRAFTS = ("fracas.envs.drafting.single:DraftEnv", "fracas.envs.drafting.vector:DraftVectorEnv")


def register_environments() -> None:
    """Make the environments known to Gymnasium; `import fracas.envs` calls it."""
    for ruleset in ENVIRONMENTS:
        name = environment_id(ruleset)
        single, batch = DRAFTS if ruleset in DRAFTED else BATTLES
        if name not in gymnasium.registry:
            gymnasium.register(id=name, entry_point=single, vector_entry_point=batch, kwargs={"ruleset": ruleset})
