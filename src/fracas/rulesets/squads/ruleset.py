"""The squads ruleset as the rest of Fracas uses it: implements the ruleset contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from fracas.rulesets.contract.kernels import Kernels, Lockstep, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.squads.content.damage_stages import DAMAGE_STAGE, prove_stages
from fracas.rulesets.squads.content.library import DEFAULT_PROFILE
from fracas.rulesets.squads.content.models.scenario import ContentFile, Resolved, Scenario
from fracas.rulesets.squads.content.models.units import Strategy
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.events import PROTOCOL
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.entry_points import (
    enumerate_step,
    play_many,
    prepare_battles,
    resume_many,
    state_parts,
)
from fracas.rulesets.squads.rules.state import GIVEN, battle_t, log_t, result_t

if TYPE_CHECKING:
    from fracas.rulesets.contract.measures import Measure, Statistic, Sums


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
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    reasons = codes.REASONS
    benchmarks = ("standard-5v5",)
    part_modules: Mapping[str, str] = {
        "agent_interface": "analysis.agent_interface",
        "calendar": "content.weekly_modifiers",
    }
    codebooks = MappingProxyType(
        {
            "selector": [
                *codes.SELECTORS,
                *[""] * (codes.FIRST_CLASS_PRIORITY - len(codes.SELECTORS)),
                *codes.CLASS_PRIORITIES,
                codes.AGENT_SELECTOR_NAME,
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
        battle_type=battle_t,
        plugin=DAMAGE_STAGE,
        enumerate_step=enumerate_step,
        state_fields=state_parts,
        resume_many=resume_many,
        resume_length=4,
        constant_fields=GIVEN,
        prepare=prepare_battles,
        lockstep=lockstep,
    )

    def test_plugins(self, compiled: Compiled) -> None:
        prove_stages(compiled)

    def prefers_interpreter(self, document: Document) -> bool:
        return True

    def measures(self, compiled: Compiled, document: Document) -> Sequence[Measure]:
        return ()

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> Sequence[Statistic]:
        return ()


RULESET = Squads()
