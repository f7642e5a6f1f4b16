"""The squads ruleset as the rest of Fracas uses it: implements the ruleset contract."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.events.styled_text import Line
from fracas.rulesets.contract.kernels import Kernels, Lockstep, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.squads.content.checks import check_library, check_strategy_file, resolve
from fracas.rulesets.squads.content.compile import compile_battle
from fracas.rulesets.squads.content.library import CATALOGUE, DEFAULT_PROFILE
from fracas.rulesets.squads.content.lint import lint_library, lint_scenario, lint_strategy_file
from fracas.rulesets.squads.content.models.scenario import ContentFile, Resolved, Scenario
from fracas.rulesets.squads.content.models.units import Strategy
from fracas.rulesets.squads.content.plugin_stages import DAMAGE_STAGE, prove_stages
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules import entry_points, state
from fracas.rulesets.squads.rules.events import CODEBOOKS, PROTOCOL

if TYPE_CHECKING:
    from fracas.rulesets.contract.agents import AgentInterface
    from fracas.rulesets.contract.player_entries import EntryKind
    from fracas.rulesets.squads.analysis.lab_hooks import LabHooks
    from fracas.rulesets.squads.content.models.rules_tables import Modifier


def lockstep() -> Lockstep:
    """The entry points that play battles in lanes."""
    from fracas.rulesets.squads.lockstep import entry_points, state

    return Lockstep(
        judge=entry_points.judge_battles,
        plan=entry_points.plan_battles,
        play=entry_points.play_in_lanes,
        resume=entry_points.resume_in_lanes,
        plan_type=state.plan_t,
        state_types=state.STATE_TYPES,
        reasons=state.REASONS,
        worth_loading=50_000,
        worth_compiling=500_000,
    )


class Squads(Ruleset):
    """Teams that fight by a declared strategy."""

    name = "squads"
    title = "Squads"
    summary = "teams that fight by a declared strategy"
    rules_version = codes.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(scenario=Scenario, content=ContentFile, strategy=Strategy, resolved=Resolved)
    catalogue = CATALOGUE
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    reasons = codes.REASONS
    benchmarks = ("standard-5v5",)
    codebooks = CODEBOOKS
    kernels = Kernels.of(entry_points, state, plugin=DAMAGE_STAGE, resume_length=5, lockstep=lockstep)
    resolve = staticmethod(resolve)
    compile = staticmethod(compile_battle)
    check_library = staticmethod(check_library)
    check_strategy_file = staticmethod(check_strategy_file)
    lint = staticmethod(lint_scenario)
    lint_strategy_file = staticmethod(lint_strategy_file)
    lint_library = staticmethod(lint_library)

    def test_plugins(self, compiled: Compiled) -> None:
        prove_stages(compiled)

    def prefers_interpreter(self, document: Document) -> bool:
        return True

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        from fracas.rulesets.squads.narration.story import narrate

        return narrate(events, compiled, document, detail)

    @property
    def analysis(self) -> LabHooks:
        from fracas.rulesets.squads.analysis.lab_hooks import LabHooks

        return LabHooks(self.name)

    @property
    def agents(self) -> AgentInterface:
        from fracas.rulesets.squads.analysis.agent_interface import agent_interface

        return agent_interface()

    def calendar(
        self, day: datetime.date, weeks: int, folders: Sequence[Path] = ()
    ) -> list[tuple[datetime.date, Modifier | None]]:
        from fracas.rulesets.squads.content.weekly_modifiers import calendar

        return calendar(self.read_library(None, folders), day, weeks)

    @property
    def player_entries(self) -> EntryKind:
        from fracas.rulesets.squads.analysis.player_entries import SquadsEntries

        return SquadsEntries()


RULESET = Squads()
