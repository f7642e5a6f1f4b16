"""The relics ruleset: implements the ruleset contract."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.content.packs import Library
from fracas.events.styled_text import Line
from fracas.events.tick_labels import CountedTurnPlaces
from fracas.rulesets.contract.kernels import Kernels, Lockstep, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Compiled, Document, LadderRung, Swap
from fracas.rulesets.relics.content.compile import compile_battle
from fracas.rulesets.relics.content.library import CATALOGUE, DEFAULT_PROFILE
from fracas.rulesets.relics.content.lint import lint_library, lint_scenario, lint_strategy_file
from fracas.rulesets.relics.content.models.fighters import BuildFile
from fracas.rulesets.relics.content.models.scenario import ContentFile, Resolved, Scenario
from fracas.rulesets.relics.content.scenario_resolver import check_caps, check_library, check_strategy_file, resolve
from fracas.rulesets.relics.content.vocabulary import VOCABULARY
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules import entry_points, state
from fracas.rulesets.relics.rules.events import CODEBOOKS, PROTOCOL

if TYPE_CHECKING:
    from fracas.events.chronicle import Chronicle
    from fracas.kernel.event_protocol import Event
    from fracas.rulesets.contract.features import Drafts, ShareCodes
    from fracas.rulesets.contract.measures import Measure, Statistic, Sums
    from fracas.rulesets.contract.player_entries import EntryKind
    from fracas.rulesets.relics.analysis.lab_hooks import LabHooks


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
    rules_version = codes.RULES_VERSION
    default_profile = DEFAULT_PROFILE
    models = Models(
        scenario=Scenario, content=ContentFile, strategy=BuildFile, resolved=Resolved, strategy_label="build"
    )
    catalogue = CATALOGUE
    vocabulary = VOCABULARY
    protocol = PROTOCOL
    codebooks = CODEBOOKS
    reasons = codes.REASONS
    benchmarks = ("standard",)
    early_options = frozenset({("options", "stat_cap_mode"), ("options", "stat_caps")})
    kernels = Kernels.of(entry_points, state, lockstep=lockstep, length_cap_option="options.turn_cap")
    resolve = staticmethod(resolve)
    compile = staticmethod(compile_battle)
    check_library = staticmethod(check_library)
    check_strategy_file = staticmethod(check_strategy_file)
    lint = staticmethod(lint_scenario)
    lint_strategy_file = staticmethod(lint_strategy_file)
    lint_library = staticmethod(lint_library)

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

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        from fracas.rulesets.relics.narration.story import narrate

        return narrate(events, compiled, document, detail)

    @property
    def analysis(self) -> LabHooks:
        from fracas.rulesets.relics.analysis.lab_hooks import LabHooks

        return LabHooks(self.name)

    def measures(self, compiled: Compiled, document: Document) -> Sequence[Measure]:
        from fracas.rulesets.relics.analysis.statistics import measures

        return measures(document)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> Sequence[Statistic]:
        from fracas.rulesets.relics.analysis.statistics import statistics

        return statistics(compiled, document, sums)

    def chronicle(self, events: Sequence[Event], document: Document) -> Chronicle:
        from fracas.rulesets.relics.narration.ledgers import chronicle

        return chronicle(events, document)

    def swaps(self, document: Document, side: int, folders: Sequence[Path] = ()) -> list[Swap]:
        from fracas.rulesets.relics.analysis.ladder_and_swaps import swaps

        return swaps(document, side, folders)

    def ladder(self, document: Document, folders: Sequence[Path] = ()) -> list[LadderRung]:
        from fracas.rulesets.relics.analysis.ladder_and_swaps import ladder

        return ladder(document, folders)

    def describe_entry(self, entry: Any) -> list[str]:
        from fracas.rulesets.relics.narration.item_text import describe_entry

        return describe_entry(entry)

    @property
    def draft(self) -> Drafts:
        from fracas.rulesets.relics.analysis import draft

        return draft

    @property
    def share_codes(self) -> ShareCodes:
        from fracas.rulesets.relics.content import builds

        return builds

    @property
    def player_entries(self) -> EntryKind:
        from fracas.rulesets.relics.analysis.player_entries import RelicsEntries

        return RelicsEntries()


RULESET = Relics()
