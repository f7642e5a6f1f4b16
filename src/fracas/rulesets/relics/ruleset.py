"""The relics ruleset: implements the ruleset contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fracas.content.packs import Library
from fracas.events.tick_labels import CountedTurnPlaces
from fracas.rulesets.contract.kernels import Kernels, Lockstep, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.library import DEFAULT_PROFILE
from fracas.rulesets.relics.content.models.fighters import BuildFile
from fracas.rulesets.relics.content.models.scenario import ContentFile, Resolved, Scenario
from fracas.rulesets.relics.content.scenario_resolver import check_caps
from fracas.rulesets.relics.content.share_codes import PREFIX
from fracas.rulesets.relics.content.vocabulary import VOCABULARY
from fracas.rulesets.relics.events import CODEBOOKS, PROTOCOL
from fracas.rulesets.relics.rules import constants as numbers
from fracas.rulesets.relics.rules.entry_points import enumerate_step, play_many, resume_many, state_parts
from fracas.rulesets.relics.rules.state import GIVEN, battle_t, log_t, result_t


def lockstep() -> Lockstep:
    """The entry points that play battles in lanes."""
    from fracas.rulesets.relics.lockstep import entry_points, state

    return Lockstep(
        judge=entry_points.judge_battles,
        plan=entry_points.plan_battles,
        play=entry_points.play_in_lanes,
        resume=entry_points.resume_in_lanes,
        plan_type=state.plan_t,
        state_types=state.STATE_TYPES,
        reasons=state.REASONS,
        worth_loading=500_000,
        worth_compiling=5_000_000,
    )


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
    part_modules: Mapping[str, str] = {
        "build_codes": "content.builds",
        "build_of_code": "content.builds",
        "chronicle": "narration.ledgers",
        "describe_entry": "narration.item_text",
        "draft": "analysis.draft",
        "draft_spaces": "analysis.draft",
        "ladder": "analysis.ladder_and_swaps",
        "swaps": "analysis.ladder_and_swaps",
        "check_library": "content.scenario_resolver",
        "check_file": "content.scenario_resolver",
        "resolve": "content.scenario_resolver",
    }
    kernels = Kernels(
        play_many=play_many,
        result_type=result_t,
        log_type=log_t,
        battle_type=battle_t,
        resume_many=resume_many,
        constant_fields=GIVEN,
        lockstep=lockstep,
        enumerate_step=enumerate_step,
        state_fields=state_parts,
        length_cap_option="options.turn_cap",
    )

    def read_library(self, profile: str | None, folders: Sequence[Path]) -> Library:
        library = super().read_library(profile, folders)
        check_caps(library, profile)
        return library

    def prefers_interpreter(self, document: Document) -> bool:
        return True

    def side_names(self, document: Document) -> tuple[str, str]:
        return str(document["left"]["name"]), str(document["right"]["name"])

    def tick_labels(self, document: Document) -> CountedTurnPlaces:
        return CountedTurnPlaces()


RULESET = Relics()
