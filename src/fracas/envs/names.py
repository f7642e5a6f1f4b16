"""What environments are called: fracas/Titans-v1, and `fracas.envs.titans_v1` for both sides."""

from __future__ import annotations

from fracas.rulesets import registry

# The rules that version 1 of a ruleset's environments played. Each later RULES_VERSION raises the version by one.
FIRST_RULES_VERSIONS = {"delve": 2, "relics": 3, "squads": 2, "stacks": 2, "titans": 2}
ENVIRONMENTS = tuple(FIRST_RULES_VERSIONS)
# Where agents draft before a battle; elsewhere they decide in it.
DRAFTED = ("relics",)
RULESETS = tuple(name for name in ENVIRONMENTS if name not in DRAFTED)


def version_of(ruleset: str) -> int:
    """The version of a ruleset's environments."""
    return registry.get(ruleset).rules_version - FIRST_RULES_VERSIONS[ruleset] + 1


def environment_id(ruleset: str) -> str:
    """The id for `gymnasium.make`."""
    return f"fracas/{ruleset.capitalize()}-v{version_of(ruleset)}"
