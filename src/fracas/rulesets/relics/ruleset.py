"""The relics ruleset: implements the ruleset contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.content.packs import Library
from fracas.events.protocol import Event
from fracas.events.tick_labels import CountedTurnPlaces
from fracas.rulesets.contract.kernels import Kernels, Lockstep, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import BuildCode, Document, LadderRung, Source, Swap
from fracas.rulesets.relics.content.library import DEFAULT_PROFILE
from fracas.rulesets.relics.content.models import BuildFile, ContentFile, Resolved, Scenario
from fracas.rulesets.relics.content.scenario_resolver import check_caps
from fracas.rulesets.relics.content.share_codes import PREFIX
from fracas.rulesets.relics.content.vocabulary import VOCABULARY
from fracas.rulesets.relics.events import CODEBOOKS, PROTOCOL
from fracas.rulesets.relics.rules import constants as numbers
from fracas.rulesets.relics.rules.entry_points import enumerate_step, play_many, resume_many, state_parts
from fracas.rulesets.relics.rules.state import GIVEN, battle_t, log_t, result_t

if TYPE_CHECKING:
    from fracas.rulesets.contract.drafts import Draft, DraftSpaces


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
        brevity=10,
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

    def chronicle(self, events: Sequence[Event], document: Document) -> Any:
        from fracas.rulesets.relics.narration.ledgers import chronicle_of

        return chronicle_of(events, document)

    def describe_entry(self, entry: Any) -> Sequence[str]:
        from fracas.rulesets.relics.narration.item_text import entry_lines

        return entry_lines(entry)

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

    def draft_spaces(self) -> DraftSpaces:
        from fracas.rulesets.relics.analysis.draft import draft_spaces

        return draft_spaces()

    def draft(self, document: Document, side: int) -> Draft:
        from fracas.rulesets.relics.analysis.draft import BuildDraft

        return BuildDraft(document, side, self.analysis)

    def swaps(self, document: Document, side: int, folders: Sequence[Path] = ()) -> list[Swap]:
        from fracas.rulesets.relics.analysis.ladder_and_swaps import swaps

        return swaps(document, side, folders)


RULESET = Relics()
