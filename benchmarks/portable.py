"""Compares execution modes: compiled code, modules through wasmtime on one and two threads, and in Node.

    python benchmarks/portable.py                    all rulesets, in interleaved turns, with one checksum each
    python benchmarks/portable.py squads --turns 9
    python benchmarks/portable.py --soak 200         compare N random scenarios of each ruleset in three modes
    python benchmarks/portable.py --write            measure the rates by which `simulate` chooses its mode

Node is left out if `node` is not found. Speeds are medians of alternating turns in processor time, which reduces the
influence of other programs; two threads are measured by the clock, which needs an idle machine.
Exit status: 0 all is well, 1 a battle differs or a target is missed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from figures import table

import fracas
from fracas.content.packs import examples_folder
from fracas.engine.scenario import Scenario
from fracas.kernel import jit
from fracas.portable.artefacts import FOLDER, RATES_FILE, layout_file, module_file
from fracas.portable.build import oversized
from fracas.portable.wasm_machine import LOGGED, pool_of, wasm_play
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Rows

HERE = Path(__file__).resolve().parent
# The target of each mode as a part of compiled code's speed; for two threads, as a multiple of one.
LEAST_WASM, LEAST_WASM_OF = 0.45, {"relics": 0.3}
LEAST_NODE = 0.5
LEAST_OF_TWO_THREADS = 1.7
# The approximate duration of a turn.
TURN_SECONDS = 0.4
STREAMS = (0, 2**32 - 5, 2**40)
SILENT_BATTLES = 24

Turn = Callable[[], tuple[float, str]]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ruleset", nargs="*", help="absent: all")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--soak", type=int, metavar="N", help="compare N random scenarios of each ruleset instead")
    parser.add_argument("--write", action="store_true", help="measure the rates and write them")
    options = parser.parse_args()
    names = options.ruleset or list(registry.NAMES)
    os.environ["FRACAS_JIT"] = "1"
    if options.soak:
        return max(soak(name, options.soak) for name in names)
    measured = {name: measure(name, options.turns) for name in names}
    print_speeds(measured)
    if options.write:
        write_rates(measured)
    missed = [each for name, speeds in measured.items() for each in missed_bars(name, speeds)] + list(oversized())
    for each in missed:
        print(each, file=sys.stderr)
    return 1 if missed else 0


def benchmark_of(name: str) -> Scenario:
    return fracas.load(examples_folder() / name / f"{registry.get(name).benchmarks[0]}.toml")


def measure(name: str, turns: int) -> dict[str, float]:
    """Battles per second in each mode."""
    scenario = benchmark_of(name)
    kernels = scenario.ruleset.kernels
    native, module = jit.native(kernels.play_many), wasm_play(name, kernels, logged=False)
    played(native, scenario, 64)
    count = 64
    while played(module, scenario, count)[0] < TURN_SECONDS / 2:
        count *= 2
    ways: dict[str, Turn] = {
        "compiled": lambda: played(native, scenario, count),
        "wasmtime": lambda: played(module, scenario, count),
        "wasmtime, 1 thread": lambda: played_by(1, module, scenario, count),
        "wasmtime, 2 threads": lambda: played_by(2, module, scenario, count),
    }
    if shutil.which("node"):
        ways["Node"] = lambda: played_in_node(scenario, count)
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    checksums = set()
    for _ in range(turns):
        for way, turn in ways.items():
            spent, checksum = turn()
            seconds[way].append(spent)
            checksums.add(checksum)
    if len(checksums) != 1:
        sys.exit(f"{name}: the modes disagree")
    print(f"{name}: {count:,} battles a turn, checksum {checksums.pop()[:16]}", file=sys.stderr)
    return {way: count / statistics.median(spent) for way, spent in seconds.items()}


def played(entry: Callable[..., None], scenario: Scenario, count: int, first: int = 0) -> tuple[float, str]:
    results = np.zeros(count, scenario.ruleset.kernels.result_type)
    record = scenario.compiled.own_record()
    started = time.thread_time()
    entry(record, first, results, None, None)
    return time.thread_time() - started, checksum_of(results)


def played_by(threads: int, entry: Callable[..., None], scenario: Scenario, count: int) -> tuple[float, str]:
    """The same on several threads, by the clock."""
    results = np.zeros(count, scenario.ruleset.kernels.result_type)
    cuts = [count * place // threads for place in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        started = time.perf_counter()
        parts = [
            pool.submit(entry, scenario.compiled.own_record(), first, results[first:end], None, None)
            for first, end in pairwise(cuts)
        ]
        for part in parts:
            part.result()
        spent = time.perf_counter() - started
    return spent, checksum_of(results)


def played_in_node(scenario: Scenario, count: int) -> tuple[float, str]:
    name = scenario.ruleset.name
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record"
        scenario.compiled.record.tofile(record)
        command = ["node", HERE / "portable_node.mjs", module_file(name), layout_file(name), record, count]
        done = subprocess.run([str(each) for each in command], capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    return answer["seconds"], answer["digest"]


def checksum_of(results: Rows) -> str:
    return hashlib.sha256(results.tobytes()).hexdigest()


def print_speeds(measured: dict[str, dict[str, float]]) -> None:
    ways = list(next(iter(measured.values())))
    rows = [
        (name, *(f"{speed:,.0f} ({speed / speeds['compiled']:.2f})" for speed in speeds.values()))
        for name, speeds in measured.items()
    ]
    print(table(("battles/s (x compiled)", *ways), rows))


def missed_bars(name: str, speeds: dict[str, float]) -> list[str]:
    """The targets that a ruleset misses, in sentences."""
    bars = {"wasmtime": LEAST_WASM_OF.get(name, LEAST_WASM), "Node": LEAST_NODE}
    found = [
        f"{name}: {way} plays {speeds[way] / speeds['compiled']:.2f} of compiled code's speed, at least {least}"
        for way, least in bars.items()
        if way in speeds and speeds[way] < least * speeds["compiled"]
    ]
    gain = speeds["wasmtime, 2 threads"] / speeds["wasmtime, 1 thread"]
    return found + ([f"{name}: two threads are {gain:.2f} times as fast as one"] if gain < LEAST_OF_TWO_THREADS else [])


COMPILING = """
import sys, time
import numpy as np
import fracas
from fracas.kernel import jit
scenario = fracas.load(sys.argv[1])
kernels = scenario.ruleset.kernels
started = time.process_time()
jit.native(kernels.play_many)(scenario.compiled.own_record(), 0, np.zeros(0, kernels.result_type), None, None)
print(time.process_time() - started)
"""


def compile_seconds(name: str) -> float:
    """The processor time that a process with an empty cache spends compiling."""
    example = examples_folder() / name / f"{registry.get(name).benchmarks[0]}.toml"
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "FRACAS_CACHE_DIR": str(Path(folder) / "cache")}
        command = [sys.executable, "-c", COMPILING, str(example)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def write_rates(measured: dict[str, dict[str, float]]) -> None:
    """Write rates with two digits; they only choose the execution mode and never change results."""
    file = FOLDER / RATES_FILE
    rates: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    for name, speeds in measured.items():
        rates[name] = {
            "native": rounded(speeds["compiled"]),
            "wasm": rounded(speeds["wasmtime"]),
            "compile_seconds": rounded(compile_seconds(name)),
        }
    file.write_text(json.dumps(rates, indent=1) + "\n")


def rounded(number: float) -> float:
    return float(f"{number:.2g}")


def soak(name: str, scenarios: int) -> int:
    """Compare many random scenarios in all three modes; 1 if a battle differs."""
    ruleset = registry.get(name)
    kernels = ruleset.kernels
    native = jit.native(kernels.play_many)
    loud, silent = wasm_play(name, kernels, logged=True), wasm_play(name, kernels, logged=False)
    rows = battles = 0
    for number in range(scenarios):
        scenario = fracas.load(ruleset.random_scenario(number))
        for stream in STREAMS:
            ways = [logged(entry, scenario, stream) for entry in (native, loud)]
            if number % 10 == 0:
                ways.append(logged(kernels.play_many, scenario, stream))
            state = pool_of(name, LOGGED, kernels).idle[-1].battle(kernels.battle_type)
            ends = [ways[0][2], state] if number % 10 else [ways[0][2], state, ways[2][2]]
            results = [np.zeros(SILENT_BATTLES, kernels.result_type) for _ in range(2)]
            for entry, into in zip((native, silent), results, strict=True):
                entry(scenario.compiled.own_record(), stream, into, None, None)
            same = len({way[:2] for way in ways}) == len({without_dice(end) for end in ends}) == 1
            if not same or results[0].tobytes() != results[1].tobytes():
                print(f"{name}: random scenario {number}, stream {stream}: the modes disagree", file=sys.stderr)
                return 1
            rows += ways[0][3]
            battles += SILENT_BATTLES + 1
    print(f"{name}: {scenarios:,} scenarios, {battles:,} battles, {rows:,} rows: no difference")
    return 0


def logged(entry: Callable[..., None], scenario: Scenario, stream: int) -> tuple[bytes, str, Rows, int]:
    """A battle's result, a digest of its rows, its final record, and the number of rows."""
    kernels = scenario.ruleset.kernels
    record, results, logs = scenario.compiled.own_record(), np.zeros(1, kernels.result_type), log_of(kernels)
    logs["count"] = logs["fault"] = 0
    entry(record, stream, results, logs, None)
    rows = logs[0].rows[: logs[0].count]
    return results.tobytes(), hashlib.sha256(rows.tobytes()).hexdigest(), record, len(rows)


_logs: dict[Any, Rows] = {}


def log_of(kernels: Any) -> Rows:
    return _logs.setdefault(kernels.log_type, np.zeros(1, kernels.log_type))


def without_dice(records: Rows) -> bytes:
    """A record without its dice, which may have filled other blocks."""
    return b"".join(records[each].tobytes() for each in records.dtype.names or () if each != "dice")


if __name__ == "__main__":
    sys.exit(main())
