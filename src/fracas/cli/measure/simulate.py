"""`fracas simulate`: play many battles and count how they end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.cells import estimate, parse_precision
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.fail_if import fail_status, parse_conditions
from fracas.cli.shared.output import notice, print_warnings, results_only
from fracas.cli.shared.parameters import FailIf, File, Format, Scheduler, Threads, Workers
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.results import print_findings
from fracas.cli.shared.scenario_options import JudgedOptions, load_file
from fracas.errors import UsageError

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario
    from fracas.lab.execution.tally import Tally
    from fracas.lab.execution.thread_executor import ExecutorOrThreads
    from fracas.lab.simulation.results import Results


def simulate(
    file: File,
    /,
    *,
    n: Annotated[int | None, Parameter(name="-n", help="Number of battles, 1 to 10^9. Default: 10,000.")] = None,
    precision: Annotated[
        str | None,
        Parameter(name="--precision", help="Play until the 95% half-width is at most this, such as 0.25%."),
    ] = None,
    options: JudgedOptions = JudgedOptions(),
    threads: Threads = None,
    format: Format = "text",
    contributions: Annotated[
        int | None,
        Parameter(
            name="--contributions",
            help="Report each unit's abilities in this many first battles; 0 for none. Default: units only, 200.",
        ),
    ] = None,
    timeline: Annotated[
        int,
        Parameter(name="--timeline", help="Report HP by round in this many first battles, at most 20,000."),
    ] = 0,
    out: Annotated[
        Path | None,
        Parameter(
            name=("--out", "--save"),
            help="Write a Parquet table, one row per battle, and a summary; .json: the summary only.",
        ),
    ] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    resume: Annotated[
        bool,
        Parameter(name="--resume", help="Continue an earlier run with the same --out; -n may differ."),
    ] = False,
    start: Annotated[
        int, Parameter(name="--start", help="Number of the first battle, to play one part for fracas lab merge.")
    ] = 0,
    fail_if: FailIf = None,
) -> int:
    """Play many battles and count how they end, with 95% Wilson intervals.

    The counts depend only on the scenario and its seed, not on threads or workers. Ctrl-C ends early and reports the
    battles so far. With --out, finished chunks survive even if the program is killed, and --resume continues from
    there. Use --start to play parts of a run separately; fracas lab merge combines them. The first battles are played
    again with their events to report what units did.

    Try:

        fracas simulate examples/squads/standard-5v5.toml
        fracas simulate examples/squads/standard-5v5.toml -n 1000000
        fracas simulate examples/squads/standard-5v5.toml --precision 0.25%
        fracas simulate examples/squads/standard-5v5.toml -n 100000 --out battles.parquet
        fracas simulate examples/squads/standard-5v5.toml --contributions 2000
        fracas simulate examples/squads/standard-5v5.toml --timeline 10000
        fracas simulate examples/squads/standard-5v5.toml -n 100000 --out battles.json --workers 2
        fracas simulate examples/squads/standard-5v5.toml --fail-if "wins.0 < 45%" --fail-if "wins.0 > 55%"
    """
    from fracas.cluster.executors import open_executor
    from fracas.lab.simulation.contributions import check_logged
    from fracas.lab.simulation.simulate import check_amounts, check_start
    from fracas.lab.simulation.timeline import check_timed

    conditions = parse_conditions(fail_if)
    wanted = None if precision is None else parse_precision(precision)
    check_amounts(n, wanted, threads)
    check_start(start, n, wanted)
    check_logged(contributions)
    check_timed(timeline)
    if resume and out is None:
        raise UsageError.of("--resume", "needs --out: finished chunks are stored beside the result")
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    with results_only(), open_executor(threads, workers, scheduler, notice) as executor:
        arguments: dict[str, Any] = {"contributions": contributions, "timeline": timeline, "start": start}
        results = play(scenario, n, wanted, executor, out, resume=resume, **arguments)
    print_findings(results, format, details=contributions is not None)
    if results.left_older:
        notice(f"left {out} unchanged: it is complete and this run is not; --resume continues this run")
    elif out is not None:
        part = f" with the {results.battles:,} battles so far" if results.interrupted else ""
        notice(f"wrote {out}{part}")
    if results.interrupted:
        return INTERRUPTED
    return fail_status(conditions, results.as_json(), strict=options.strict) if conditions else DONE


def play(
    scenario: Scenario,
    n: int | None,
    precision: float | None,
    threads: ExecutorOrThreads,
    out: Path | None,
    *,
    resume: bool = False,
    contributions: int | None = 0,
    start: int = 0,
    timeline: int = 0,
) -> Results:
    """Play a scenario's battles with a progress bar, measure what units did, and write the results if `out` is given.

    Raises:
        InputError: a plug-in does not compile, the file cannot be written, or there is nothing to resume.
    """
    from fracas.lab.execution.interrupts import DeferInterrupt
    from fracas.lab.simulation.export import simulate_to_file
    from fracas.lab.simulation.first_battles import with_contributions, with_timeline
    from fracas.lab.simulation.simulate import simulate as simulate_scenario

    until = None if precision is None else f"±{precision}%"
    with DeferInterrupt(), ProgressBar("simulating", until) as progress, ProgressBar("what units do") as logging:

        def show(tally: Tally, total: int) -> None:
            if not progress.is_quiet():
                progress.update(tally.battles, total, estimate(tally))

        def report_progress(done: int, of: int) -> None:
            progress.end()
            logging.update(done, of, "")

        arguments: dict[str, Any] = {"precision": precision, "threads": threads, "progress": show, "notice": notice}
        arguments |= {"start": start}
        if out is not None:
            arguments |= {"contributions": contributions, "timeline": timeline, "logging_progress": report_progress}
            return simulate_to_file(out, scenario, n, resume=resume, **arguments)
        played = with_contributions(simulate_scenario(scenario, n, **arguments), contributions, notice, report_progress)
        return with_timeline(played, timeline, notice, report_progress)
