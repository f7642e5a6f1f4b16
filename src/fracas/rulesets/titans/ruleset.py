"""titans, as the contract asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fracas.content.packs import Library
from fracas.errors import Problem
from fracas.events.styled_text import Line
from fracas.rulesets.contract.analysis import AnalysisHooks, SideRef
from fracas.rulesets.contract.hits import Hit
from fracas.rulesets.contract.measures import Measure, Statistic, Sums
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.ruleset import Kernels, Models, Ruleset
from fracas.rulesets.contract.types import (
    Compiled,
    Document,
    Explanation,
    Finding,
    Override,
    ResolvedScenario,
    SavedSession,
    Source,
    Swap,
)
from fracas.rulesets.titans.content.ability_models import Policy
from fracas.rulesets.titans.content.checks import check_file, check_library, resolve
from fracas.rulesets.titans.content.compile import compile_battle
from fracas.rulesets.titans.content.library import DEFAULT_PROFILE, library_for
from fracas.rulesets.titans.content.models import ContentFile, Resolved, Scenario
from fracas.rulesets.titans.content.vocabulary import VOCABULARY
from fracas.rulesets.titans.events import CODEBOOKS, PROTOCOL
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.entry_points import enumerate_step, play_many, resume_many, state_parts
from fracas.rulesets.titans.rules.state import GIVEN, log_t, result_t


class Titans(Ruleset):
    """Duels of two players who choose in secret."""

    name = "titans"
    title = "Titans"
    summary = "duels with simultaneous hidden choices"
    rules_version = codes.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(scenario=Scenario, content=ContentFile, strategy=Policy, resolved=Resolved, strategy_label="policy")
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = codes.REASONS
    benchmarks = ("standard",)
    kernels = Kernels(
        play_many=play_many,
        result_type=result_t,
        log_type=log_t,
        enumerate_step=enumerate_step,
        state_fields=state_parts,
        resume_many=resume_many,
        resume_length=3,
        constant_fields=GIVEN,
    )

    @property
    def analysis(self) -> AnalysisHooks:
        from fracas.rulesets.titans.analysis.lab_hooks import TitansAnalysis

        return TitansAnalysis(self.name)

    def read_library(self, profile: str | None, folders: Sequence[Path]) -> Library:
        library = library_for(profile, folders)
        library.once(check_library)
        return library

    def resolve(
        self,
        document: Document,
        source: Source,
        folders: Sequence[Path] = (),
        plugins: Mapping[str, Plugin] | None = None,
    ) -> ResolvedScenario:
        return resolve(document, source, folders, plugins or {})

    def compile(self, document: Document, plugins: Mapping[str, Plugin], *, strict: bool = False) -> Compiled:
        return compile_battle(document, plugins, strict=strict)

    def prefers_interpreter(self, document: Document) -> bool:
        return True

    def side_names(self, document: Document) -> tuple[str, str]:
        first, second = (str(player["name"]) for player in document["players"])
        return first, second

    def measures(self, compiled: Compiled, document: Document) -> tuple[Measure, ...]:
        from fracas.rulesets.titans.analysis.statistics import measures

        return measures(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> tuple[Statistic, ...]:
        from fracas.rulesets.titans.analysis.statistics import statistics

        return statistics(compiled, document, sums)

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        from fracas.rulesets.titans.narration.story import narrate

        return narrate(events, compiled, document, detail)

    def saved_session(self, document: Document, where: str) -> SavedSession:
        from fracas.rulesets.titans.session.session_document import saved_session

        return saved_session(document, where)

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
        from fracas.rulesets.titans.analysis.condition_dry_run import explain

        return explain(
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
        from fracas.rulesets.titans.analysis.hit_calculator import hits

        return hits(compiled, stream=stream, actor=actor, target=target, round=round, state=state, encounter=encounter)

    def check_file(
        self, kind: str, document: Document, source: Source, folders: Sequence[Path] = (), *, strict: bool = False
    ) -> tuple[Problem, ...]:
        return check_file(kind, document, source, folders, strict)

    def lint(
        self,
        document: Document,
        source: Source,
        folders: Sequence[Path] = (),
        plugins: Mapping[str, Plugin] | None = None,
    ) -> list[Finding]:
        from fracas.rulesets.titans.content.lint import lint_scenario

        return lint_scenario(document, source, folders, plugins or {})

    def lint_file(self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()) -> list[Finding]:
        from fracas.rulesets.titans.content.lint import lint_file

        return lint_file(kind, document, source, folders)

    def lint_content(self, folders: Sequence[Path] = ()) -> list[Finding]:
        from fracas.rulesets.titans.content.lint import lint_library

        return lint_library(self.read_library(None, folders))

    def swaps(self, document: Document, side: int, folders: Sequence[Path] = ()) -> list[Swap]:
        """Every titan of the content in place of a player's own; rules about what it cannot do are left out."""
        from fracas.rulesets.titans.analysis.lab_hooks import titan_swaps

        return titan_swaps(self.analysis, SideRef(document, side), self.read_library(document["profile"], folders))

    def random_scenario(self, seed: int) -> Document:
        from fracas.rulesets.titans.analysis.scenario_generator import random_scenario

        return random_scenario(seed)


RULESET = Titans()
