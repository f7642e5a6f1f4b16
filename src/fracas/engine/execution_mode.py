"""Who plays a number of battles: plain Python, code compiled for this machine, or the WebAssembly module.

All three come to the same. Plain Python starts at once and is slow. The module is there from the start and half as
fast as compiled code, which takes seconds to compile, or half a second to load.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from fracas.kernel import jit
from fracas.kernel.cache_files import tell
from fracas.portable.artefacts import rates
from fracas.portable.wasm_machine import can_play
from fracas.rulesets.contract.ruleset import Ruleset

# Up to so many battles are sooner played plain than a first compilation is done.
FEW_BATTLES = 100
# As many as are worth any compilation: for who wants compiled code whatever follows.
MANY_BATTLES = 1 << 40
# What compiled code takes to load: Numba is imported, and told of every kernel.
LOADING_SECONDS = 0.5
# Scenarios may be this much slower than the one that the rates are of.
PART_WORTH_MEASURING = 1 / 20


class ExecutionMode(StrEnum):
    """Who plays."""

    PLAIN = "plain Python"
    NATIVE = "compiled code"
    WASM = "WebAssembly"


def choose_mode(
    ruleset: Ruleset,
    entry: Callable[..., Any],
    form: str,
    battles: int,
    *,
    has_plugins: bool,
    is_over_soon: bool = False,
) -> ExecutionMode:
    """Who plays so many battles with an entry point, as FRACAS_JIT says or by what is sooner done.

    `is_over_soon` says that what follows is over before compiled code could be loaded.
    """
    setting = jit.jit_setting()
    if setting == "never":
        return ExecutionMode.PLAIN
    if setting == "always":
        return ExecutionMode.NATIVE
    # A plug-in is Python: no module can know it.
    has_module = not has_plugins and can_play(ruleset.name, ruleset.kernels)
    if setting == "wasm" and has_module:
        return ExecutionMode.WASM
    if is_over_soon and battles <= FEW_BATTLES:
        return ExecutionMode.PLAIN
    is_compiled = jit.is_cached(entry, form)
    if jit.is_loaded(entry, form):
        return ExecutionMode.NATIVE
    if battles <= FEW_BATTLES and not is_compiled:
        return ExecutionMode.PLAIN
    if has_module and is_soon_enough(ruleset.name, battles, is_compiled=is_compiled):
        return ExecutionMode.WASM
    return ExecutionMode.NATIVE


def is_soon_enough(name: str, battles: int, *, is_compiled: bool, seconds_per_battle: float | None = None) -> bool:
    """Whether the module is done before compiled code, which has to be loaded or compiled first, would be.

    `seconds_per_battle` is what the module takes for a battle of this scenario, if that was measured.
    """
    known = rates(name)
    seconds = battles * (seconds_per_battle or 1 / known.wasm)
    if is_compiled:
        return seconds < LOADING_SECONDS
    return seconds * (1 - known.wasm / known.native) < known.compile_seconds


def is_worth_measuring(name: str, battles: int, *, is_compiled: bool) -> bool:
    """Whether so many battles of a slow scenario could take so long that compiling pays after all."""
    known = rates(name)
    saved = LOADING_SECONDS if is_compiled else known.compile_seconds
    return battles > FEW_BATTLES and battles / known.wasm > PART_WORTH_MEASURING * saved


def tell_mode(name: str, mode: ExecutionMode, battles: int) -> None:
    """Note down who plays, for whoever reads the log `fracas` (`--verbose`)."""
    # Nobody can read it who has not imported it.
    if "logging" in sys.modules:
        tell(f"{battles:,} battle{'s' * (battles != 1)} of {name}: {mode}.")
