"""squads, as the contract asks for it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fracas.content.packs import Library
from fracas.errors import Problem
from fracas.events.styled_text import Line
from fracas.rulesets.contract.analysis import AnalysisHooks
from fracas.rulesets.contract.hits import Hit
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.ruleset import Kernels, Models, Ruleset
from fracas.rulesets.contract.types import Compiled, Document, Explanation, Finding, Override, ResolvedScenario, Source
from fracas.rulesets.squads.analysis.condition_dry_run import explain
from fracas.rulesets.squads.analysis.scenario_generator import random_scenario
from fracas.rulesets.squads.content.checks import check_file, check_library, resolve
from fracas.rulesets.squads.content.compile import compile_battle
from fracas.rulesets.squads.content.damage_stages import DAMAGE_STAGE, prove_stages
from fracas.rulesets.squads.content.library import DEFAULT_PROFILE, library_for
from fracas.rulesets.squads.content.lint import lint_file, lint_library, lint_scenario
from fracas.rulesets.squads.content.models.scenario import ContentFile, Resolved, Scenario
from fracas.rulesets.squads.content.models.units import Strategy
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.content.weekly_modifiers import calendar
from fracas.rulesets.squads.events import PROTOCOL
from fracas.rulesets.squads.narration.story import narrate
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.entry_points import enumerate_step, play_many, resume_many, state_parts
from fracas.rulesets.squads.rules.state import GIVEN, log_t, result_t


class Squads(Ruleset):
    """Teams that fight by a declared strategy."""

    name = "squads"
    title = "Squads"
    summary = "teams that fight by a declared strategy"
    rules_version = codes.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(scenario=Scenario, content=ContentFile, strategy=Strategy, resolved=Resolved)
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    reasons = codes.REASONS
    benchmarks = ("standard-5v5",)
    codebooks = MappingProxyType(
        {
            "selector": [
                *codes.SELECTORS,
                *[""] * (codes.FIRST_CLASS_PRIORITY - len(codes.SELECTORS)),
                *codes.CLASS_PRIORITIES,
            ],
            "stage": [*codes.STAGES],
            "effect": codes.EFFECTS,
            "verdict": codes.VERDICTS,
            "choice": codes.CHOICES,
            "outcome": codes.OUTCOMES_OF_EFFECTS,
            "reason": codes.REASONS,
        }
    )
    kernels = Kernels(
        play_many=play_many,
        result_type=result_t,
        log_type=log_t,
        plugin=DAMAGE_STAGE,
        enumerate_step=enumerate_step,
        state_fields=state_parts,
        resume_many=resume_many,
        resume_length=4,
        constant_fields=GIVEN,
    )

    @property
    def analysis(self) -> AnalysisHooks:
        from fracas.rulesets.squads.analysis.lab_hooks import SquadsAnalysis

        return SquadsAnalysis(self.name)

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

    def test_plugins(self, compiled: Compiled) -> None:
        prove_stages(compiled)

    def prefers_interpreter(self, document: Document) -> bool:
        return True

    def calendar(self, day: datetime.date, weeks: int, folders: Sequence[Path] = ()) -> list[tuple[datetime.date, Any]]:
        return calendar(self.read_library(None, folders), day, weeks)

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        return narrate(events, compiled, document, detail)

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
        from fracas.rulesets.squads.analysis.hit_calculator import hits

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
        return lint_scenario(document, source, folders, plugins or {})

    def lint_file(self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()) -> list[Finding]:
        return lint_file(kind, document, source, folders)

    def lint_content(self, folders: Sequence[Path] = ()) -> list[Finding]:
        return lint_library(self.read_library(None, folders))

    def random_scenario(self, seed: int) -> Document:
        return random_scenario(seed)


RULESET = Squads()
