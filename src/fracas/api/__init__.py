"""The Python interface: load, run, simulate, verify and what the lab does, as one place to import from."""

from __future__ import annotations

from fracas.api.analysis import find, odds, report, sensitivity, sweep, variants, why
from fracas.api.arguments import load
from fracas.api.battles import build_of_code, prepare, run, run_many, share_codes, simulate, verify
from fracas.api.comparisons import compare, ladder, matchups, optimise, swaps
from fracas.engine.battle import Battle
from fracas.engine.scenario import Scenario
from fracas.lab.explain.explanation import Why
from fracas.lab.search.optimise_result import Optimised
from fracas.lab.simulation.results import Results
from fracas.lab.studies.compare import Comparison
from fracas.lab.studies.find import Found
from fracas.lab.studies.ladder import Ladder
from fracas.lab.studies.matchup_matrix import Matchups
from fracas.lab.studies.odds import Odds
from fracas.lab.studies.sensitivity import Sensitivity
from fracas.lab.studies.swaps import Swaps
from fracas.lab.studies.sweep import Sweep
from fracas.lab.studies.variant_sets import VariantSet
from fracas.replay.verify import Verification

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
