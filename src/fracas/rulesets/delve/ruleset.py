"""delve, as the contract asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fracas.content.packs import Library
from fracas.errors import Problem
from fracas.events.protocol import Event
from fracas.events.styled_text import Line
from fracas.events.tick_labels import EncounterPlaces, Places
from fracas.rulesets.contract.analysis import AnalysisHooks
from fracas.rulesets.contract.hits import Hit
from fracas.rulesets.contract.measures import LootCounts, LootPlan, Measure, Statistic, Sums
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.ruleset import Kernels, Models, Ruleset
from fracas.rulesets.contract.types import Compiled, Document, Explanation, Finding, Override, ResolvedScenario, Source
from fracas.rulesets.delve.analysis.scenario_generator import random_scenario
from fracas.rulesets.delve.content.checks import check_file, check_library
from fracas.rulesets.delve.content.compile import compile_battle
from fracas.rulesets.delve.content.library import DEFAULT_PROFILE, library_for
from fracas.rulesets.delve.content.lint.content import lint_library
from fracas.rulesets.delve.content.lint.scenario import lint_file, lint_scenario
from fracas.rulesets.delve.content.models.scenario import ContentFile, QueueFile, Resolved, Scenario
from fracas.rulesets.delve.content.resolve import resolve
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.events import CODEBOOKS, PROTOCOL, Round
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.entry_points import enumerate_step, play_many, resume_many, state_parts
from fracas.rulesets.delve.rules.state import GIVEN, log_t, result_t

# Runs of so many encounters take less than a third of a second in plain Python; long ones take twice as long.
QUICK_ENCOUNTERS = 8


class Delve(Ruleset):
    """Parties that go down and meet what lives there."""

    name = "delve"
    title = "Delve"
    summary = "parties with skill queues in fights and whole dungeon runs"
    rules_version = codes.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(scenario=Scenario, content=ContentFile, strategy=QueueFile, resolved=Resolved)
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = codes.REASONS
    benchmarks = ("standard-4v4", "standard-run")
    kernels = Kernels(
        play_many=play_many,
        result_type=result_t,
        log_type=log_t,
        enumerate_step=enumerate_step,
        state_fields=state_parts,
        resume_many=resume_many,
        resume_length=4,
        constant_fields=GIVEN,
    )

    @property
    def analysis(self) -> AnalysisHooks:
        from fracas.rulesets.delve.analysis.lab_hooks import DelveAnalysis

        return DelveAnalysis(self.name)

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
        quest = document.get("quest")
        return quest is None or len(quest["encounters"]) <= QUICK_ENCOUNTERS

    def tick_labels(self, document: Document) -> Places:
        quest = document.get("quest")
        if quest is None:
            return Places()
        types = [encounter["type"] for encounter in quest["encounters"]]
        return EncounterPlaces(len(types), types.index("combat") if "combat" in types else 0)

    def count_rounds(self, events: Sequence[Event]) -> int:
        return sum(isinstance(event, Round) for event in events)

    def side_names(self, document: Document) -> tuple[str, str]:
        quest = document.get("quest")
        return "The party", "Its enemies" if quest is None else str(quest["name"])

    def chronicle(self, events: Sequence[Event], document: Document) -> Any:
        from fracas.rulesets.delve.narration.chronicle_builder import chronicle_of

        return chronicle_of(events, document)

    def measures(self, compiled: Compiled, document: Document) -> tuple[Measure, ...]:
        from fracas.rulesets.delve.analysis.statistics import measures

        return measures(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> tuple[Statistic, ...]:
        from fracas.rulesets.delve.analysis.statistics import statistics

        return statistics(compiled, document, sums)

    def loot_plan(
        self, quest: str, difficulty: str, seed: str | None, encounters: int | None, folders: Sequence[Path] = ()
    ) -> LootPlan:
        from fracas.rulesets.delve.analysis.loot_expectations import loot_plan

        return loot_plan(self.read_library(None, folders), quest, difficulty, seed, encounters, folders)

    def roll_loot(self, plan: LootPlan, runs: int, notice: Callable[[str], None] | None = None) -> LootCounts:
        from fracas.rulesets.delve.analysis.loot_expectations import count_loot

        return count_loot(plan, runs, notice)

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        from fracas.rulesets.delve.narration.story import narrate

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
        from fracas.rulesets.delve.analysis.condition_dry_run import explain

        return explain(
            compiled,
            stream=stream,
            unit=unit,
            when=when,
            round=round,
            encounter=encounter,
            state=state,
            strict=strict,
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
        from fracas.rulesets.delve.analysis.hit_calculator import hits

        return hits(compiled, stream=stream, actor=actor, target=target, round=round, encounter=encounter, state=state)

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


RULESET = Delve()
