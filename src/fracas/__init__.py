"""Fracas resolves turn-based battles from data: the same inputs and the same seed give the same bytes, everywhere.

    import fracas
    battle = fracas.run("examples/squads/first-battle.toml", seed="tuesday")
    print(battle.winner, battle.reason, battle.rounds)
    print(fracas.simulate("examples/squads/standard-5v5.toml", n=10_000).shares)

Names are imported when they are first used, so `import fracas` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fracas.version import __version__ as __version__

if TYPE_CHECKING:
    from fracas.api import (
        Battle,
        Ladder,
        Results,
        Scenario,
        Swaps,
        Verification,
        build_of_code,
        ladder,
        load,
        run,
        run_many,
        share_codes,
        simulate,
        swaps,
        verify,
    )
    from fracas.errors import FaultError, FracasError, InputError, Problem
    from fracas.replay.plugins import damage_stage, move_type
    from fracas.rulesets.titans.session import DuelSession


_HOMES = {
    "Battle": "fracas.api",
    "DuelSession": "fracas.rulesets.titans.session",
    "FaultError": "fracas.errors",
    "FracasError": "fracas.errors",
    "InputError": "fracas.errors",
    "Ladder": "fracas.api",
    "Problem": "fracas.errors",
    "Results": "fracas.api",
    "Scenario": "fracas.api",
    "Swaps": "fracas.api",
    "Verification": "fracas.api",
    "build_of_code": "fracas.api",
    "damage_stage": "fracas.replay.plugins",
    "ladder": "fracas.api",
    "load": "fracas.api",
    "move_type": "fracas.replay.plugins",
    "run": "fracas.api",
    "run_many": "fracas.api",
    "share_codes": "fracas.api",
    "simulate": "fracas.api",
    "swaps": "fracas.api",
    "verify": "fracas.api",
}

__all__ = [
    "Battle",
    "DuelSession",
    "FaultError",
    "FracasError",
    "InputError",
    "Ladder",
    "Problem",
    "Results",
    "Scenario",
    "Swaps",
    "Verification",
    "build_of_code",
    "damage_stage",
    "ladder",
    "load",
    "move_type",
    "run",
    "run_many",
    "share_codes",
    "simulate",
    "swaps",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'fracas' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
