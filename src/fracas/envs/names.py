"""What environments are called: fracas/Titans-v1 for Gymnasium, and `fracas.envs.titans_v1` for both sides."""

from __future__ import annotations

from fracas.rulesets import registry
from fracas.rulesets.shared.network_model import FIRST_RULES_VERSIONS, environment_version

ENVIRONMENTS = tuple(FIRST_RULES_VERSIONS)
# Where agents draft before a battle; elsewhere they decide in it.
DRAFTED = ("relics",)
RULESETS = tuple(name for name in ENVIRONMENTS if name not in DRAFTED)

# The classes of one environment and of a batch.
BATTLES = ("fracas.envs.battles.single:BattleEnv", "fracas.envs.battles.vector:BattleVectorEnv")
DRAFTS = ("fracas.envs.drafting.single:DraftEnv", "fracas.envs.drafting.vector:DraftVectorEnv")


def version_of(ruleset: str) -> int:
    """The version of a ruleset's environments; of a game, that of its rules."""
    rules_version = registry.get(ruleset).rules_version
    return environment_version(ruleset, rules_version)


def environment_id(ruleset: str) -> str:
    """The id for `gymnasium.make`; of a game, what PettingZoo calls its environment."""
    if ruleset not in ENVIRONMENTS:
        return f"{ruleset}-v{version_of(ruleset)}"
    return f"fracas/{ruleset.capitalize()}-v{version_of(ruleset)}"


def register_environments() -> None:
    """Make the environments known to Gymnasium; `import fracas.envs` calls it."""
    import gymnasium

    for ruleset in ENVIRONMENTS:
        name = environment_id(ruleset)
        single, batch = DRAFTS if ruleset in DRAFTED else BATTLES
        if name not in gymnasium.registry:
            gymnasium.register(id=name, entry_point=single, vector_entry_point=batch, kwargs={"ruleset": ruleset})
