"""The Ruleset class: what every ruleset provides.

The layers above (api, replay, lab, cli) use rulesets only through this contract; the `RULESET` at the end of a
ruleset's `ruleset.py` implements it. A ruleset's content is imported with it, its narration and its analysis when they
are asked for.
"""

from __future__ import annotations

import datetime
import inspect
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from fracas.conditions import Vocabulary
from fracas.content.catalogue import Catalogue
from fracas.content.packs import Library, shipped_folder
from fracas.content.validate import dotted
from fracas.errors import InputError, Problem, UsageError
from fracas.events.chronicle import Chronicle
from fracas.events.styled_text import Line
from fracas.events.tick_labels import Places
from fracas.kernel.event_protocol import Codebooks, Event, Protocol
from fracas.kernel.identity import Identity
from fracas.rulesets.contract.features import Campaigns, Drafts, Loot, Sessions, ShareCodes, Solver, Tables
from fracas.rulesets.contract.kernels import Kernels, Models
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugins
from fracas.rulesets.contract.types import (
    Asked,
    AskedHit,
    Compiled,
    Document,
    Explanation,
    Finding,
    LadderRung,
    ResolvedScenario,
    Source,
    Swap,
)

if TYPE_CHECKING:
    from fracas.rulesets.contract.agents import AgentInterface
    from fracas.rulesets.contract.analysis import AnalysisHooks
    from fracas.rulesets.contract.hits import Hit
    from fracas.rulesets.contract.measures import Measure, Statistic, Sums
    from fracas.rulesets.contract.player_entries import EntryKind


Feature = TypeVar("Feature")


class Ruleset(ABC):
    """A published rule system. What is abstract is every ruleset's own; the rest has an answer that fits most."""

    name: str
    title: str
    summary: str
    rules_version: int
    default_profile: str
    models: Models
    catalogue: Catalogue
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

    def __reduce__(self) -> Any:
        """Pickle a ruleset as the `RULESET` of its module; a game as what finds it by its name and its rules hash."""
        return "RULESET"

    @property
    def rules_hash(self) -> str:
        """A hash of a game's rules, in hex; empty for the shipped rulesets, whose rules are those of the program."""
        return ""

    @property
    def identity(self) -> Identity:
        """What tells it from every other rule system, and from other rules of the same name."""
        return Identity(self.name, self.rules_hash)

    @cached_property
    def content_folder(self) -> Path | None:
        """The folder of its own content; None if it has none. A game says where its content is."""
        return shipped_folder(self.name)

    # -- loading -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def resolve(
        self, document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
    ) -> ResolvedScenario:
        """Look up everything that a scenario refers to. Resolving again changes nothing.

        Raises:
            InputError: every problem in the scenario.
        """

    @abstractmethod
    def compile(self, document: Document, plugins: Plugins, *, strict: bool = False, sound: Any = None) -> Compiled:
        """Compile a resolved document into a record. `strict` makes unknown condition names errors.

        Pass `ResolvedScenario.sound` as `sound` to skip validating the document again.

        Raises:
            InputError: problems that only appear when names become numbers (conditions, unknown stages).
        """

    def test_plugins(self, compiled: Compiled) -> None:
        """Test a scenario's plug-ins before use; rulesets without plug-ins refuse them.

        Raises:
            InputError: a plug-in raises, returns a wrong value, or changes what it may only read.
        """
        if compiled.plugins:
            raise UsageError.of("--plugin", f"{self.name} does not accept plug-ins")

    @abstractmethod
    def check_library(self, library: Library, origin: str | None = None) -> None:
        """Check the content of a library, or of one of its files.

        Raises:
            InputError: every problem found.
        """

    def read_library(self, profile: str | None, folders: Sequence[Path]) -> Library:
        """The shipped content, a profile's packs and the user's own folders, checked.

        Raises:
            InputError: every problem in every file.
        """
        library = self.catalogue.library_for(profile, folders)
        library.once(self.check_library)
        return library

    def check_file(
        self, kind: str, document: Document, source: Source, folders: Sequence[Path] = (), *, strict: bool = False
    ) -> tuple[Problem, ...]:
        """Check a `content` or `strategy` file, a content file as part of its folder; returns warnings.

        Raises:
            InputError: every problem found.
        """
        if kind == "content":
            self.check_library(self.catalogue.library_around(document, source, folders), source.where)
            return ()
        return self.check_strategy_file(document, source, folders, strict=strict)

    @abstractmethod
    def check_strategy_file(
        self, document: Document, source: Source, folders: Sequence[Path], *, strict: bool = False
    ) -> tuple[Problem, ...]:
        """Check a `strategy` file, which may refer to the folders and to shipped content; returns warnings.

        Raises:
            InputError: every problem found; warnings too if strict.
        """

    # -- lint --------------------------------------------------------------------------------------------------------

    @abstractmethod
    def lint(
        self, document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
    ) -> list[Finding]:
        """Lint a scenario: find what is valid but probably a mistake."""

    @abstractmethod
    def lint_strategy_file(self, document: Document, source: Source, folders: Sequence[Path]) -> list[Finding]:
        """Lint a valid `strategy` file."""

    @abstractmethod
    def lint_library(self, library: Library, origin: str | None = None) -> list[Finding]:
        """Lint the content of a library, or of one of its files."""

    def lint_file(self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()) -> list[Finding]:
        """Lint a `content` or `strategy` file.

        Raises:
            InputError: the file is not valid.
        """
        self.check_file(kind, document, source, folders)
        if kind == "content":
            return self.lint_library(self.catalogue.library_around(document, source, folders), source.where)
        return self.lint_strategy_file(document, source, folders)

    def lint_content(self, folders: Sequence[Path] = ()) -> list[Finding]:
        """Lint all content, including that of the folders."""
        return self.lint_library(self.read_library(None, folders))

    # -- battles -----------------------------------------------------------------------------------------------------

    def prefers_interpreter(self, document: Document) -> bool:
        """Whether a battle plays faster in plain Python than compiled kernels load (about a third of a second)."""
        return False

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

    @abstractmethod
    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        """The battle as lines of styled text, for detail `story`, `decisions` or `all`."""

    def chronicle(self, events: Sequence[Event], document: Document) -> Chronicle | None:
        """The events as nested records (encounters, rounds, actions); None if the ruleset has none."""
        return None

    # -- analysis ----------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def analysis(self) -> AnalysisHooks:
        """The ruleset's analysis hooks; a new object each time, because hooks may cache content."""

    def measures(self, compiled: Compiled, document: Document) -> Sequence[Measure]:
        """The measures that simulations sum over result rows, apart from winners, reasons and rounds."""
        return ()

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> Sequence[Statistic]:
        """The statistics of those sums, for people and programs."""
        return ()

    def explain(self, compiled: Compiled, **asked: Unpack[Asked]) -> Explanation:
        """Evaluate a condition at a unit's decision in a round.

        Raises:
            InputError: no such unit, an invalid condition, an unknown state path, or no decision in that round.
        """
        return self.analysis.explain(compiled, **asked)

    def explained_units(self, compiled: Compiled) -> list[str]:
        """The names that `explain` takes as its unit, in the order of the battle."""
        return self.analysis.explained_units(compiled)

    def hits(self, compiled: Compiled, **asked: Unpack[AskedHit]) -> list[Hit]:
        """Calculate the actor's damage to the target, at the battle's start or at its decision in a round.

        Raises:
            InputError: no such unit, no such decision, an unknown state path.
        """
        return self.analysis.hits(compiled, **asked)

    def random_scenario(self, seed: int) -> Document:
        """A random but valid scenario document, the same for the same seed."""
        return self.analysis.random_scenario(seed)

    def refuses(self, document: Document) -> bool:
        """Whether the rules refuse a resolved document in which something was exchanged.

        In the shipped rulesets everything that may be exchanged goes together.
        """
        return False

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
        swaps = [
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
        return [swap for swap in swaps if not self.refuses(swap.document)]

    def ladder(self, document: Document, folders: Sequence[Path] = ()) -> Sequence[LadderRung]:
        """Side 1 of a resolved document against every opponent of the content.

        Raises:
            InputError: the ruleset has no opponents.
        """
        raise InputError.of("ladder", f"{self.name} has no opponents for a ladder")

    # -- content -----------------------------------------------------------------------------------------------------

    def describe_entry(self, entry: Any) -> Sequence[str]:
        """What a content entry does, in sentences; empty if the ruleset has no description."""
        return ()

    def calendar(self, day: datetime.date, weeks: int, folders: Sequence[Path] = ()) -> list[tuple[datetime.date, Any]]:
        """The seasons' calendar: for a day's week and those after it, their Monday and the content of the week.

        Raises:
            InputError: the ruleset has no seasons, or the content is broken.
        """
        raise InputError.of("RULESET", f"{self.name} has no seasons")

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

    # -- features: None in rulesets without them ---------------------------------------------------------------------

    @property
    def agents(self) -> AgentInterface | None:
        """The interface for agents in this ruleset's battles."""
        return None

    @property
    def loot(self) -> Loot | None:
        """Quests whose runs give loot."""
        return None

    @property
    def campaign(self) -> Campaigns | None:
        """Battles in order, each on the world that the one before left."""
        return None

    @property
    def session(self) -> Sessions | None:
        """Battles that people fight over a distance."""
        return None

    @property
    def tables(self) -> Tables | None:
        """What people see who play live, decision by decision."""
        return None

    @property
    def draft(self) -> Drafts | None:
        """Drafts before the battle."""
        return None

    @property
    def share_codes(self) -> ShareCodes | None:
        """Builds as short texts."""
        return None

    @property
    def solver(self) -> Solver | None:
        """What solves duels in which both sides choose at once."""
        return None

    @property
    def player_entries(self) -> EntryKind | None:
        """The sides that players may send to leagues."""
        return None

    def required(
        self, feature: Feature | None, what: str, where: str, refusal: type[InputError] = InputError
    ) -> Feature:
        """A feature of this ruleset, which must have it for what was asked: `squads has no campaigns`.

        Raises:
            InputError: it does not have it.
        """
        if feature is None:
            raise refusal.of(where, f"{self.name} has no {what}")
        return feature

    def agent_interface(self) -> AgentInterface:
        """The interface for agents.

        Raises:
            UsageError: the ruleset has none.
        """
        return self.required(self.agents, "decisions for agents in its battles", "RULESET", UsageError)

    def is_campaign(self, document: Document) -> bool:
        """Whether a possibly invalid scenario document is a campaign, not a single battle."""
        return False
