"""The delve ruleset as the rest of Fracas uses it: implements the ruleset contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fracas.events.styled_text import Line
from fracas.events.tick_labels import EncounterPlaces, Places
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.kernels import Kernels, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.delve.content.checks import check_library, check_strategy_file
from fracas.rulesets.delve.content.compile import compile_battle
from fracas.rulesets.delve.content.library import CATALOGUE, DEFAULT_PROFILE
from fracas.rulesets.delve.content.lint.content import lint_library
from fracas.rulesets.delve.content.lint.scenario import lint_scenario, lint_strategy_file
from fracas.rulesets.delve.content.models.scenario import ContentFile, QueueFile, Resolved, Scenario
from fracas.rulesets.delve.content.scenario_resolver import resolve
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules import entry_points, state
from fracas.rulesets.delve.rules.events import CODEBOOKS, PROTOCOL, Round

if TYPE_CHECKING:
    from fracas.events.chronicle import Chronicle
    from fracas.rulesets.contract.agents import AgentInterface
    from fracas.rulesets.contract.features import Loot
    from fracas.rulesets.contract.measures import Measure, Statistic, Sums
    from fracas.rulesets.contract.player_entries import EntryKind
    from fracas.rulesets.delve.analysis.lab_hooks import LabHooks


# Runs of up to this many encounters take less than a third of a second in plain Python; long ones take twice as long.
QUICK_ENCOUNTERS = 8


class Delve(Ruleset):
    """Parties on dungeon runs."""

    name = "delve"
    title = "Delve"
    summary = "parties with skill queues in fights and whole dungeon runs"
    rules_version = codes.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(scenario=Scenario, content=ContentFile, strategy=QueueFile, resolved=Resolved)
    catalogue = CATALOGUE
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = codes.REASONS
    benchmarks = ("standard-4v4", "standard-run")
    kernels = Kernels.of(entry_points, state, resume_length=5)
    resolve = staticmethod(resolve)
    compile = staticmethod(compile_battle)
    check_library = staticmethod(check_library)
    check_strategy_file = staticmethod(check_strategy_file)
    lint = staticmethod(lint_scenario)
    lint_strategy_file = staticmethod(lint_strategy_file)
    lint_library = staticmethod(lint_library)

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

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        from fracas.rulesets.delve.narration.story import narrate

        return narrate(events, compiled, document, detail)

    @property
    def analysis(self) -> LabHooks:
        from fracas.rulesets.delve.analysis.lab_hooks import LabHooks

        return LabHooks(self.name)

    def measures(self, compiled: Compiled, document: Document) -> Sequence[Measure]:
        from fracas.rulesets.delve.analysis.statistics import measures

        return measures(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> Sequence[Statistic]:
        from fracas.rulesets.delve.analysis.statistics import statistics

        return statistics(compiled, document, sums)

    @property
    def agents(self) -> AgentInterface:
        from fracas.rulesets.delve.analysis.agent_interface import agent_interface

        return agent_interface()

    def chronicle(self, events: Sequence[Event], document: Document) -> Chronicle:
        from fracas.rulesets.delve.narration.chronicle_builder import chronicle

        return chronicle(events, document)

    @property
    def loot(self) -> Loot:
        from fracas.rulesets.delve.analysis import loot_expectations

        return loot_expectations

    @property
    def player_entries(self) -> EntryKind:
        from fracas.rulesets.delve.analysis.player_entries import DelveEntries

        return DelveEntries()


RULESET = Delve()
