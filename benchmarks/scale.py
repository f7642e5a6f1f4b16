"""Measures the cost and benefit of workers: the same battles on threads and on local workers, with checksums.

    python benchmarks/scale.py                   10^7 battles by 1 thread, 1 worker, 2 threads, 2 workers
    python benchmarks/scale.py -n 1000000 --workers 4

Seconds count from the moment when all workers are ready. CPU seconds are those of this process and its workers; on a
busy machine they are more reliable than seconds.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import psutil
from blake3 import blake3

import fracas
from fracas.cluster.executors import open_executor
from fracas.lab.execution.executor import Executor, SimulationTask
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.simulate import simulate

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Run:
    """One row: the executor, its times, and the checksum of its results."""

    who: str
    seconds: float
    cpu: float
    checksum: str


def cpu_seconds() -> float:
    """CPU seconds of this process and all its running children."""
    me = psutil.Process()
    times = [process.cpu_times() for process in (me, *me.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def measured(who: str, scenario: fracas.Scenario, battles: int, executor: ExecutorOrThreads) -> Run:
    """Play, and read the clocks when all workers are ready and when they are done."""
    begun = cpu_seconds()
    if isinstance(executor, Executor):
        size = executor.range_size

        def ready(task: SimulationTask) -> int:
            nonlocal begun
            found = size(task)
            begun = cpu_seconds()
            return found

        executor.range_size = ready  # type: ignore[method-assign]
    results = simulate(scenario, battles, threads=executor)
    document = results.as_json()
    del document["timing"]
    checksum = blake3(json.dumps(document).encode()).hexdigest(6)
    return Run(who, results.timing.seconds, cpu_seconds() - begun, checksum)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=10**7, help="number of battles")
    parser.add_argument("--workers", type=int, default=2, help="number of workers and threads to compare with one")
    parser.add_argument("--scenario", type=Path, default=ROOT / "examples/squads/standard-5v5.toml")
    asked = parser.parse_args()
    scenario = fracas.load(asked.scenario)
    simulate(scenario, 1000)
    print(f"{asked.n:,} battles of {scenario.id}")
    runs: dict[tuple[str, int], Run] = {}
    for count in (1, asked.workers):
        for kind in ("threads", "workers"):
            options = {"threads": count, "workers": None} if kind == "threads" else {"threads": None, "workers": count}
            with open_executor(**options) as executor:
                run = runs[kind, count] = measured(f"{count} {kind}", scenario, asked.n, executor)
            rate = asked.n / run.seconds
            print(
                f"{run.who:<10} {run.seconds:8.2f} s  {rate:10,.0f}/s  {run.cpu:8.2f} CPU s  {run.checksum}", flush=True
            )
    one, many = runs["workers", 1], runs["workers", asked.workers]
    print(f"{asked.workers} workers are {one.seconds / many.seconds:.2f} times as fast as one")
    for count in (1, asked.workers):
        threads, workers = runs["threads", count], runs["workers", count]
        seconds, cpu = (100 * (getattr(workers, each) / getattr(threads, each) - 1) for each in ("seconds", "cpu"))
        print(f"{count} workers against {count} threads: {seconds:+.1f} % seconds, {cpu:+.1f} % CPU seconds")
    if len({run.checksum for run in runs.values()}) != 1:
        raise SystemExit("the results differ")


if __name__ == "__main__":
    main()
