"""stacks, as the contract asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fracas.content.packs import Library
from fracas.errors import Problem
from fracas.events.protocol import Event
from fracas.events.styled_text import Line
from fracas.events.tick_labels import Places, TurnPlaces
from fracas.rulesets.contract.analysis import AnalysisHooks
from fracas.rulesets.contract.hits import Hit
from fracas.rulesets.contract.measures import Measure, Statistic, Sums
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.ruleset import Kernels, Models, Ruleset
from fracas.rulesets.contract.types import (
    Campaign,
    Compiled,
    Document,
    Explanation,
    Finding,
    Override,
    ResolvedScenario,
    Source,
)
from fracas.rulesets.stacks.content.compile import compile_battle
from fracas.rulesets.stacks.content.library import DEFAULT_PROFILE, library_for
from fracas.rulesets.stacks.content.models import ContentFile, Resolved, Scenario
from fracas.rulesets.stacks.content.move_types import MOVE_TYPE
from fracas.rulesets.stacks.content.scenario_resolver import (
    check_file,
    check_library,
    resolve,
    resolve_campaign,
    resolve_world,
)
from fracas.rulesets.stacks.content.vocabulary import VOCABULARY
from fracas.rulesets.stacks.content.world_models import WorldFile
from fracas.rulesets.stacks.events import CODEBOOKS, PROTOCOL, Turn
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.entry_points import enumerate_step, play_many, resume_many, state_parts
from fracas.rulesets.stacks.rules.state import log_t, result_t

# Up to so many participants a single battle is over before compiled kernels are loaded.
FEW_PARTICIPANTS = 12


class Stacks(Ruleset):
    """Stacks of units that attack each other's tiles on a map."""

    name = "stacks"
    title = "Stacks"
    summary = "stacks on a tile map, every move chosen by its expected value"
    rules_version = codes.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(
        scenario=Scenario, content=ContentFile, strategy=WorldFile, resolved=Resolved, strategy_label="world"
    )
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = codes.REASONS
    benchmarks = ("standard-16v16",)
    rare_event_kinds = frozenset((codes.SCORES_EVENT, codes.COMMIT_EVENT, codes.SKIPPED_EVENT))
    kernels = Kernels(
        play_many=play_many,
        result_type=result_t,
        log_type=log_t,
        enumerate_step=enumerate_step,
        state_fields=state_parts,
        plugin=MOVE_TYPE,
        resume_many=resume_many,
        resume_length=4,
        length_cap_option="options.turn_cap",
    )

    @property
    def analysis(self) -> AnalysisHooks:
        from fracas.rulesets.stacks.analysis.lab_hooks import StacksAnalysis

        return StacksAnalysis(self.name)

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
        """Move types are proved when their file is loaded."""

    def prefers_interpreter(self, document: Document) -> bool:
        return sum(len(stack["units"]) for stack in document["stacks"]) <= FEW_PARTICIPANTS

    def tick_labels(self, document: Document) -> Places:
        return TurnPlaces(document["attack"]["number"] * codes.TICKS_PER_ATTACK)

    def count_rounds(self, events: Sequence[Event]) -> int:
        return sum(isinstance(event, Turn) for event in events)

    def side_names(self, document: Document) -> tuple[str, str]:
        from fracas.rulesets.stacks.narration.labels import Cast

        return Cast(document).side_names

    def measures(self, compiled: Compiled, document: Document) -> tuple[Measure, ...]:
        from fracas.rulesets.stacks.analysis.statistics import measures

        return measures(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> tuple[Statistic, ...]:
        from fracas.rulesets.stacks.analysis.statistics import statistics

        return statistics(compiled, document, sums)

    def is_campaign(self, document: Document) -> bool:
        return "attacks" in document

    def resolve_campaign(
        self,
        document: Document,
        source: Source,
        folders: Sequence[Path] = (),
        plugins: Mapping[str, Plugin] | None = None,
    ) -> ResolvedScenario:
        if self.is_campaign(document):
            return resolve_campaign(document, source, folders, plugins or {})
        return resolve(document, source, folders, plugins or {})

    def campaign(self, document: Document, world: Document | None = None) -> Campaign:
        from fracas.rulesets.stacks.campaign.campaign import StacksCampaign

        return StacksCampaign(document, world)

    def resolve_world(
        self,
        document: Document,
        source: Source,
        folders: Sequence[Path] = (),
        plugins: Mapping[str, Plugin] | None = None,
    ) -> Document:
        return resolve_world(document, source, folders, plugins or {})

    def random_campaign(self, seed: int) -> Document:
        from fracas.rulesets.stacks.analysis.scenario_generator import random_campaign

        return random_campaign(seed)

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        from fracas.rulesets.stacks.narration.story import narrate

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
        from fracas.rulesets.stacks.analysis.move_values import explain

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
        from fracas.rulesets.stacks.analysis.hit_calculator import hits

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
        from fracas.rulesets.stacks.content.lint import lint_scenario

        return lint_scenario(document, source, folders, plugins or {})

    def lint_file(self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()) -> list[Finding]:
        from fracas.rulesets.stacks.content.lint import lint_file

        return lint_file(kind, document, source, folders)

    def lint_content(self, folders: Sequence[Path] = ()) -> list[Finding]:
        from fracas.rulesets.stacks.content.lint import lint_library

        return lint_library(self.read_library(None, folders))

    def random_scenario(self, seed: int) -> Document:
        from fracas.rulesets.stacks.analysis.scenario_generator import random_scenario

        return random_scenario(seed)


RULESET = Stacks()
