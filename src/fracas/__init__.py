"""Fracas resolves turn-based battles from data. The same inputs and seed give the same bytes on every machine.

    import fracas
    battle = fracas.run("examples/squads/first-battle.toml", seed="tuesday")
    print(battle.winner, battle.reason, battle.rounds)
    print(fracas.simulate("examples/squads/standard-5v5.toml", n=10_000).shares)

Each name is imported on first use, so `import fracas` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fracas.version import __version__ as __version__

if TYPE_CHECKING:
    from fracas.api import (
        Battle,
        Comparison,
        Found,
        Ladder,
        Matchups,
        Odds,
        Optimised,
        Results,
        Scenario,
        SearchSettings,
        Sensitivity,
        Swaps,
        Sweep,
        VariantSet,
        Verification,
        Why,
        build_of_code,
        compare,
        find,
        ladder,
        load,
        matchups,
        odds,
        optimise,
        prepare,
        report,
        run,
        run_many,
        sensitivity,
        share_codes,
        simulate,
        swaps,
        sweep,
        variants,
        verify,
        why,
    )
    from fracas.api.content import entries, rules_versions, schema
    from fracas.api.player_entries import Entry, check_entry, entry_schema, match
    from fracas.errors import FaultError, FracasError, InputError, Problem, UsageError
    from fracas.events.chronicle import Chronicle
    from fracas.events.protocol import Event
    from fracas.kit.load import use
    from fracas.plugins.loader import damage_stage, move_type
    from fracas.reports.build import Report
    from fracas.rulesets.delve.analysis.enhancement import Enhancement, enhance
    from fracas.rulesets.titans.session.session import DuelSession


_HOMES = {
    "Battle": "fracas.api",
    "Chronicle": "fracas.events.chronicle",
    "Comparison": "fracas.api",
    "DuelSession": "fracas.rulesets.titans.session.session",
    "Enhancement": "fracas.rulesets.delve.analysis.enhancement",
    "Entry": "fracas.api.player_entries",
    "Event": "fracas.events.protocol",
    "FaultError": "fracas.errors",
    "Found": "fracas.api",
    "FracasError": "fracas.errors",
    "InputError": "fracas.errors",
    "Ladder": "fracas.api",
    "Matchups": "fracas.api",
    "Optimised": "fracas.api",
    "Odds": "fracas.api",
    "Problem": "fracas.errors",
    "Report": "fracas.reports.build",
    "Results": "fracas.api",
    "Scenario": "fracas.api",
    "SearchSettings": "fracas.api",
    "Sensitivity": "fracas.api",
    "Swaps": "fracas.api",
    "Sweep": "fracas.api",
    "UsageError": "fracas.errors",
    "VariantSet": "fracas.api",
    "Verification": "fracas.api",
    "Why": "fracas.api",
    "build_of_code": "fracas.api",
    "check_entry": "fracas.api.player_entries",
    "compare": "fracas.api",
    "entries": "fracas.api.content",
    "damage_stage": "fracas.plugins.loader",
    "entry_schema": "fracas.api.player_entries",
    "match": "fracas.api.player_entries",
    "enhance": "fracas.rulesets.delve.analysis.enhancement",
    "find": "fracas.api",
    "ladder": "fracas.api",
    "load": "fracas.api",
    "matchups": "fracas.api",
    "move_type": "fracas.plugins.loader",
    "optimise": "fracas.api",
    "odds": "fracas.api",
    "prepare": "fracas.api",
    "report": "fracas.api",
    "rules_versions": "fracas.api.content",
    "run": "fracas.api",
    "run_many": "fracas.api",
    "schema": "fracas.api.content",
    "sensitivity": "fracas.api",
    "share_codes": "fracas.api",
    "simulate": "fracas.api",
    "swaps": "fracas.api",
    "sweep": "fracas.api",
    "use": "fracas.kit.load",
    "variants": "fracas.api",
    "verify": "fracas.api",
    "why": "fracas.api",
}

__all__ = [
    "Battle",
    "Chronicle",
    "Comparison",
    "DuelSession",
    "Enhancement",
    "Entry",
    "Event",
    "FaultError",
    "Found",
    "FracasError",
    "InputError",
    "Ladder",
    "Matchups",
    "Odds",
    "Optimised",
    "Problem",
    "Report",
    "Results",
    "Scenario",
    "SearchSettings",
    "Sensitivity",
    "Swaps",
    "Sweep",
    "UsageError",
    "VariantSet",
    "Verification",
    "Why",
    "build_of_code",
    "check_entry",
    "compare",
    "damage_stage",
    "enhance",
    "entries",
    "entry_schema",
    "find",
    "ladder",
    "load",
    "match",
    "matchups",
    "move_type",
    "odds",
    "optimise",
    "prepare",
    "report",
    "rules_versions",
    "run",
    "run_many",
    "schema",
    "sensitivity",
    "share_codes",
    "simulate",
    "swaps",
    "sweep",
    "use",
    "variants",
    "verify",
    "why",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'fracas' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
