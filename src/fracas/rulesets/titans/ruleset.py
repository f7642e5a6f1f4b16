"""titans, as the contract asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fracas.content.packs import Library
from fracas.errors import Problem
from fracas.events.narration import Line
from fracas.rulesets.contract import Kernels, Models, Ruleset
from fracas.rulesets.hits import Hit
from fracas.rulesets.hooks import LabHooks, Seat
from fracas.rulesets.measures import Measure, Statistic, Sums
from fracas.rulesets.plugin import Plugin
from fracas.rulesets.shapes import (
    Compiled,
    Document,
    Explanation,
    Finding,
    KeptSession,
    Override,
    Resolution,
    Source,
    Swap,
)
from fracas.rulesets.titans import constants as codes
from fracas.rulesets.titans.ability_models import Policy
from fracas.rulesets.titans.compile import compile_battle
from fracas.rulesets.titans.events import CODEBOOKS, PROTOCOL
from fracas.rulesets.titans.library import DEFAULT_PROFILE, library_for
from fracas.rulesets.titans.loop import branch, play_many, play_on, state_parts
from fracas.rulesets.titans.models import ContentFile, Resolved, Scenario
from fracas.rulesets.titans.resolve import check_library, check_part, resolve
from fracas.rulesets.titans.state import GIVEN, log_t, result_t
from fracas.rulesets.titans.vocabulary import VOCABULARY


class Titans(Ruleset):
    """Duels of two players who choose in secret."""

    name = "titans"
    title = "Titans"
    summary = "duels with simultaneous hidden choices"
    rules_version = codes.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(scenario=Scenario, content=ContentFile, strategy=Policy, resolved=Resolved, strategy_word="policy")
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = codes.REASONS
    benchmarks = ("standard",)
    kernels = Kernels(
        play_many=play_many,
        result_type=result_t,
        log_type=log_t,
        branch=branch,
        state=state_parts,
        play_on=play_on,
        place_length=3,
        given=GIVEN,
    )

    @property
    def lab(self) -> LabHooks:
        from fracas.rulesets.titans.lab import TitansLab

        return TitansLab(self.name)

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
    ) -> Resolution:
        return resolve(document, source, folders)

    def compile(self, document: Document, plugins: Mapping[str, Plugin], *, strict: bool = False) -> Compiled:
        return compile_battle(document, plugins, strict=strict)

    def plays_quickly(self, document: Document) -> bool:
        return True

    def side_names(self, document: Document) -> tuple[str, str]:
        first, second = (str(player["name"]) for player in document["players"])
        return first, second

    def measures(self, compiled: Compiled, document: Document) -> tuple[Measure, ...]:
        from fracas.rulesets.titans.statistics import measures

        return measures(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> tuple[Statistic, ...]:
        from fracas.rulesets.titans.statistics import statistics

        return statistics(document, sums)

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        from fracas.rulesets.titans.narrate import narrate

        return narrate(events, document, detail)

    def kept_session(self, document: Document, where: str) -> KeptSession:
        from fracas.rulesets.titans.kept import kept_session

        return kept_session(document, where)

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
        from fracas.rulesets.titans.explain import explain

        return explain(compiled, stream=stream, unit=unit, when=when, wanted_round=round, state=state, strict=strict)

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
        from fracas.rulesets.titans.hit import hits

        return hits(compiled, stream=stream, actor=actor, target=target, wanted_round=round, state=state)

    def check_part(
        self, kind: str, document: Document, source: Source, folders: Sequence[Path] = (), *, strict: bool = False
    ) -> tuple[Problem, ...]:
        return check_part(kind, document, source, folders, strict)

    def lint(
        self,
        document: Document,
        source: Source,
        folders: Sequence[Path] = (),
        plugins: Mapping[str, Plugin] | None = None,
    ) -> list[Finding]:
        from fracas.rulesets.titans.lint import lint_scenario

        return lint_scenario(document, source, folders)

    def lint_part(self, kind: str, document: Document, source: Source, folders: Sequence[Path] = ()) -> list[Finding]:
        from fracas.rulesets.titans.lint import lint_part

        return lint_part(kind, document, source, folders)

    def lint_content(self, folders: Sequence[Path] = ()) -> list[Finding]:
        from fracas.rulesets.titans.lint import lint_library

        return lint_library(self.read_library(None, folders))

    def swaps(self, document: Document, side: int, folders: Sequence[Path] = ()) -> list[Swap]:
        """Every titan of the content in place of a player's own; rules about what it cannot do are left out."""
        from fracas.rulesets.titans.lab import titan_swaps

        return titan_swaps(self.lab, Seat(document, side), self.read_library(document["profile"], folders))

    def random_scenario(self, seed: int) -> Document:
        from fracas.rulesets.titans.generate import random_scenario

        return random_scenario(seed)


RULESET = Titans()
