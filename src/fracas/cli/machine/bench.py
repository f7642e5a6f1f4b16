"""`fracas machine bench`: measure battles per second on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, notice, print_json, say
from fracas.cli.shared.parameters import Format, Threads
from fracas.errors import InputError, UsageError
from fracas.kernel import jit
from fracas.rulesets import registry

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario
    from fracas.lab.simulation.results import Results

Rulesets = Annotated[list[str] | None, Parameter(help="Rulesets. Default: all.")]
# Just above the number of battles that plain Python plays.
FIRST_TRIAL = 128
# Shorter measurements do not wait for lanes to compile; `fracas simulate` would not either.
LONG_ENOUGH_FOR_LANES = 1.0


def bench(
    ruleset: Rulesets = None,
    /,
    *,
    seconds: Annotated[float, Parameter(name="--seconds", help="Approximate seconds for each row.")] = 2.0,
    threads: Threads = None,
    format: Format = "text",
) -> int:
    """Play the shipped benchmark scenarios and print battles per second, with a checksum of the outcomes.

    Compilation is not timed. Every battle is played. The same number of battles gives the same checksum on every
    machine, so a faster but wrong result shows.

    Try:

        fracas machine bench
        fracas machine bench squads --seconds 5 --threads 2
    """
    if not 0.01 <= seconds <= 3600:
        raise UsageError.of("--seconds", f"{seconds:g} is out of range: 0.01 to 3600")
    from fracas.lab.execution.thread_executor import thread_count
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
    """Measure one row. Trial runs find the number of battles, a power of two, that takes about the given time."""
    from fracas.engine.lockstep import finish_lanes

    # Plain Python has nothing to compile, and would take minutes for the usual first trial.
    is_plain = jit.jit_setting() == "never"
    battles = 1 if is_plain else FIRST_TRIAL
    if not is_plain and seconds >= LONG_ENOUGH_FOR_LANES:
        finish_lanes(scenario.ruleset.kernels, scenario.compiled.record)
    while True:
        results = _played(scenario, battles, threads)
        if results.timing.seconds >= seconds / 8 or battles >= 1 << 29:
            break
        battles *= 4
    while results.timing.seconds * 2 < seconds * 1.4 and battles < 1 << 29:
        battles *= 2
        results = _played(scenario, battles, threads)
    return {
        "ruleset": scenario.ruleset.name,
        "scenario": scenario.id,
        "threads": results.timing.threads,
        "battles": results.battles,
        "seconds": round(results.timing.seconds, 4),
        "battles_per_second": results.timing.battles_per_second,
        "rounds_total": results.tally.rounds,
        "wins": list(results.wins),
        "draws": results.draws,
        "checksum": f"{results.tally.checksum():012x}",
    }


def _played(scenario: Scenario, battles: int, threads: int) -> Results:
    from fracas.engine.execution_mode import MANY_BATTLES
    from fracas.lab.simulation.simulate import simulate

    # A benchmark measures compiled code, however short the trial.
    results = simulate(scenario, battles, threads=threads, notice=notice, planned=MANY_BATTLES)
    if results.interrupted or results.stop_asked:
        raise KeyboardInterrupt
    return results


def _chosen(names: list[str] | None) -> list[str]:
    for name in names or []:
        if not registry.get(name, "RULESET").benchmarks:
            raise InputError.of("RULESET", f"{name} ships no benchmark", "measure a scenario of its: fracas simulate")
    return names or list(registry.NAMES)


def _benchmarks(name: str) -> list[Scenario]:
    from fracas.content.packs import examples_folder
    from fracas.engine.scenario import load_scenario

    folder = examples_folder() / name
    return [load_scenario(folder / f"{stem}.toml") for stem in registry.get(name).benchmarks]
