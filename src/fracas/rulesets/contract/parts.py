"""How a ruleset's functions are found by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from fracas.content.packs import Library
from fracas.errors import InputError

# The functions that every ruleset has, and their modules; imported on first call.
PARTS: Mapping[str, str] = {
    "library_for": "content.library",
    "library_around": "content.library",
    "check_library": "content.checks",
    "check_file": "content.checks",
    "resolve": "content.checks",
    "compile_battle": "content.compile",
    "lint_scenario": "content.lint",
    "lint_strategy_file": "content.lint",
    "lint_library": "content.lint",
    "narrate": "narration.story",
    "measures": "analysis.statistics",
    "statistics": "analysis.statistics",
    "explain": "analysis.condition_dry_run",
    "explained_units": "analysis.condition_dry_run",
    "hits": "analysis.hit_calculator",
    "random_scenario": "analysis.scenario_generator",
    "LabHooks": "analysis.lab_hooks",
}

# The functions that only some rulesets have, and what the others lack in their messages.
OPTIONAL_PARTS: Mapping[str, str] = {
    "agent_interface": "decisions for agents in its battles",
    "build_codes": "share codes",
    "build_of_code": "share codes",
    "calendar": "seasons",
    "campaign": "campaigns",
    "chronicle": "chronicle",
    "describe_entry": "descriptions",
    "draft": "draft",
    "draft_spaces": "draft",
    "ladder": "opponents for a ladder",
    "loot_plan": "quests and no loot",
    "random_campaign": "campaigns",
    "resolve_campaign": "campaigns",
    "resolve_world": "campaigns",
    "roll_loot": "quests and no loot",
    "saved_session": "sessions",
    "swaps": "swaps of its own",
}


class Parts:
    """A ruleset's functions. mypy cannot check their calls: `tests/contract/test_parts.py` does."""

    name: str
    part_modules: Mapping[str, str] = {}
    """The modules of the `OPTIONAL_PARTS` that this ruleset has, and of the `PARTS` that it keeps elsewhere."""

    def part(self, name: str) -> Any:
        """A function of the ruleset by its name in `PARTS` or `OPTIONAL_PARTS`."""
        module = self.part_modules.get(name) or PARTS[name]
        return getattr(import_module(f"fracas.rulesets.{self.name}.{module}"), name)

    def has_part(self, name: str) -> bool:
        """Whether the ruleset has an optional function."""
        return name in self.part_modules

    def optional_part(self, name: str, where: str, refusal: type[InputError] = InputError) -> Any:
        """An optional function of the ruleset.

        Raises:
            InputError: the ruleset does not have it.
        """
        if not self.has_part(name):
            raise refusal.of(where, f"{self.name} has no {OPTIONAL_PARTS[name]}")
        return self.part(name)

    def read_library(self, profile: str | None, folders: Sequence[Path]) -> Library:
        """The shipped content, a profile's packs and the user's own folders, checked.

        Raises:
            InputError: every problem in every file.
        """
        library: Library = self.part("library_for")(profile, folders)
        library.once(self.part("check_library"))
        return library
