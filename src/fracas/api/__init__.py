"""The Python API: load, run, simulate, verify and the lab's studies, in one place.

Each name is imported on first use, so that loading and playing battles does not import the lab.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fracas.api.analysis import find, odds, report, why
    from fracas.api.arguments import load
    from fracas.api.battles import build_of_code, prepare, run, run_many, share_codes, verify
    from fracas.api.comparisons import compare, ladder, matchups, optimise, swaps
    from fracas.api.simulation import simulate
    from fracas.api.variations import sensitivity, sweep, variants
    from fracas.engine.battle import Battle
    from fracas.engine.scenario import Scenario
    from fracas.lab.explain.explanation import Why
    from fracas.lab.search.optimise_result import Optimised, SearchSettings
    from fracas.lab.simulation.results import Results
    from fracas.lab.studies.compare_result import Comparison
    from fracas.lab.studies.find import Found
    from fracas.lab.studies.ladder import Ladder
    from fracas.lab.studies.matchup_matrix import Matchups
    from fracas.lab.studies.odds import Odds
    from fracas.lab.studies.sensitivity_result import Sensitivity
    from fracas.lab.studies.swaps import Swaps
    from fracas.lab.studies.sweep_result import Sweep
    from fracas.lab.studies.variants_result import VariantSet
    from fracas.replay.verify import Verification

_HOMES = {
    "Battle": "fracas.engine.battle",
    "Comparison": "fracas.lab.studies.compare_result",
    "Found": "fracas.lab.studies.find",
    "Ladder": "fracas.lab.studies.ladder",
    "Matchups": "fracas.lab.studies.matchup_matrix",
    "Odds": "fracas.lab.studies.odds",
    "Optimised": "fracas.lab.search.optimise_result",
    "Results": "fracas.lab.simulation.results",
    "Scenario": "fracas.engine.scenario",
    "SearchSettings": "fracas.lab.search.optimise_result",
    "Sensitivity": "fracas.lab.studies.sensitivity_result",
    "Swaps": "fracas.lab.studies.swaps",
    "Sweep": "fracas.lab.studies.sweep_result",
    "VariantSet": "fracas.lab.studies.variants_result",
    "Verification": "fracas.replay.verify",
    "Why": "fracas.lab.explain.explanation",
    "build_of_code": "fracas.api.battles",
    "compare": "fracas.api.comparisons",
    "find": "fracas.api.analysis",
    "ladder": "fracas.api.comparisons",
    "load": "fracas.api.arguments",
    "matchups": "fracas.api.comparisons",
    "odds": "fracas.api.analysis",
    "optimise": "fracas.api.comparisons",
    "prepare": "fracas.api.battles",
    "report": "fracas.api.analysis",
    "run": "fracas.api.battles",
    "run_many": "fracas.api.battles",
    "sensitivity": "fracas.api.variations",
    "share_codes": "fracas.api.battles",
    "simulate": "fracas.api.simulation",
    "swaps": "fracas.api.comparisons",
    "sweep": "fracas.api.variations",
    "variants": "fracas.api.variations",
    "verify": "fracas.api.battles",
    "why": "fracas.api.analysis",
}

__all__ = [
    "Battle",
    "Comparison",
    "Found",
    "Ladder",
    "Matchups",
    "Odds",
    "Optimised",
    "Results",
    "Scenario",
    "SearchSettings",
    "Sensitivity",
    "Swaps",
    "Sweep",
    "VariantSet",
    "Verification",
    "Why",
    "build_of_code",
    "compare",
    "find",
    "ladder",
    "load",
    "matchups",
    "odds",
    "optimise",
    "prepare",
    "report",
    "run",
    "run_many",
    "sensitivity",
    "share_codes",
    "simulate",
    "swaps",
    "sweep",
    "variants",
    "verify",
    "why",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'fracas.api' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
