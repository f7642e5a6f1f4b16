"""The titans ruleset: implements the ruleset contract."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.events.styled_text import Line
from fracas.rulesets.contract.kernels import Kernels, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Compiled, Document, Swap
from fracas.rulesets.titans.content.ability_models import Policy
from fracas.rulesets.titans.content.checks import check_library, check_strategy_file, resolve
from fracas.rulesets.titans.content.compile import compile_battle
from fracas.rulesets.titans.content.library import CATALOGUE, DEFAULT_PROFILE
from fracas.rulesets.titans.content.lint import lint_library, lint_scenario, lint_strategy_file
from fracas.rulesets.titans.content.models import ContentFile, Resolved, Scenario
from fracas.rulesets.titans.content.vocabulary import VOCABULARY
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules import entry_points, state
from fracas.rulesets.titans.rules.events import CODEBOOKS, PROTOCOL

if TYPE_CHECKING:
    from fracas.rulesets.contract.agents import AgentInterface
    from fracas.rulesets.contract.features import Sessions, Solver, Tables
    from fracas.rulesets.contract.measures import Measure, Statistic, Sums
    from fracas.rulesets.contract.player_entries import EntryKind
    from fracas.rulesets.titans.analysis.lab_hooks import LabHooks


class Titans(Ruleset):
    """Duels of two players who choose in secret."""

    name = "titans"
    title = "Titans"
    summary = "duels with simultaneous hidden choices"
    rules_version = codes.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(scenario=Scenario, content=ContentFile, strategy=Policy, resolved=Resolved, strategy_label="policy")
    catalogue = CATALOGUE
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = codes.REASONS
    benchmarks = ("standard",)
    kernels = Kernels.of(entry_points, state, resume_length=4, prepare=entry_points.prepare_battles)
    resolve = staticmethod(resolve)
    compile = staticmethod(compile_battle)
    check_library = staticmethod(check_library)
    check_strategy_file = staticmethod(check_strategy_file)
    lint = staticmethod(lint_scenario)
    lint_strategy_file = staticmethod(lint_strategy_file)
    lint_library = staticmethod(lint_library)

    def prefers_interpreter(self, document: Document) -> bool:
        return True

    def side_names(self, document: Document) -> tuple[str, str]:
        first, second = (str(player["name"]) for player in document["players"])
        return first, second

    def swaps(self, document: Document, side: int, folders: Sequence[Path] = ()) -> list[Swap]:
        """Every content titan in place of a player's own; rules that it cannot follow are left out."""
        from fracas.rulesets.contract.analysis import SideRef
        from fracas.rulesets.titans.analysis.lab_hooks import titan_swaps

        return titan_swaps(self.analysis, SideRef(document, side), self.read_library(document["profile"], folders))

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        from fracas.rulesets.titans.narration.story import narrate

        return narrate(events, compiled, document, detail)

    @property
    def analysis(self) -> LabHooks:
        from fracas.rulesets.titans.analysis.lab_hooks import LabHooks

        return LabHooks(self.name)

    def measures(self, compiled: Compiled, document: Document) -> Sequence[Measure]:
        from fracas.rulesets.titans.analysis.statistics import measures

        return measures(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> Sequence[Statistic]:
        from fracas.rulesets.titans.analysis.statistics import statistics

        return statistics(compiled, document, sums)

    @property
    def agents(self) -> AgentInterface:
        from fracas.rulesets.titans.analysis.agent_interface import agent_interface

        return agent_interface()

    @property
    def session(self) -> Sessions:
        from fracas.rulesets.titans.session import session_document

        return session_document

    @property
    def tables(self) -> Tables:
        from fracas.rulesets.titans.analysis.tables import TitansTables

        return TitansTables()

    @property
    def solver(self) -> Solver:
        from fracas.rulesets.titans.analysis import solution

        return solution

    @property
    def player_entries(self) -> EntryKind:
        from fracas.rulesets.titans.analysis.player_entries import TitansEntries

        return TitansEntries()


RULESET = Titans()
