"""Fracas resolves turn-based battles from data. The same inputs and seed give the same bytes on every machine.

    import fracas
    battle = fracas.run("examples/squads/first-battle.toml", seed="tuesday")
    print(battle.winner, battle.reason, battle.rounds)
    print(fracas.simulate("examples/squads/standard-5v5.toml", n=10_000).shares)

Each name is imported on first use, so `import fracas` is fast, and battles do not import the lab.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fracas.version import __version__ as __version__

# What is public, for type checkers and for the interpreter; a test compares both.
if TYPE_CHECKING:
    from fracas.api.analysis import find as find
    from fracas.api.analysis import odds as odds
    from fracas.api.analysis import report as report
    from fracas.api.analysis import why as why
    from fracas.api.arguments import load as load
    from fracas.api.battles import build_of_code as build_of_code
    from fracas.api.battles import prepare as prepare
    from fracas.api.battles import run as run
    from fracas.api.battles import run_many as run_many
    from fracas.api.battles import share_codes as share_codes
    from fracas.api.battles import verify as verify
    from fracas.api.comparisons import compare as compare
    from fracas.api.comparisons import ladder as ladder
    from fracas.api.comparisons import matchups as matchups
    from fracas.api.comparisons import optimise as optimise
    from fracas.api.comparisons import swaps as swaps
    from fracas.api.content import entries as entries
    from fracas.api.content import rules_versions as rules_versions
    from fracas.api.content import schema as schema
    from fracas.api.player_entries import Entry as Entry
    from fracas.api.player_entries import check_entry as check_entry
    from fracas.api.player_entries import entry_schema as entry_schema
    from fracas.api.player_entries import match as match
    from fracas.api.simulation import simulate as simulate
    from fracas.api.variations import sensitivity as sensitivity
    from fracas.api.variations import sweep as sweep
    from fracas.api.variations import variants as variants
    from fracas.engine.battle import Battle as Battle
    from fracas.engine.scenario import Scenario as Scenario
    from fracas.errors import FaultError as FaultError
    from fracas.errors import FracasError as FracasError
    from fracas.errors import InputError as InputError
    from fracas.errors import Problem as Problem
    from fracas.errors import UsageError as UsageError
    from fracas.events.chronicle import Chronicle as Chronicle
    from fracas.kernel.event_protocol import Event as Event
    from fracas.kit.load import use as use
    from fracas.lab.explain.why_result import Why as Why
    from fracas.lab.search.optimise_result import Optimised as Optimised
    from fracas.lab.search.optimise_result import SearchSettings as SearchSettings
    from fracas.lab.simulation.results import Results as Results
    from fracas.lab.studies.compare_result import Comparison as Comparison
    from fracas.lab.studies.find_result import Found as Found
    from fracas.lab.studies.ladder_result import Ladder as Ladder
    from fracas.lab.studies.matchups_result import Matchups as Matchups
    from fracas.lab.studies.odds_result import Odds as Odds
    from fracas.lab.studies.sensitivity_result import Sensitivity as Sensitivity
    from fracas.lab.studies.swaps_result import Swaps as Swaps
    from fracas.lab.studies.sweep_result import Sweep as Sweep
    from fracas.lab.studies.variants_result import VariantSet as VariantSet
    from fracas.plugins.loader import damage_stage as damage_stage
    from fracas.plugins.loader import move_type as move_type
    from fracas.replay.verify import Verification as Verification
    from fracas.reports.build import Report as Report
    from fracas.rulesets.delve.analysis.enhancement import Enhancement as Enhancement
    from fracas.rulesets.delve.analysis.enhancement import enhance as enhance
    from fracas.rulesets.titans.session.session import DuelSession as DuelSession

_NAMES_OF = {
    "fracas.api.analysis": "find odds report why",
    "fracas.api.arguments": "load",
    "fracas.api.battles": "build_of_code prepare run run_many share_codes verify",
    "fracas.api.comparisons": "compare ladder matchups optimise swaps",
    "fracas.api.content": "entries rules_versions schema",
    "fracas.api.player_entries": "Entry check_entry entry_schema match",
    "fracas.api.simulation": "simulate",
    "fracas.api.variations": "sensitivity sweep variants",
    "fracas.engine.battle": "Battle",
    "fracas.engine.scenario": "Scenario",
    "fracas.errors": "FaultError FracasError InputError Problem UsageError",
    "fracas.events.chronicle": "Chronicle",
    "fracas.kernel.event_protocol": "Event",
    "fracas.kit.load": "use",
    "fracas.lab.explain.why_result": "Why",
    "fracas.lab.search.optimise_result": "Optimised SearchSettings",
    "fracas.lab.simulation.results": "Results",
    "fracas.lab.studies.compare_result": "Comparison",
    "fracas.lab.studies.find_result": "Found",
    "fracas.lab.studies.ladder_result": "Ladder",
    "fracas.lab.studies.matchups_result": "Matchups",
    "fracas.lab.studies.odds_result": "Odds",
    "fracas.lab.studies.sensitivity_result": "Sensitivity",
    "fracas.lab.studies.swaps_result": "Swaps",
    "fracas.lab.studies.sweep_result": "Sweep",
    "fracas.lab.studies.variants_result": "VariantSet",
    "fracas.plugins.loader": "damage_stage move_type",
    "fracas.replay.verify": "Verification",
    "fracas.reports.build": "Report",
    "fracas.rulesets.delve.analysis.enhancement": "Enhancement enhance",
    "fracas.rulesets.titans.session.session": "DuelSession",
}
_HOME_OF = dict(sorted((name, module) for module, names in _NAMES_OF.items() for name in names.split()))

__all__ = list(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'fracas' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
