"""The titans ruleset: implements the ruleset contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fracas.rulesets.contract.kernels import Kernels, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document, Swap
from fracas.rulesets.titans.content.ability_models import Policy
from fracas.rulesets.titans.content.library import DEFAULT_PROFILE
from fracas.rulesets.titans.content.models import ContentFile, Resolved, Scenario
from fracas.rulesets.titans.content.vocabulary import VOCABULARY
from fracas.rulesets.titans.events import CODEBOOKS, PROTOCOL
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.entry_points import (
    enumerate_step,
    play_many,
    prepare_battles,
    resume_many,
    state_parts,
)
from fracas.rulesets.titans.rules.state import GIVEN, battle_t, log_t, result_t


class Titans(Ruleset):
    """Duels of two players who choose in secret."""

    name = "titans"
    title = "Titans"
    summary = "duels with simultaneous hidden choices"
    rules_version = codes.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(scenario=Scenario, content=ContentFile, strategy=Policy, resolved=Resolved, strategy_label="policy")
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = codes.REASONS
    benchmarks = ("standard",)
    part_modules: Mapping[str, str] = {
        "agent_interface": "analysis.agent_interface",
        "saved_session": "session.session_document",
    }
    kernels = Kernels(
        play_many=play_many,
        result_type=result_t,
        log_type=log_t,
        battle_type=battle_t,
        enumerate_step=enumerate_step,
        state_fields=state_parts,
        resume_many=resume_many,
        resume_length=3,
        prepare=prepare_battles,
        constant_fields=GIVEN,
    )

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


RULESET = Titans()
