"""The Ruleset class: what every ruleset provides.

The layers above (api, replay, lab, cli) use rulesets only through this contract. All rulesets have the same folders;
the `RULESET` at the end of a ruleset's `ruleset.py` implements the contract.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.conditions import Vocabulary
from fracas.content.packs import shipped_folder
from fracas.content.validate import dotted
from fracas.errors import InputError, Problem, UsageError
from fracas.events.protocol import Codebooks, Event, Protocol
from fracas.events.styled_text import Line
from fracas.events.tick_labels import Places
from fracas.kernel.identity import Identity
from fracas.rulesets.contract.kernels import Kernels, Models
from fracas.rulesets.contract.optional_features import OptionalFeatures
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import (
    Compiled,
    Document,
    Explanation,
    Finding,
    Override,
    ResolvedScenario,
    Source,
    Swap,
)

if TYPE_CHECKING:
    from fracas.rulesets.contract.analysis import AnalysisHooks
    from fracas.rulesets.contract.hits import Hit
    from fracas.rulesets.contract.measures import Measure, Statistic, Sums


class Ruleset(OptionalFeatures):
    """A published rule system.

    Its methods call the ruleset's functions, listed in `parts.py`. A subclass overrides only what it does differently.
    """

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

    @property
    def analysis(self) -> AnalysisHooks:
        """The ruleset's analysis hooks; a new object each time, because hooks may cache content."""
        return self.part("LabHooks")(self.name)

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
        return self.part("resolve")(document, source, folders, plugins or {})

    def compile(
        self, document: Document, plugins: Mapping[str, Plugin], *, strict: bool = False, sound: Any = None
    ) -> Compiled:
        """Compile a resolved document into a record. `strict` makes unknown condition names errors.

        Pass `ResolvedScenario.sound` as `sound` to skip validating the document again.

        Raises:
            InputError: problems that only appear when names become numbers (conditions, unknown stages).
        """
        return self.part("compile_battle")(document, plugins, strict=strict, sound=sound)

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

    def measures(self, compiled: Compiled, document: Document) -> Sequence[Measure]:
        """The measures that simulations sum over result rows, apart from winners, reasons and rounds."""
        return self.part("measures")(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> Sequence[Statistic]:
        """The statistics of those sums, for people and programs."""
        return self.part("statistics")(compiled, document, sums)

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

        if self.has_part("swaps"):
            return self.part("swaps")(document, side, folders)
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

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        """The battle as lines of styled text, for detail `story`, `decisions` or `all`."""
        return self.part("narrate")(events, compiled, document, detail)

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
        return self.part("explain")(
            compiled, stream=stream, unit=unit, when=when, round=round, state=state, strict=strict, encounter=encounter
        )

    def explained_units(self, compiled: Compiled) -> list[str]:
        """The names that `explain` takes as its unit, in the order of the battle."""
        return self.part("explained_units")(compiled)

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
        return self.part("hits")(
            compiled, stream=stream, actor=actor, target=target, round=round, state=state, encounter=encounter
        )

    def check_file(
        self, kind: str, document: Document, source: Source, folders: Sequence[Path] = (), *, strict: bool = False
    ) -> tuple[Problem, ...]:
        """Check a `content` or `strategy` file, a content file as part of its folder; returns warnings.

        Raises:
            InputError: every problem found.
        """
        return self.part("check_file")(kind, document, source, folders, strict)

    def lint(
        self,
        document: Document,
        source: Source,
        folders: Sequence[Path] = (),
        plugins: Mapping[str, Plugin] | None = None,
    ) -> list[Finding]:
        """Lint a scenario: find what is valid but probably a mistake."""
        return self.part("lint_scenario")(document, source, folders, plugins or {})

    def lint_file(self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()) -> list[Finding]:
        """Lint a `content` or `strategy` file.

        Raises:
            InputError: the file is not valid.
        """
        self.check_file(kind, document, source, folders)
        if kind == "content":
            return self.part("lint_library")(self.part("library_around")(document, source, folders), source.where)
        return self.part("lint_strategy_file")(document, source, folders)

    def lint_content(self, folders: Sequence[Path] = ()) -> list[Finding]:
        """Lint all content, including that of the folders."""
        return self.part("lint_library")(self.read_library(None, folders))

    def random_scenario(self, seed: int) -> Document:
        """A random but valid scenario document, the same for the same seed."""
        return self.part("random_scenario")(seed)

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
