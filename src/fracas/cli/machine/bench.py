"""`fracas bench`, `compile` and `doctor`: what this machine does."""

from __future__ import annotations

import os
import platform
import re
import shutil
import time
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas import __version__
from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, notice, print_json, say
from fracas.cli.shared.parameters import Format, Threads
from fracas.errors import UsageError
from fracas.kernel import jit
from fracas.kernel.cache_files import distrust, is_damaged
from fracas.rulesets import registry

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario
    from fracas.lab.simulation.simulate import Results

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
        raise UsageError.of("--seconds", f"{seconds:g} is out of range: 0.01 to 3600")
    from fracas.lab.execution.executor import thread_count
    from fracas.lab.simulation.simulate import check_amounts

    check_amounts(None, None, threads)
    counts = sorted({1, thread_count(threads)})
    scenarios = [scenario for name in _chosen(ruleset) for scenario in _benchmarks(name)]
    rows = [_measure(scenario, count, seconds) for scenario in scenarios for count in counts]
    if format == "json":
        print_json(rows)
    else:
        say(*_bench_table(rows))
    return DONE


def _bench_table(rows: list[dict[str, Any]]) -> list[str]:
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
    return columns([header, *cells], right=(1, 2, 3, 4, 5, 7))


def _measure(scenario: Scenario, threads: int, seconds: float) -> dict[str, Any]:
    """One row: a trial run finds how many battles, a power of two, take about the given time."""
    # Plain Python takes minutes for so many, and has nothing to compile.
    battles = 1 if jit.jit_setting() == "never" else FIRST_TRIAL
    while True:
        results = _played(scenario, battles, threads)
        if results.seconds >= seconds / 8 or battles >= 1 << 29:
            break
        battles *= 4
    while results.seconds * 2 < seconds * 1.4 and battles < 1 << 29:
        battles *= 2
        results = _played(scenario, battles, threads)
    return {
        "ruleset": scenario.ruleset.name,
        "scenario": scenario.id,
        "threads": results.threads,
        "battles": results.battles,
        "seconds": round(results.seconds, 4),
        "battles_per_second": round(results.battles_per_second, 1),
        "rounds_total": results.rounds_total,
        "wins": list(results.wins),
        "draws": results.draws,
        "checksum": f"{_checksum(results):012x}",
    }


def _played(scenario: Scenario, battles: int, threads: int) -> Results:
    from fracas.lab.simulation.simulate import simulate

    results = simulate(scenario, battles, threads=threads, notice=notice)
    if results.interrupted or results.stop_asked:
        raise KeyboardInterrupt
    return results


def _checksum(results: Results) -> int:
    from fracas.lab.execution.tally import Tally

    codes = {name: code for code, name in enumerate(results.scenario.ruleset.reasons)}
    tally = Tally(
        results.battles,
        [results.draws, *results.wins],
        {codes[name]: count for name, count in results.reasons.items()},
        results.rounds_total,
        results.rounds_min,
        results.rounds_max,
    )
    return tally.checksum()


def _chosen(names: list[str] | None) -> list[str]:
    for name in names or []:
        registry.get(name, "RULESET")
    return names or list(registry.NAMES)


def _benchmarks(name: str) -> list[Scenario]:
    from fracas.content.packs import examples_folder
    from fracas.engine.scenario import load_scenario

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
    from fracas.engine.player import idle_plugins, make_player, prepare_native, variant

    names = _chosen(ruleset)
    problem = _cache_problem()
    if problem is not None:
        raise UsageError.of(str(jit.cache_root()), f"nothing can be compiled ahead: {problem}")
    if clear:
        for name in names:
            _clear(name)
    done: list[dict[str, Any]] = []
    for name in names:
        kernels = registry.get(name).kernels
        scenario = _benchmarks(name)[0]
        plugins = idle_plugins(kernels)
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
        say(*columns([(row["ruleset"], row["variant"], f"{row['seconds']:.2f} s") for row in done]))
    return DONE


def _clear(ruleset: str) -> None:
    """Remove what was compiled of a ruleset, and nothing else that may lie in the cache folder."""
    for folder in jit.cache_root().glob(f"{ruleset}-*"):
        if re.fullmatch(r"[0-9a-f]{16}", folder.name.removeprefix(f"{ruleset}-")):
            shutil.rmtree(folder, ignore_errors=True)


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
        "compiled": {name: _compiled_forms(name, damaged=False) for name in registry.NAMES},
        "cache_problem": _cache_problem(),
        "damaged": {name: _compiled_forms(name, damaged=True) for name in registry.NAMES},
    }
    if format == "json":
        print_json(facts)
        return DONE
    rows = []
    for key, value in facts.items():
        if key in ("cache_problem", "damaged"):
            continue
        if isinstance(value, dict):
            rows += [
                (key if place == 0 else "", name, _words(entry)) for place, (name, entry) in enumerate(value.items())
            ]
        else:
            rows.append((key, str(value), ""))
    for name, forms in facts["damaged"].items():
        if forms:
            rows.append(("damaged", name, f"{', '.join(forms)}; compiled again at the next use"))
    say(*columns(rows))
    if facts["cache_problem"] is not None:
        say(f"The cache is not used: {facts['cache_problem']}.")
    return DONE


def _cache_problem() -> str | None:
    """Why the cache is not used, whatever is in it."""
    folders = (jit.cache_folder(registry.get(name).kernels.play_many) for name in registry.NAMES)
    return next(filter(None, map(distrust, folders)), None)


def _version_of(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _compiled_forms(name: str, *, damaged: bool) -> list[str]:
    """The forms that are on disk: those that are whole, or the others."""
    entry = registry.get(name).kernels.play_many
    files = {form: jit.cached_file(entry, form) for form in VARIANTS if jit.is_cached(entry, form)}
    return [form for form, file in files.items() if file is not None and is_damaged(file) == damaged]


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "nothing yet"
    return "not installed" if value is None else str(value)
