"""`fracas bench`, `compile` and `doctor`: what this machine does."""

from __future__ import annotations

import os
import platform
import shutil
import time
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas import __version__
from fracas.cli.options import Format, Threads
from fracas.cli.show import columns, notice, print_json
from fracas.errors import InputError
from fracas.kernel import jit
from fracas.rulesets import registry

if TYPE_CHECKING:
    from fracas.replay.scenario import Scenario

Rulesets = Annotated[list[str] | None, Parameter(help="Rulesets; absent: all.", negative="")]
# Just above the number of battles for which nothing is compiled.
FIRST_TRIAL = 128
LIBRARIES = ("numba", "llvmlite", "numpy", "blake3", "pydantic", "msgspec", "lark", "cyclopts", "rich", "polars")
VARIANTS = ("silent", "logged", "silent-plugins", "logged-plugins")


def bench(
    ruleset: Rulesets = None,
    /,
    *,
    seconds: Annotated[float, Parameter(name="--seconds", help="About how long each row takes.")] = 2.0,
    threads: Threads = None,
    format: Format = "text",
) -> int:
    """Play the shipped benchmark scenarios and print battles per second beside a checksum of what was played.

    It compiles first and times after. Every battle is played. The same number of battles gives the same checksum on
    every machine; a faster wrong answer would show.

    Try:

        fracas bench
        fracas bench squads --seconds 5 --threads 2
    """
    if not 0.01 <= seconds <= 3600:
        raise InputError.of("--seconds", f"{seconds:g} is out of range: 0.01 to 3600")
    from fracas.lab.simulate import check_amounts

    check_amounts(None, None, threads)
    most = threads or os.cpu_count() or 1
    counts = [1] if most == 1 else [1, most]
    rows = []
    for name in _chosen(ruleset):
        for scenario in _benchmarks(name):
            rows += [_measure(scenario, count, seconds) for count in counts]
    if format == "json":
        print_json(rows)
        return 0
    header = ("scenario", "threads", "battles", "seconds", "battles/s", "rounds", "wins", "draws", "checksum")
    cells = [
        (
            f"{row['ruleset']}/{row['scenario']}",
            str(row["threads"]),
            f"{row['battles']:,}",
            f"{row['seconds']:.2f}",
            f"{row['battles_per_second']:,.0f}",
            f"{row['rounds_total']:,}",
            " : ".join(f"{wins:,}" for wins in row["wins"]),
            f"{row['draws']:,}",
            row["checksum"],
        )
        for row in rows
    ]
    print("\n".join(columns([header, *cells], right=(1, 2, 3, 4, 5, 7))))
    return 0


def _measure(scenario: Scenario, threads: int, seconds: float) -> dict[str, Any]:
    """One row: a trial run finds how many battles, a power of two, take about the given time."""
    from fracas.lab.simulate import simulate
    from fracas.lab.tally import Tally

    battles = FIRST_TRIAL
    while True:
        results = simulate(scenario, battles, threads=threads, notice=notice)
        if results.seconds >= seconds / 8 or battles >= 1 << 29:
            break
        battles *= 4
    while results.seconds * 2 < seconds * 1.4 and battles < 1 << 29:
        battles *= 2
        results = simulate(scenario, battles, threads=threads)
    codes = {name: code for code, name in enumerate(scenario.ruleset.reasons)}
    tally = Tally(
        results.battles,
        [results.draws, *results.wins],
        {codes[name]: count for name, count in results.reasons.items()},
        results.rounds_total,
        results.rounds_min,
        results.rounds_max,
    )
    return {
        "ruleset": scenario.ruleset.name,
        "scenario": scenario.id,
        "threads": threads,
        "battles": results.battles,
        "seconds": round(results.seconds, 4),
        "battles_per_second": round(results.battles_per_second, 1),
        "rounds_total": results.rounds_total,
        "wins": list(results.wins),
        "draws": results.draws,
        "checksum": f"{tally.checksum():012x}",
    }


def _chosen(names: list[str] | None) -> list[str]:
    for name in names or []:
        registry.get(name, "RULESET")
    return names or list(registry.NAMES)


def _benchmarks(name: str) -> list[Scenario]:
    from fracas.content.packs import examples_folder
    from fracas.replay.scenario import load_scenario

    folder = examples_folder() / name
    return [load_scenario(folder / f"{stem}.toml") for stem in registry.get(name).benchmarks]


def compile_kernels(
    ruleset: Rulesets = None,
    /,
    *,
    clear: Annotated[
        bool, Parameter(name="--clear", help="First remove everything compiled before.", negative="")
    ] = False,
    format: Format = "text",
) -> int:
    """Compile all rules now, so that no later command has to wait.

    Try:

        fracas compile
        fracas compile squads --clear
    """
    from fracas.replay.play import make_player, native_plugins, prepare_native, variant
    from fracas.rulesets.contract import Plugin

    if clear:
        shutil.rmtree(jit.cache_root(), ignore_errors=True)
    done: list[dict[str, Any]] = []
    for name in _chosen(ruleset):
        kernels = registry.get(name).kernels
        scenario = _benchmarks(name)[0]
        idle = kernels.idle_plugin
        plugins = native_plugins(kernels, (Plugin("idle", idle, "", ""),)) if idle is not None else None
        for logged in (False, True):
            player = make_player(scenario, logged=logged, battles=1)
            for functions in (None, plugins) if plugins is not None else (None,):
                form = variant(logged, functions is not None)
                started = time.perf_counter()
                prepare_native(kernels, name, player.record, player.log, functions, notice)
                done.append({"ruleset": name, "variant": form, "seconds": round(time.perf_counter() - started, 2)})
    if format == "json":
        print_json({"cache": str(jit.cache_root()), "compiled": done})
    else:
        print("\n".join(columns([(row["ruleset"], row["variant"], f"{row['seconds']:.2f} s") for row in done])))
    return 0


def doctor(*, format: Format = "text") -> int:
    """Versions, cache folder, what is compiled: what to put into a report.

    Try:

        fracas doctor
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
        "compiled": {name: _compiled_forms(name) for name in registry.NAMES},
    }
    if format == "json":
        print_json(facts)
        return 0
    rows = []
    for key, value in facts.items():
        if isinstance(value, dict):
            rows += [
                (key if place == 0 else "", name, _words(entry)) for place, (name, entry) in enumerate(value.items())
            ]
        else:
            rows.append((key, str(value), ""))
    print("\n".join(columns(rows)))
    return 0


def _version_of(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _compiled_forms(name: str) -> list[str]:
    entry = registry.get(name).kernels.play_many
    return [form for form in VARIANTS if jit.is_cached(entry, form)]


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "nothing yet"
    return "not installed" if value is None else str(value)
