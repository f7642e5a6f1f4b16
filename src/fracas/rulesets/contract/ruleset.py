"""The Ruleset class: what every ruleset provides.

The layers above (api, replay, lab, cli) use rulesets only through this contract. All rulesets have the same folders;
the `RULESET` at the end of a ruleset's `ruleset.py` implements the contract.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import datetime
import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.conditions import Vocabulary
from fracas.content.packs import Library
from fracas.content.validate import dotted
from fracas.errors import InputError, Problem, UsageError
from fracas.events.protocol import Codebooks, Event, Protocol
from fracas.events.styled_text import Line
from fracas.events.tick_labels import Places
from fracas.rulesets.contract.kernels import Kernels, Models
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import (
    BuildCode,
    Campaign,
    Compiled,
    Document,
    Explanation,
    Finding,
    LadderRung,
    Override,
    ResolvedScenario,
    SavedSession,
    Source,
    Swap,
)

if TYPE_CHECKING:
    from fracas.rulesets.contract.agents import AgentInterface
    from fracas.rulesets.contract.analysis import AnalysisHooks
    from fracas.rulesets.contract.drafts import Draft, DraftSpaces
    from fracas.rulesets.contract.hits import Hit
    from fracas.rulesets.contract.joining import SideJoiner
    from fracas.rulesets.contract.measures import LootCounts, LootPlan, Measure, Statistic, Sums

# The functions that every ruleset has, and their modules; imported on first call.
PARTS: Mapping[str, str] = {
    "library_for": "content.library",
    "check_library": "content.checks",
    "check_file": "content.checks",
    "resolve": "content.checks",
    "compile_battle": "content.compile",
    "lint_scenario": "content.lint",
    "lint_file": "content.lint",
    "lint_library": "content.lint",
    "narrate": "narration.story",
    "measures": "analysis.statistics",
    "statistics": "analysis.statistics",
    "explain": "analysis.condition_dry_run",
    "hits": "analysis.hit_calculator",
    "random_scenario": "analysis.scenario_generator",
    "LabHooks": "analysis.lab_hooks",
}


class Ruleset:
    """A published rule system.

    Its methods call the `PARTS` of the ruleset. A subclass overrides only what its ruleset does differently.
    """

    name: str
    title: str
    summary: str
    rules_version: int
    default_profile: str
    models: Models
    vocabulary: Vocabulary
    protocol: Protocol
    codebooks: Codebooks
    kernels: Kernels
    reasons: Sequence[str]
    benchmarks: Sequence[str]
    rare_event_kinds: frozenset[int] = frozenset()
    """Event kinds that a single battle without plug-ins never writes."""
    early_options: frozenset[tuple[str, ...]] = frozenset()
    """Options that affect resolving, as the first two parts of their paths."""
    code_prefix: str = ""
    """The prefix of the ruleset's share codes; empty if it has none."""
    part_modules: Mapping[str, str] = {}
    """The modules of `PARTS` that this ruleset keeps elsewhere."""

    def __reduce__(self) -> str:
        """Pickle a ruleset as the `RULESET` of its module."""
        return "RULESET"

    def _part(self, name: str) -> Any:
        """A function of the ruleset by its name in `PARTS`. mypy cannot check its calls: `tests/contract` does."""
        module = self.part_modules.get(name, PARTS[name])
        return getattr(import_module(f"fracas.rulesets.{self.name}.{module}"), name)

    @property
    def analysis(self) -> AnalysisHooks:
        """The ruleset's analysis hooks; a new object each time, because hooks may cache content."""
        return self._part("LabHooks")(self.name)

    def read_library(self, profile: str | None, folders: Sequence[Path]) -> Library:
        """The shipped content, a profile's packs and the user's own folders, checked.

        Raises:
            InputError: every problem in every file.
        """
        library: Library = self._part("library_for")(profile, folders)
        library.once(self._part("check_library"))
        return library

    def resolve(
        self,
        document: Document,
        source: Source,
        folders: Sequence[Path] = (),
        plugins: Mapping[str, Plugin] | None = None,
    ) -> ResolvedScenario:
        """Look up everything that a scenario refers to. Resolving again changes nothing.

        Raises:
            InputError: every problem in the scenario.
        """
        return self._part("resolve")(document, source, folders, plugins or {})

    def compile(
        self, document: Document, plugins: Mapping[str, Plugin], *, strict: bool = False, sound: Any = None
    ) -> Compiled:
        """Compile a resolved document into a record. `strict` makes unknown condition names errors.

        Pass `ResolvedScenario.sound` as `sound` to skip validating the document again.

        Raises:
            InputError: problems that only appear when names become numbers (conditions, unknown stages).
        """
        return self._part("compile_battle")(document, plugins, strict=strict, sound=sound)

    def side_joiner(self) -> SideJoiner | None:
        """What joins sides that were compiled before to battles; None if each battle is compiled whole."""
        return None

    def test_plugins(self, compiled: Compiled) -> None:
        """Test a scenario's plug-ins before use; rulesets without plug-ins refuse them.

        Raises:
            InputError: a plug-in raises, returns a wrong value, or changes what it may only read.
        """
        if compiled.plugins:
            raise UsageError.of("--plugin", f"{self.name} does not accept plug-ins")

    def prefers_interpreter(self, document: Document) -> bool:
        """Whether a battle plays faster in plain Python than compiled kernels load (about a third of a second)."""
        return False

    def agent_interface(self) -> AgentInterface:
        """The interface for agents in this ruleset's battles.

        Raises:
            UsageError: the ruleset has no environments.
        """
        raise UsageError.of("RULESET", f"{self.name} has no environments for agents")

    def draft_spaces(self) -> DraftSpaces:
        """What agents see and do in drafts before this ruleset's battles.

        Raises:
            UsageError: there is nothing to draft.
        """
        raise UsageError.of("RULESET", f"{self.name} has no draft")

    def draft(self, document: Document, side: int) -> Draft:
        """The draft of a side, 0 or 1, before the battle of a resolved document.

        Raises:
            UsageError: there is nothing to draft, or not in this scenario.
        """
        raise UsageError.of("RULESET", f"{self.name} has no draft")

    def calendar(self, day: datetime.date, weeks: int, folders: Sequence[Path] = ()) -> list[tuple[datetime.date, Any]]:
        """The seasons' calendar: for a day's week and those after it, their Monday and the content of the week.

        Raises:
            InputError: the ruleset has no seasons, or the content is broken.
        """
        raise InputError.of("RULESET", f"{self.name} has no seasons")

    def tick_labels(self, document: Document) -> Places:
        """The tick labels of a resolved document's battle."""
        return Places()

    def count_rounds(self, events: Sequence[Event]) -> int:
        """The number of rounds in the events of a whole battle, over all its encounters."""
        return events[-1].tick

    def side_names(self, document: Document) -> tuple[str, str]:
        """The names of both sides of a resolved document."""
        names = [str(side["name"]) for side in document.get("sides", [])]
        return (names[0], names[1]) if len(names) == 2 else ("Side 1", "Side 2")

    def chronicle(self, events: Sequence[Event], document: Document) -> Any:
        """The events as nested records (encounters, rounds, actions); None if the ruleset has none."""
        return None

    def measures(self, compiled: Compiled, document: Document) -> Sequence[Measure]:
        """The measures that simulations sum over result rows, apart from winners, reasons and rounds."""
        return self._part("measures")(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> Sequence[Statistic]:
        """The statistics of those sums, for people and programs."""
        return self._part("statistics")(compiled, document, sums)

    def loot_plan(
        self, quest: str, difficulty: str, seed: str | None, encounters: int | None, folders: Sequence[Path] = ()
    ) -> LootPlan:
        """The expected loot of runs through a quest that pass `encounters` encounters; None means all.

        Raises:
            InputError: the ruleset has no quests, no such quest or difficulty, or the quest has fewer encounters.
        """
        raise InputError.of("RULESET", f"{self.name} has no quests and no loot")

    def roll_loot(self, plan: LootPlan, runs: int, notice: Callable[[str], None] | None = None) -> LootCounts:
        """Roll for the loot of runs 0 to runs - 1."""
        raise InputError.of("RULESET", f"{self.name} has no quests and no loot")

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
        raise InputError.of(source.where, f"{self.name} has no campaigns")

    def campaign(self, document: Document, world: Document | None = None) -> Campaign:
        """A resolved campaign, ready for its first battle, on its own world or another resolved one.

        Raises:
            InputError: the ruleset has no campaigns.
        """
        raise InputError.of("campaign", f"{self.name} has no campaigns")

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
        raise InputError.of(source.where, f"{self.name} has no campaigns")

    def saved_session(self, document: Document, where: str) -> SavedSession:
        """Turn a session's document into a battle that can be replayed.

        Raises:
            InputError: it was edited, is not a session, or the ruleset has no sessions.
        """
        raise InputError.of(where, f"{self.name} has no sessions")

    def random_campaign(self, seed: int) -> Document | None:
        """A random but valid campaign document, the same for the same seed; None in rulesets without campaigns."""
        return None

    def build_codes(
        self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()
    ) -> Sequence[BuildCode]:
        """The share codes of the builds in a `scenario` or `strategy` file.

        Raises:
            InputError: the ruleset has no share codes, or the file is not valid.
        """
        raise InputError.of(source.where, f"{self.name} has no share codes")

    def build_of_code(self, code: str, folders: Sequence[Path] = ()) -> tuple[Document, str]:
        """Decode a share code into a build, as the plain values and the text of a `strategy` file.

        Raises:
            InputError: the ruleset has no share codes, the code is invalid, or it names unknown parts.
        """
        raise InputError.of("code", f"{self.name} has no share codes")

    def ladder(self, document: Document, folders: Sequence[Path] = ()) -> Sequence[LadderRung]:
        """Side 1 of a resolved document against every opponent of the content.

        Raises:
            InputError: the ruleset has no opponents.
        """
        raise InputError.of("ladder", f"{self.name} has no opponents for a ladder")

    def swaps(self, document: Document, side: int, folders: Sequence[Path] = ()) -> Sequence[Swap]:
        """Everything that side 1 or 2 of a resolved document could have in one place instead.

        These are the dimensions of who fights: a line-up, a party, an army, a titan.

        Raises:
            InputError: the ruleset has no parts to exchange.
        """
        from fracas.rulesets.contract.analysis import SideRef

        if not self.analysis.parts:
            raise InputError.of("swaps", f"{self.name} has no parts to exchange")
        dimensions = [
            dimension
            for dimension in self.analysis.search_space(SideRef(document, side), folders)
            if dimension.part == self.analysis.parts[-1]
        ]
        return [
            Swap(
                dotted(dimension.path),
                dimension.labels[dimension.current],
                label,
                self.analysis.with_choices(document, [(dimension, number)], folders),
            )
            for dimension in dimensions
            for number, label in enumerate(dimension.labels)
            if number != dimension.current
        ]

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        """The battle as lines of styled text, for detail `story`, `decisions` or `all`."""
        return self._part("narrate")(events, compiled, document, detail)

    def explain(
        self,
        compiled: Compiled,
        *,
        stream: int,
        unit: str,
        when: Any,
        round: int,
        state: Sequence[Override],
        strict: bool = False,
        encounter: int | None = None,
    ) -> Explanation:
        """Evaluate a condition, as text or in its JSON form, at a unit's decision in a round.

        `encounter` is the round's encounter, None for a single fight. `state` overrides values of the situation, by the
        paths in the explain section of the rule book.

        Raises:
            InputError: no such unit, an invalid condition, an unknown state path, or no decision in that round.
        """
        return self._part("explain")(
            compiled, stream=stream, unit=unit, when=when, round=round, state=state, strict=strict, encounter=encounter
        )

    def hits(
        self,
        compiled: Compiled,
        *,
        stream: int,
        actor: str,
        target: str,
        round: int | None,
        state: Sequence[Override],
        encounter: int | None = None,
    ) -> list[Hit]:
        """Calculate the actor's damage to the target, at the battle's start or at its decision in a round.

        `actor` and `target` are unit names as in events, or sides: "1" and "2".

        Raises:
            InputError: no such unit, no such decision, an unknown state path.
        """
        return self._part("hits")(
            compiled, stream=stream, actor=actor, target=target, round=round, state=state, encounter=encounter
        )

    def check_file(
        self, kind: str, document: Document, source: Source, folders: Sequence[Path] = (), *, strict: bool = False
    ) -> tuple[Problem, ...]:
        """Check a `content` or `strategy` file, a content file as part of its folder; returns warnings.

        Raises:
            InputError: every problem found.
        """
        return self._part("check_file")(kind, document, source, folders, strict)

    def lint(
        self,
        document: Document,
        source: Source,
        folders: Sequence[Path] = (),
        plugins: Mapping[str, Plugin] | None = None,
    ) -> list[Finding]:
        """Lint a scenario: find what is valid but probably a mistake."""
        return self._part("lint_scenario")(document, source, folders, plugins or {})

    def lint_file(self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()) -> list[Finding]:
        """Lint a `content` or `strategy` file."""
        return self._part("lint_file")(kind, document, source, folders)

    def lint_content(self, folders: Sequence[Path] = ()) -> list[Finding]:
        """Lint all content, including that of the folders."""
        return self._part("lint_library")(self.read_library(None, folders))

    def describe_entry(self, entry: Any) -> Sequence[str]:
        """What a content entry does, in sentences; empty if the ruleset has no description."""
        return ()

    def random_scenario(self, seed: int) -> Document:
        """A random but valid scenario document, the same for the same seed."""
        return self._part("random_scenario")(seed)

    def template(self) -> str:
        """A commented scenario file to start from: the `template.toml` beside the ruleset's `ruleset.py`."""
        return (Path(inspect.getfile(type(self))).parent / "template.toml").read_text(encoding="utf-8")

    def template_pack(self) -> dict[str, str]:
        """A commented content pack to start from, with a scenario that uses it: texts by their paths in the pack.

        The files are in `template_pack`, beside the ruleset's `ruleset.py`.
        """
        folder = Path(inspect.getfile(type(self))).parent / "template_pack"
        files = sorted(folder.rglob("*.toml"))
        return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in files}
