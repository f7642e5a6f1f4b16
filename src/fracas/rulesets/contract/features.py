"""What only some rulesets have: loot, campaigns, sessions, drafts, share codes, a solver; others have None there.

A feature is a module, or an object, with these functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from fracas.content.packs import Library
from fracas.rulesets.contract.mixers import Mixer
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugins
from fracas.rulesets.contract.types import (
    BuildCode,
    Campaign,
    Compiled,
    Document,
    Override,
    ResolvedScenario,
    Rows,
    SavedSession,
    Source,
)

if TYPE_CHECKING:
    from fracas.rulesets.contract.drafts import Draft, DraftSpaces
    from fracas.rulesets.contract.measures import LootCounts, LootPlan
    from fracas.rulesets.contract.standing import ChoiceWords, Standing


class Loot(Protocol):
    """Quests whose runs give loot."""

    def plan(
        self,
        library: Library,
        quest: str,
        difficulty: str,
        seed: str | None,
        encounters: int | None,
        folders: Sequence[Path],
    ) -> LootPlan:
        """The expected loot of runs through a quest that pass `encounters` encounters; None means all.

        Raises:
            InputError: no such quest or difficulty, or the quest has fewer encounters.
        """

    def roll(self, plan: LootPlan, runs: int, notice: Callable[[str], None] | None = None) -> LootCounts:
        """Roll for the loot of runs 0 to runs - 1."""


class Campaigns(Protocol):
    """Battles in order, each on the world that the one before left."""

    def resolve_campaign(
        self, document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
    ) -> ResolvedScenario:
        """Look up everything that a campaign refers to; a single battle is a campaign of one.

        Raises:
            InputError: every problem in the file.
        """

    def resolve_world(self, document: Document, source: Source, folders: Sequence[Path], plugins: Plugins) -> Document:
        """The resolved world of a file: a world, a campaign or a single battle.

        Raises:
            InputError: every problem in the file.
        """

    def start(self, document: Document, world: Document | None = None) -> Campaign:
        """A resolved campaign, ready for its first battle, on its own world or another resolved one."""


class Sessions(Protocol):
    """Battles that people fight over a distance."""

    def saved_session(self, document: Document, where: str) -> SavedSession:
        """Turn a session's document into a battle that can be replayed.

        Raises:
            InputError: it was edited, or is not a session.
        """


class Tables(Protocol):
    """Battles that people play live, decision by decision, over the interface for agents. Sides count from 0."""

    @property
    def hides(self) -> bool:
        """Whether anything but the dice and open choices is hidden from the other side."""

    def standing(self, scenario: Compiled, document: Document, record: Any, side: int | None, actor: int) -> Standing:
        """How a battle stands for a side, or for who only watches (None).

        Args:
            scenario: the compiled battle.
            document: its resolved document.
            record: the battle as it stands.
            side: who looks.
            actor: for whom that side chooses now, as `actor_of` says.
        """

    def is_seen(self, rows: Rows, side: int | None) -> Rows:
        """Which event rows a side may see, (n,) bool; for None those that both sides may see."""

    def default(self, record: Any, side: int, actor: int) -> tuple[int, int]:
        """What counts for a side that did not choose in time: a choice and a target, as `decode` gives them.

        `record` is a copy with dice of its own.
        """

    def with_choices(self, document: Document, decisions: Sequence[Sequence[int]]) -> Document | None:
        """The resolved document of the same battle with what was decided in it; None if scenarios cannot say that.

        Each decision is a side, from 1, an actor, a choice and a target.
        """

    def choice_words(
        self, document: Document, record: Any, side: int, legal: Mapping[str, int]
    ) -> Mapping[str, ChoiceWords]:
        """What choices do and cost, by the first part of the names of actions (up to a colon), or by whole names.

        `legal` are the actions that the side may take now, by their names.
        """


class Drafts(Protocol):
    """Drafts before the battle."""

    def spaces(self, version: int = 1) -> DraftSpaces:
        """What agents see and do in drafts, with a version of observations.

        Raises:
            UsageError: there is no such version.
        """

    def start(self, document: Document, side: int) -> Draft:
        """The draft of a side, 0 or 1, before the battle of a resolved document.

        Raises:
            UsageError: there is nothing to draft in this scenario.
        """


class ShareCodes(Protocol):
    """Builds as short texts."""

    PREFIX: str
    """What every code begins with."""

    def build_codes(
        self, kind: str, document: Document, source: Source, folders: Sequence[Path]
    ) -> Sequence[BuildCode]:
        """The share codes of the builds in a `scenario` or `strategy` file.

        Raises:
            InputError: the file is not valid.
        """

    def build_of_code(self, code: str, folders: Sequence[Path]) -> tuple[Document, str]:
        """Decode a share code into a build, as the plain values and the text of a `strategy` file.

        Raises:
            InputError: the code is invalid, or it names unknown parts.
        """


class SolvedDuel(Protocol):
    """A duel that is solved from one situation: its value, and the best mixes of both sides there."""

    @property
    def tables(self) -> Mapping[int, Document]:
        """The policies that were asked for, by player."""

    def as_json(self) -> Document:
        """The situation, `choices`, `matrix`, `mixes`, `value` and its figures as plain values."""

    def situation_rows(self) -> Sequence[Sequence[str]]:
        """The round, and a row of texts for each player."""

    def notes(self) -> Sequence[str]:
        """How exact the value is, and what was checked."""

    def findings(self) -> Sequence[str]:
        """How far the file's own policies can be exploited."""


class Solver(Protocol):
    """Solves duels in which both sides choose at once."""

    def solve_duel(
        self,
        compiled: Compiled,
        document: Document,
        state: Sequence[Override] = (),
        *,
        states: int | None = None,
        tables: Sequence[int] = (),
        agent: Mixer | None = None,
        threads: int = 1,
        notice: Callable[[str], None] = ...,
        steps: Callable[[int, int, str], None] = ...,
    ) -> SolvedDuel:
        """Solve a duel from a situation, by default from its start; `states` is about how many its finer grid has.

        With `agent` the exploitability is the agent's in either place, not that of the file's policies.

        Raises:
            InputError: the situation is impossible, a library is not installed, or compiling is off.
            FaultError: a check of the result failed.
        """
