"""relics, as the contract asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fracas.content.packs import Library
from fracas.errors import Problem
from fracas.events.protocol import Event
from fracas.events.styled_text import Line
from fracas.events.tick_labels import CountedTurnPlaces
from fracas.rulesets.contract.analysis import AnalysisHooks
from fracas.rulesets.contract.hits import Hit
from fracas.rulesets.contract.measures import Measure, Statistic, Sums
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.ruleset import Kernels, Models, Ruleset
from fracas.rulesets.contract.types import (
    BuildCode,
    Compiled,
    Document,
    Explanation,
    Finding,
    LadderRung,
    Override,
    ResolvedScenario,
    Source,
    Swap,
)
from fracas.rulesets.relics.content.compile import compile_battle
from fracas.rulesets.relics.content.library import DEFAULT_PROFILE, library_for
from fracas.rulesets.relics.content.models import BuildFile, ContentFile, Resolved, Scenario
from fracas.rulesets.relics.content.scenario_resolver import check_caps, check_file, check_library, resolve
from fracas.rulesets.relics.content.share_codes import PREFIX
from fracas.rulesets.relics.content.vocabulary import VOCABULARY
from fracas.rulesets.relics.events import CODEBOOKS, PROTOCOL
from fracas.rulesets.relics.rules import constants as numbers
from fracas.rulesets.relics.rules.entry_points import enumerate_step, play_many, resume_many, state_parts
from fracas.rulesets.relics.rules.state import GIVEN, log_t, result_t


class Relics(Ruleset):
    """Two fighters, and the items they wear do the fighting."""

    name = "relics"
    title = "Relics"
    summary = "two fighters in turn, and what they wear decides by its triggers"
    rules_version = numbers.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(
        scenario=Scenario, content=ContentFile, strategy=BuildFile, resolved=Resolved, strategy_label="build"
    )
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = numbers.REASONS
    benchmarks = ("standard",)
    code_prefix = PREFIX
    early_options = frozenset({("options", "stat_cap_mode"), ("options", "stat_caps")})
    kernels = Kernels(
        play_many=play_many,
        result_type=result_t,
        log_type=log_t,
        resume_many=resume_many,
        constant_fields=GIVEN,
        enumerate_step=enumerate_step,
        state_fields=state_parts,
        length_cap_option="options.turn_cap",
    )

    @property
    def analysis(self) -> AnalysisHooks:
        from fracas.rulesets.relics.analysis.lab_hooks import RelicsAnalysis

        return RelicsAnalysis(self.name)

    def read_library(self, profile: str | None, folders: Sequence[Path]) -> Library:
        library = library_for(profile, folders)
        library.once(check_library)
        check_caps(library, profile)
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
        return str(document["left"]["name"]), str(document["right"]["name"])

    def tick_labels(self, document: Document) -> CountedTurnPlaces:
        return CountedTurnPlaces()

    def chronicle(self, events: Sequence[Event], document: Document) -> Any:
        from fracas.rulesets.relics.narration.ledgers import chronicle_of

        return chronicle_of(events, document)

    def measures(self, compiled: Compiled, document: Document) -> tuple[Measure, ...]:
        from fracas.rulesets.relics.analysis.statistics import measures

        return measures(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> tuple[Statistic, ...]:
        from fracas.rulesets.relics.analysis.statistics import statistics

        return statistics(compiled, document, sums)

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        from fracas.rulesets.relics.narration.story import narrate

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
        from fracas.rulesets.relics.analysis.condition_dry_run import explain

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
        from fracas.rulesets.relics.analysis.hit_calculator import hits

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
        from fracas.rulesets.relics.content.lint import lint_scenario

        return lint_scenario(document, source, folders, plugins or {})

    def lint_file(self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()) -> list[Finding]:
        from fracas.rulesets.relics.content.lint import lint_file

        return lint_file(kind, document, source, folders)

    def lint_content(self, folders: Sequence[Path] = ()) -> list[Finding]:
        from fracas.rulesets.relics.content.lint import lint_library

        return lint_library(self.read_library(None, folders))

    def describe_entry(self, entry: Any) -> Sequence[str]:
        from fracas.rulesets.relics.narration.item_text import entry_lines

        return entry_lines(entry)

    def random_scenario(self, seed: int) -> Document:
        from fracas.rulesets.relics.analysis.scenario_generator import random_scenario

        return random_scenario(seed)

    def build_codes(
        self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()
    ) -> list[BuildCode]:
        from fracas.rulesets.relics.content.builds import build_codes

        return build_codes(kind, document, source, folders)

    def build_of_code(self, code: str, folders: Sequence[Path] = ()) -> tuple[Document, str]:
        from fracas.rulesets.relics.content.builds import build_of_code

        return build_of_code(code, folders)

    def ladder(self, document: Document, folders: Sequence[Path] = ()) -> list[LadderRung]:
        from fracas.rulesets.relics.analysis.ladder_and_swaps import ladder

        return ladder(document, folders)

    def swaps(self, document: Document, side: int, folders: Sequence[Path] = ()) -> list[Swap]:
        from fracas.rulesets.relics.analysis.ladder_and_swaps import swaps

        return swaps(document, side, folders)


RULESET = Relics()
