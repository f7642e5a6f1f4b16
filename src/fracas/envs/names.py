"""What environments are called: fracas/Titans-v1, and `fracas.envs.titans_v1` for both sides."""

from __future__ import annotations

from fracas.rulesets import registry
from fracas.rulesets.shared.network_model import FIRST_RULES_VERSIONS, environment_version

ENVIRONMENTS = tuple(FIRST_RULES_VERSIONS)
# Where agents draft before a battle; elsewhere they decide in it.
DRAFTED = ("relics",)
RULESETS = tuple(name for name in ENVIRONMENTS if name not in DRAFTED)


def version_of(ruleset: str) -> int:
    """The version of a ruleset's environments; of a game, that of its rules."""
    rules_version = registry.get(ruleset).rules_version
    return environment_version(ruleset, rules_version)


def environment_id(ruleset: str) -> str:
    """The id for `gymnasium.make`; of a game, what PettingZoo calls its environment."""
    if ruleset not in ENVIRONMENTS:
        return f"{ruleset}-v{version_of(ruleset)}"
    return f"fracas/{ruleset.capitalize()}-v{version_of(ruleset)}"
