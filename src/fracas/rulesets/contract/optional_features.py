"""What only some rulesets have: environments, drafts, seasons, loot, campaigns, sessions, share codes, opponents.

A ruleset lists the functions that it has in its `part_modules`; all others are refused.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.errors import UsageError
from fracas.events.chronicle import Chronicle
from fracas.events.protocol import Event
from fracas.rulesets.contract.parts import Parts
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import (
    BuildCode,
    Campaign,
    Document,
    LadderRung,
    ResolvedScenario,
    SavedSession,
    Source,
)

if TYPE_CHECKING:
    from fracas.rulesets.contract.agents import AgentInterface
    from fracas.rulesets.contract.drafts import Draft, DraftSpaces
    from fracas.rulesets.contract.measures import LootCounts, LootPlan


class OptionalFeatures(Parts):
    """The features that a ruleset may lack."""

    def agent_interface(self) -> AgentInterface:
        """The interface for agents in this ruleset's battles.

        Raises:
            UsageError: the ruleset has no environments.
        """
        return self.optional_part("agent_interface", "RULESET", UsageError)()

    def draft_spaces(self) -> DraftSpaces:
        """What agents see and do in drafts before this ruleset's battles.

        Raises:
            UsageError: there is nothing to draft.
        """
        return self.optional_part("draft_spaces", "RULESET", UsageError)()

    def draft(self, document: Document, side: int) -> Draft:
        """The draft of a side, 0 or 1, before the battle of a resolved document.

        Raises:
            UsageError: there is nothing to draft, or not in this scenario.
        """
        return self.optional_part("draft", "RULESET", UsageError)(document, side)

    def calendar(self, day: datetime.date, weeks: int, folders: Sequence[Path] = ()) -> list[tuple[datetime.date, Any]]:
        """The seasons' calendar: for a day's week and those after it, their Monday and the content of the week.

        Raises:
            InputError: the ruleset has no seasons, or the content is broken.
        """
        return self.optional_part("calendar", "RULESET")(self.read_library(None, folders), day, weeks)

    def chronicle(self, events: Sequence[Event], document: Document) -> Chronicle | None:
        """The events as nested records (encounters, rounds, actions); None if the ruleset has none."""
        return self.part("chronicle")(events, document) if self.has_part("chronicle") else None

    def loot_plan(
        self, quest: str, difficulty: str, seed: str | None, encounters: int | None, folders: Sequence[Path] = ()
    ) -> LootPlan:
        """The expected loot of runs through a quest that pass `encounters` encounters; None means all.

        Raises:
            InputError: the ruleset has no quests, no such quest or difficulty, or the quest has fewer encounters.
        """
        plan = self.optional_part("loot_plan", "RULESET")
        return plan(self.read_library(None, folders), quest, difficulty, seed, encounters, folders)

    def roll_loot(self, plan: LootPlan, runs: int, notice: Callable[[str], None] | None = None) -> LootCounts:
        """Roll for the loot of runs 0 to runs - 1."""
        return self.optional_part("roll_loot", "RULESET")(plan, runs, notice)

    def is_campaign(self, document: Document) -> bool:
        """Whether a possibly invalid scenario document is a campaign, not a single battle."""
        return False

    def resolve_campaign(
        self,
        document: Document,
        source: Source,
        folders: Sequence[Path] = (),
        plugins: Mapping[str, Plugin] | None = None,
    ) -> ResolvedScenario:
        """Look up everything that a campaign refers to; a single battle is a campaign of one.

        Raises:
            InputError: every problem in the file, or the ruleset has no campaigns.
        """
        return self.optional_part("resolve_campaign", source.where)(document, source, folders, plugins or {})

    def campaign(self, document: Document, world: Document | None = None) -> Campaign:
        """A resolved campaign, ready for its first battle, on its own world or another resolved one.

        Raises:
            InputError: the ruleset has no campaigns.
        """
        return self.optional_part("campaign", "campaign")(document, world)

    def resolve_world(
        self,
        document: Document,
        source: Source,
        folders: Sequence[Path] = (),
        plugins: Mapping[str, Plugin] | None = None,
    ) -> Document:
        """The resolved world of a file: a world, a campaign or a single battle.

        Raises:
            InputError: every problem in the file, or the ruleset has no campaigns.
        """
        return self.optional_part("resolve_world", source.where)(document, source, folders, plugins or {})

    def random_campaign(self, seed: int) -> Document | None:
        """A random but valid campaign document, the same for the same seed; None in rulesets without campaigns."""
        return self.part("random_campaign")(seed) if self.has_part("random_campaign") else None

    def saved_session(self, document: Document, where: str) -> SavedSession:
        """Turn a session's document into a battle that can be replayed.

        Raises:
            InputError: it was edited, is not a session, or the ruleset has no sessions.
        """
        return self.optional_part("saved_session", where)(document, where)

    def build_codes(
        self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()
    ) -> Sequence[BuildCode]:
        """The share codes of the builds in a `scenario` or `strategy` file.

        Raises:
            InputError: the ruleset has no share codes, or the file is not valid.
        """
        return self.optional_part("build_codes", source.where)(kind, document, source, folders)

    def build_of_code(self, code: str, folders: Sequence[Path] = ()) -> tuple[Document, str]:
        """Decode a share code into a build, as the plain values and the text of a `strategy` file.

        Raises:
            InputError: the ruleset has no share codes, the code is invalid, or it names unknown parts.
        """
        return self.optional_part("build_of_code", "code")(code, folders)

    def ladder(self, document: Document, folders: Sequence[Path] = ()) -> Sequence[LadderRung]:
        """Side 1 of a resolved document against every opponent of the content.

        Raises:
            InputError: the ruleset has no opponents.
        """
        return self.optional_part("ladder", "ladder")(document, folders)

    def describe_entry(self, entry: Any) -> Sequence[str]:
        """What a content entry does, in sentences; empty if the ruleset has no description."""
        return self.part("describe_entry")(entry) if self.has_part("describe_entry") else ()
