"""`fracas machine doctor`: show versions, the cache folder and what is compiled."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from fracas import __version__
from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, print_json, say
from fracas.cli.shared.parameters import Format
from fracas.engine.execution_mode import choose_mode
from fracas.engine.lockstep import fit_for_lanes, lane_code
from fracas.engine.scenario import load_scenario
from fracas.kernel import jit
from fracas.kernel.cache_files import is_damaged, why_untrusted
from fracas.lanes.memory import vector_bits
from fracas.portable.artefacts import is_current
from fracas.portable.wasm_machine import can_play
from fracas.rulesets import registry

LIBRARIES = (
    "numba",
    "llvmlite",
    "numpy",
    "blake3",
    "pydantic",
    "msgspec",
    "cyclopts",
    "rich",
    "polars",
    "wasmtime",
)


# For these numbers of battles without a log, show the execution mode.
ASKED = (1, 10_000, 10_000_000)
VARIANTS = ("silent", "logged", "silent-plugins", "logged-plugins")


def doctor(
    scenario: Annotated[
        Path | None, Parameter(help="A scenario: say how many of its battles are played at a time.")
    ] = None,
    /,
    *,
    format: Format = "text",
) -> int:
    """Show versions, the cache folder and what is compiled. Include this output in bug reports.

    Try:

        fracas machine doctor
        fracas machine doctor examples/squads/standard-5v5.toml
    """
    facts: dict[str, Any] = {
        "fracas": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "libraries": {name: _version_of(name) for name in LIBRARIES},
        "rules": {name: registry.get(name).rules_version for name in registry.NAMES},
        "jit": jit.jit_setting(),
        "cache": str(jit.cache_root()),
        "compiled": {name: _compiled_forms(name, damaged=False) for name in registry.NAMES},
        "modules": {name: _module_state(name) for name in registry.NAMES},
        "plays": {name: _who_plays(name) for name in registry.NAMES},
        "lanes": {name: _lanes_of(name) for name in registry.NAMES},
        "cache_problem": _cache_problem(),
        "damaged": {name: _compiled_forms(name, damaged=True) for name in registry.NAMES},
    }
    if scenario is not None:
        facts["scenario"] = {str(scenario): _how_many_at_a_time(scenario)}
    if format == "json":
        print_json(facts)
        return DONE
    rows = []
    for key, value in facts.items():
        if key in ("cache_problem", "damaged"):
            continue
        if isinstance(value, dict):
            rows += [
                (key if index == 0 else "", name, _words(entry)) for index, (name, entry) in enumerate(value.items())
            ]
        else:
            rows.append((key, str(value), ""))
    for name, forms in facts["damaged"].items():
        if forms:
            rows.append(("damaged", name, f"{', '.join(forms)}; will be compiled again at the next use"))
    say(*columns(rows))
    if facts["cache_problem"] is not None:
        say(f"The cache is not used: {facts['cache_problem']}.")
    return DONE


def _module_state(name: str) -> str:
    """Whether the ruleset's WebAssembly module can play, or why not."""
    if not is_current(name):
        return "out of date: run python -m fracas.portable.build"
    return "ready" if can_play(name, registry.get(name).kernels) else "wasmtime is not installed"


def _lanes_of(name: str) -> str:
    """Whether the ruleset's silent battles can be played side by side, and for which widths of lanes that is ready."""
    kernels = registry.get(name).kernels
    if kernels.lockstep is None:
        return "none: one battle at a time"
    widths = kernels.lockstep().state_types
    ready = [str(bits) for bits in widths if lane_code(kernels, bits).is_cached()]
    compiled = f"compiled for lanes of {' and '.join(ready)} bits" if ready else "not compiled yet"
    return f"64 battles side by side, on vectors of {vector_bits()} bits; {compiled}"


def _how_many_at_a_time(scenario: Path) -> str:
    """How long runs of silent battles of a scenario are played, and why."""
    loaded = load_scenario(scenario)
    fit = fit_for_lanes(loaded.ruleset.kernels, loaded.compiled.record, has_plugins=bool(loaded.compiled.plugins))
    return "one battle at a time" if fit is None else str(fit)


def _who_plays(name: str) -> dict[str, str]:
    """The execution mode that would be chosen now, for each number of battles in ASKED."""
    ruleset = registry.get(name)
    entry = ruleset.kernels.play_many
    return {str(battles): str(choose_mode(ruleset, entry, "silent", battles, has_plugins=False)) for battles in ASKED}


def _cache_problem() -> str | None:
    """Why the cache is not used; None if it is."""
    folders = (jit.cache_folder(registry.get(name).kernels.play_many) for name in registry.NAMES)
    return next(filter(None, map(why_untrusted, folders)), None)


def _version_of(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _compiled_forms(name: str, *, damaged: bool) -> list[str]:
    """The compiled forms on disk: the damaged ones, or the intact ones."""
    entry = registry.get(name).kernels.play_many
    files = {form: jit.cached_file(entry, form) for form in VARIANTS if jit.is_cached(entry, form)}
    return [form for form, file in files.items() if file is not None and is_damaged(file) == damaged]


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{int(battles):,}: {mode}" for battles, mode in value.items())
    if isinstance(value, list):
        return ", ".join(value) or "nothing yet"
    return "not installed" if value is None else str(value)
