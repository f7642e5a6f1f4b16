"""The stacks ruleset as the rest of Fracas uses it: implements the ruleset contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fracas.events.styled_text import Line
from fracas.events.tick_labels import Places, TurnPlaces
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.kernels import Kernels, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.stacks.content.compile import compile_battle
from fracas.rulesets.stacks.content.library import CATALOGUE, DEFAULT_PROFILE
from fracas.rulesets.stacks.content.lint import lint_library, lint_scenario, lint_strategy_file
from fracas.rulesets.stacks.content.models import ContentFile, Resolved, Scenario
from fracas.rulesets.stacks.content.move_types import MOVE_TYPE
from fracas.rulesets.stacks.content.scenario_resolver import check_library, check_strategy_file, resolve
from fracas.rulesets.stacks.content.vocabulary import VOCABULARY
from fracas.rulesets.stacks.content.world_models import WorldFile
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules import entry_points, state
from fracas.rulesets.stacks.rules.events import CODEBOOKS, PROTOCOL, Commit, Scores, Skipped, Turn

if TYPE_CHECKING:
    from fracas.rulesets.contract.agents import AgentInterface
    from fracas.rulesets.contract.features import Campaigns
    from fracas.rulesets.contract.measures import Measure, Statistic, Sums
    from fracas.rulesets.contract.player_entries import EntryKind
    from fracas.rulesets.stacks.analysis.lab_hooks import LabHooks


# With up to this many participants, a single battle is over before compiled kernels are loaded.
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
    catalogue = CATALOGUE
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = codes.REASONS
    benchmarks = ("standard-16v16",)
    rare_event_kinds = frozenset((Scores.KIND, Commit.KIND, Skipped.KIND))
    kernels = Kernels.of(
        entry_points,
        state,
        plugin=MOVE_TYPE,
        resume_length=5,
        prepare=entry_points.prepare_battles,
        length_cap_option="options.turn_cap",
    )
    resolve = staticmethod(resolve)
    compile = staticmethod(compile_battle)
    check_library = staticmethod(check_library)
    check_strategy_file = staticmethod(check_strategy_file)
    lint = staticmethod(lint_scenario)
    lint_strategy_file = staticmethod(lint_strategy_file)
    lint_library = staticmethod(lint_library)

    def test_plugins(self, compiled: Compiled) -> None:
        """Nothing to do: move types are proved when their file is loaded."""

    def prefers_interpreter(self, document: Document) -> bool:
        return sum(len(stack["units"]) for stack in document["stacks"]) <= FEW_PARTICIPANTS

    def tick_labels(self, document: Document) -> Places:
        return TurnPlaces(document["attack"]["number"] * codes.TICKS_PER_ATTACK)

    def count_rounds(self, events: Sequence[Event]) -> int:
        return sum(isinstance(event, Turn) for event in events)

    def side_names(self, document: Document) -> tuple[str, str]:
        from fracas.rulesets.stacks.narration.labels import Participants

        return Participants(document).side_names

    def is_campaign(self, document: Document) -> bool:
        return "attacks" in document

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        from fracas.rulesets.stacks.narration.story import narrate

        return narrate(events, compiled, document, detail)

    @property
    def analysis(self) -> LabHooks:
        from fracas.rulesets.stacks.analysis.lab_hooks import LabHooks

        return LabHooks(self.name)

    def measures(self, compiled: Compiled, document: Document) -> Sequence[Measure]:
        from fracas.rulesets.stacks.analysis.statistics import measures

        return measures(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> Sequence[Statistic]:
        from fracas.rulesets.stacks.analysis.statistics import statistics

        return statistics(compiled, document, sums)

    @property
    def agents(self) -> AgentInterface:
        from fracas.rulesets.stacks.analysis.agent_interface import agent_interface

        return agent_interface()

    @property
    def campaign(self) -> Campaigns:
        from fracas.rulesets.stacks.campaign import campaign

        return campaign

    @property
    def player_entries(self) -> EntryKind:
        from fracas.rulesets.stacks.analysis.player_entries import StacksEntries

        return StacksEntries()


RULESET = Stacks()
