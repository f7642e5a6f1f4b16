"""Choose the execution mode for a number of battles: plain Python, compiled code or the WebAssembly module.

All three give the same results. Plain Python starts at once but is slow. The module also starts at once, at half the
speed of compiled code. Compiled code takes seconds to compile, or half a second to load.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from fracas.kernel import jit
from fracas.kernel.cache_files import tell
from fracas.portable.artefacts import Rules, rates
from fracas.portable.wasm_machine import can_play
from fracas.rulesets.contract.ruleset import Ruleset

# Up to this many battles, plain Python is faster than a first compilation.
FEW_BATTLES = 100
# A number of battles that is always worth compiling, for callers that want compiled code in any case.
MANY_BATTLES = 1 << 40
# Seconds to load compiled code: import Numba and declare every kernel.
LOADING_SECONDS = 0.5
# Scenarios may be this much slower than the one that was used to measure the rates.
PART_WORTH_MEASURING = 1 / 20


class ExecutionMode(StrEnum):
    """How battles are played."""

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
    """Choose how an entry point plays a number of battles: as FRACAS_JIT says, or the way that finishes first.

    `is_over_soon` means that the work ends before compiled code could be loaded.
    """
    setting = jit.jit_setting()
    if setting == "never":
        return ExecutionMode.PLAIN
    if setting == "always":
        return ExecutionMode.NATIVE
    # Plug-ins are Python code, which the module cannot call.
    has_module = not has_plugins and can_play(ruleset.identity, ruleset.kernels)
    if setting == "wasm" and has_module:
        return ExecutionMode.WASM
    if is_over_soon and battles <= FEW_BATTLES:
        return ExecutionMode.PLAIN
    is_compiled = jit.is_cached(entry, form)
    if jit.is_loaded(entry, form):
        return ExecutionMode.NATIVE
    if battles <= FEW_BATTLES and not is_compiled:
        return ExecutionMode.PLAIN
    if has_module and is_soon_enough(ruleset.identity, battles, is_compiled=is_compiled):
        return ExecutionMode.WASM
    return ExecutionMode.NATIVE


def is_soon_enough(rules: Rules, battles: int, *, is_compiled: bool, seconds_per_battle: float | None = None) -> bool:
    """Whether the module finishes before compiled code, including the time to load or compile the latter.

    `seconds_per_battle` is the module's measured time per battle of this scenario, if known.
    """
    known = rates(rules)
    seconds = battles * (seconds_per_battle or 1 / known.wasm)
    if is_compiled:
        return seconds < LOADING_SECONDS
    return seconds * (1 - known.wasm / known.native) < known.compile_seconds


def is_worth_measuring(rules: Rules, battles: int, *, is_compiled: bool) -> bool:
    """Whether a slow scenario could make compiling worthwhile, so that its speed should be measured."""
    known = rates(rules)
    saved = LOADING_SECONDS if is_compiled else known.compile_seconds
    return battles > FEW_BATTLES and battles / known.wasm > PART_WORTH_MEASURING * saved


def tell_mode(name: str, mode: ExecutionMode, battles: int, manner: str = "") -> None:
    """Write the execution mode to the log `fracas`, which `--verbose` shows; `manner` says more about it."""
    # If logging was never imported, nobody reads the log.
    if "logging" in sys.modules:
        text = f"{mode}, {manner}" if manner else mode
        tell(f"{battles:,} battle{'s' * (battles != 1)} of {name}: {text}.")
