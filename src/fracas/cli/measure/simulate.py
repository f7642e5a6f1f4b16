"""`fracas simulate`: play many battles and count how they end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.cells import estimate, parse_precision
from fracas.cli.shared.execution_options import ExecutorOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.fail_if import fail_status, parse_conditions
from fracas.cli.shared.output import notice, print_warnings
from fracas.cli.shared.parameters import FailIf, File, Format
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.results import print_findings
from fracas.cli.shared.scenario_options import JudgedOptions, load_file

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario
    from fracas.lab.execution.tally import Tally
    from fracas.lab.execution.thread_executor import ExecutorOrThreads
    from fracas.lab.simulation.export import RunOptions
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
    players: ExecutorOptions = ExecutorOptions(),
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
    from fracas.lab.simulation.export import check_run

    conditions = parse_conditions(fail_if)
    asked: RunOptions = {
        "precision": None if precision is None else parse_precision(precision),
        "contributions": contributions,
        "timeline": timeline,
        "start": start,
        "resume": resume,
    }
    check_run(n, players.threads, out, **asked)
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    with players.executor() as executor:
        results = _played(scenario, n, out, executor, asked)
    print_findings(results, format, details=contributions is not None)
    if results.left_older:
        notice(f"left {out} unchanged: it is complete and this run is not; --resume continues this run")
    elif out is not None:
        part = f" with the {results.battles:,} battles so far" if results.interrupted else ""
        notice(f"wrote {out}{part}")
    if results.interrupted:
        return INTERRUPTED
    return fail_status(conditions, results.as_json(), strict=options.strict) if conditions else DONE


def _played(
    scenario: Scenario, n: int | None, out: Path | None, threads: ExecutorOrThreads, asked: RunOptions
) -> Results:
    """Play a scenario's battles with progress bars.

    Raises:
        InputError: a plug-in does not compile, the file cannot be written, or there is nothing to resume.
    """
    from fracas.lab.execution.interrupts import DeferInterrupt
    from fracas.lab.simulation.export import simulate_run

    precision = asked.get("precision")
    until = None if precision is None else f"±{precision}%"
    with DeferInterrupt(), ProgressBar("simulating", until) as progress, ProgressBar("what units do") as logging:

        def show(tally: Tally, total: int) -> None:
            if not progress.is_quiet():
                progress.update(tally.battles, total, estimate(tally))

        def report_progress(done: int, of: int) -> None:
            progress.end()
            logging.update(done, of, "")

        return simulate_run(
            scenario, n, out, threads=threads, progress=show, notice=notice, logging_progress=report_progress, **asked
        )
