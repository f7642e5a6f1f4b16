"""What environments are called: fracas/Titans-v2 for Gymnasium, and `fracas.envs.titans_v2` for both sides."""

from __future__ import annotations

from fracas.rulesets import registry
from fracas.rulesets.shared.network_model import FIRST_RULES_VERSIONS, environment_version

ENVIRONMENTS = tuple(FIRST_RULES_VERSIONS)
# Where agents draft before a battle; elsewhere they decide in it.
DRAFTED = ("relics",)
RULESETS = tuple(name for name in ENVIRONMENTS if name not in DRAFTED)
# Versions of observations; 2 also tells what abilities do and how long things last.
VERSIONS = (1, 2)

# The classes of one environment and of a batch.
BATTLES = ("fracas.envs.battles.single:BattleEnv", "fracas.envs.battles.vector:BattleVectorEnv")
DRAFTS = ("fracas.envs.drafting.single:DraftEnv", "fracas.envs.drafting.vector:DraftVectorEnv")


def version_of(ruleset: str, version: int = 1) -> int:
    """The number in the id of a ruleset's environment with a version of observations; of a game, of its rules."""
    return environment_version(ruleset, registry.get(ruleset).rules_version) + version - 1


def environment_id(ruleset: str, version: int = 1) -> str:
    """The id for `gymnasium.make`; of a game, what PettingZoo calls its environment."""
    if ruleset not in ENVIRONMENTS:
        return f"{ruleset}-v{version_of(ruleset)}"
    return f"fracas/{ruleset.capitalize()}-v{version_of(ruleset, version)}"


def register_environments() -> None:
    """Make the environments known to Gymnasium; `import fracas.envs` calls it."""
    import gymnasium

    for ruleset in ENVIRONMENTS:
        single, batch = DRAFTS if ruleset in DRAFTED else BATTLES
        for version in VERSIONS:
            name = environment_id(ruleset, version)
            if name not in gymnasium.registry:
                kwargs = {"ruleset": ruleset, "version": version}
                gymnasium.register(id=name, entry_point=single, vector_entry_point=batch, kwargs=kwargs)
