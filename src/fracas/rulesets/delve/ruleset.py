"""The delve ruleset as the rest of Fracas uses it: implements the ruleset contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fracas.events.protocol import Event
from fracas.events.tick_labels import EncounterPlaces, Places
from fracas.rulesets.contract.kernels import Kernels, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.content.library import DEFAULT_PROFILE
from fracas.rulesets.delve.content.models.scenario import ContentFile, QueueFile, Resolved, Scenario
from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.events import CODEBOOKS, PROTOCOL, Round
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.entry_points import enumerate_step, play_many, resume_many, state_parts
from fracas.rulesets.delve.rules.state import GIVEN, battle_t, log_t, result_t

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
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = codes.REASONS
    benchmarks = ("standard-4v4", "standard-run")
    part_modules: Mapping[str, str] = {
        "agent_interface": "analysis.agent_interface",
        "chronicle": "narration.chronicle_builder",
        "loot_plan": "analysis.loot_expectations",
        "roll_loot": "analysis.loot_expectations",
        "resolve": "content.scenario_resolver",
        "lint_scenario": "content.lint.scenario",
        "lint_strategy_file": "content.lint.scenario",
        "lint_library": "content.lint.content",
    }
    kernels = Kernels(
        play_many=play_many,
        result_type=result_t,
        log_type=log_t,
        battle_type=battle_t,
        enumerate_step=enumerate_step,
        state_fields=state_parts,
        resume_many=resume_many,
        resume_length=4,
        constant_fields=GIVEN,
    )

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


RULESET = Delve()
