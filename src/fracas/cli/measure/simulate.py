"""`fracas simulate`: play many battles and count how they end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.cells import estimate, parse_precision, statistic_lines
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.fail_if import fail_status, parse_conditions
from fracas.cli.shared.output import (
    FOLD,
    columns,
    count,
    headline,
    notice,
    print_result,
    print_warnings,
    results_only,
    width,
)
from fracas.cli.shared.parameters import FailIf, File, Format, Scheduler, Threads, Workers
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.scenario_options import JudgedOptions, load_file
from fracas.errors import UsageError
from fracas.events.styled_text import ASIDE, EMPHASIS, HEADING, PLAIN, SIDE_1, SIDE_2, Line, Span, bar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fracas.engine.scenario import Scenario
    from fracas.lab.execution.tally import Tally
    from fracas.lab.execution.thread_executor import ExecutorOrThreads
    from fracas.lab.simulation.contributions import Contributions, Key
    from fracas.lab.simulation.results import Results
    from fracas.lab.simulation.timeline import Timeline
    from fracas.rulesets.contract.measures import Spread

BAR_WIDTH = 30
MOST_STATUSES_SHOWN = 5
MOST_ROUNDS_SHOWN = 24
BLOCKS = " ▁▂▃▄▅▆▇█"
SHOWN_QUANTILES = (5, 50, 95)
# Statistics of rulesets that repeat the distributions, so they are not printed.
SAID_ALREADY = ("spreads",)


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
        Parameter(name="--resume", help="Continue an earlier run with the same --out; -n may differ.", negative=""),
    ] = False,
    start: Annotated[
        int, Parameter(name="--start", help="Number of the first battle, to play one part for fracas merge.")
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
    print_result(results, format, lambda results: render(results, by_ability=contributions is not None))
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


def render(results: Results, *, by_ability: bool = False) -> list[Line]:
    """Format results as lines of text; with `by_ability`, contributions are listed by ability too."""
    lines: list[list[Span]] = [[(headline(results.scenario), HEADING)]]
    done = count(results.battles, "battle") + (f" from number {results.start:,}" if results.start else "")
    if results.interrupted:
        done += ", interrupted"
    if results.deterministic:
        done += ": nothing in this battle depends on luck, so one was played"
    else:
        rate = f"{results.battles_per_second:,.0f} battles/s on {count(results.threads, 'thread')}"
        without = ", played before" if results.resumed else ", merged"
        done += f" in {results.seconds:.2f} s ({rate})" if results.threads else without
    lines += [[(done, ASIDE)], []]
    if results.battles:
        lines += [*_counts(results), *distribution_lines(results)]
        for statistic in results.statistic_tables():
            lines += statistic_lines(statistic) if statistic.rows and statistic.name not in SAID_ALREADY else []
        if results.contributions is not None:
            lines += contribution_lines(results.contributions, by_ability=by_ability)
        if results.timeline is not None:
            names = results.scenario.ruleset.side_names(results.scenario.document)
            lines += timeline_lines(results.timeline, names)
    return [Line(0, tuple(spans)) for spans in lines]


def timeline_lines(found: Timeline, names: Sequence[str]) -> list[list[Span]]:
    """Format HP over time: a line per round, up to a limit."""
    from fracas.lab.simulation.timeline import rounds_shown

    head: tuple[str, ...] = (found.unit, "going on")
    for _ in names:
        head = (*head, "HP", "(5 to 95%)", "lost", "stand")
    rows = [
        (
            f"{each.number:,}",
            f"{each.going:,}",
            *(
                cell
                for side in range(len(names))
                for cell in (
                    f"{each.hp[side][1]:,}",
                    f"{each.hp[side][0]:,} to {each.hp[side][2]:,}",
                    f"{each.lost[side][1]:,}",
                    f"{each.standing[side][1]:,}",
                )
            ),
        )
        for each in rounds_shown(found.rounds, MOST_ROUNDS_SHOWN)
    ]
    table = columns([head, *rows], right=(0, 1, 2, 4, 5, 6, 8, 9))
    of = f"{names[0]} on the left, {names[1]} on the right; medians of {count(found.battles, 'battle')}"
    lines: list[list[Span]] = [[], [("HP by round", HEADING)], [(f"  {of}", ASIDE)]]
    lines += [[(f"  {row}", PLAIN if place else ASIDE)] for place, row in enumerate(table)]
    return [*lines, *_status_lines(found)]


def _status_lines(found: Timeline) -> list[list[Span]]:
    """Format each side's most frequent statuses: a line per round."""
    from fracas.lab.simulation.timeline import most_frequent, rounds_shown

    names = most_frequent(found.rounds, MOST_STATUSES_SHOWN)
    if not names:
        return []
    rows = [
        (
            f"{each.number:,}",
            *(f"{side[name].mean:.1f}" if name in side else "0.0" for name in names for side in each.statuses),
        )
        for each in rounds_shown(found.rounds, MOST_ROUNDS_SHOWN)
    ]
    head = (found.unit, *(word for name in names for word in (name.replace("_", " "), "")))
    text = "means at the end of each round, side 1 on the left and side 2 on the right, over battles still going on"
    lines: list[list[Span]] = [[], [("Statuses", HEADING)], [(f"  {text}", ASIDE)]]
    table = columns([head, *rows], right=range(1 + 2 * len(names)))
    return [*lines, *([(f"  {row}", PLAIN if place else ASIDE)] for place, row in enumerate(table))]


def _counts(results: Results) -> list[list[Span]]:
    """Format how often each side won and how battles ended."""
    from fracas.lab.simulation.statistic_rows import CERTAIN
    from fracas.lab.statistics.intervals import FEW_NOTE, has_few

    names = results.scenario.ruleset.side_names(results.scenario.document)
    is_certain = results.deterministic

    def reach(low: float, high: float) -> str:
        return CERTAIN if is_certain else f"{low:.2%} to {high:.2%}"

    shares = [*zip(names, results.wins, results.shares, results.interval95, (SIDE_1, SIDE_2), strict=True)]
    cells = [
        (name, bar(int(share * 10_000), 10_000, BAR_WIDTH), f"{share:.2%}", reach(low, high), f"{wins:,}")
        for name, wins, share, (low, high), _ in shares
    ]
    drawn = (
        bar(int(results.draw_share * 10_000), 10_000, BAR_WIDTH),
        f"{results.draw_share:.2%}",
        "",
        f"{results.draws:,}",
    )
    table = columns([("", "", "wins", "95% interval", "battles"), *cells, ("draw", *drawn)], right=(2, 3, 4))
    roles = (ASIDE, SIDE_1, SIDE_2, PLAIN)
    # Some rulesets have their own table of endings, with intervals.
    whole = 0 if any(each.name == "endings" for each in results.statistic_tables()) else results.battles
    ended = ", ".join(_ending(name, count, whole) for name, count in results.reasons.items())
    is_rare = not is_certain and any(has_few(wins, results.battles) for wins in results.wins)
    return [
        *([(f"  {row}", role)] for row, role in zip(table, roles, strict=True)),
        *([[(f"  {FEW_NOTE}", ASIDE)]] if is_rare else []),
        [],
        [(f"  rounds {results.rounds_mean:.1f} on average, {results.rounds_min} to {results.rounds_max}", EMPHASIS)],
        [(f"  ended by {ended}", PLAIN)],
    ]


def _ending(name: str, count: int, whole: int) -> str:
    return f"{name} {count:,}" + (f" ({count / whole:.2%})" if count < whole else "")


def distribution_lines(results: Results) -> list[list[Span]]:
    """Format the distributions of rounds and HP left, each with a histogram over its range."""
    names = results.scenario.ruleset.side_names(results.scenario.document)
    named = [("rounds", results.lengths, PLAIN)]
    named += [
        (f"HP of {name}", spread, role)
        for name, spread, role in zip(names, results.hp_left, (SIDE_1, SIDE_2), strict=True)
    ]
    head = ("", "mean", "least", *(f"p{each}" for each in SHOWN_QUANTILES), "most", "none", "least to most")
    rows = [(name, *_distribution_cells(spread)) for name, spread, _ in named]
    header, *table = columns([head, *rows], right=range(1, len(head) - 1))
    return [
        [],
        [("  At the end (p50: the median)", HEADING)],
        [(f"    {header}", ASIDE)],
        *([(f"    {row}", role)] for row, (_, _, role) in zip(table, named, strict=True)),
    ]


def _distribution_cells(spread: Spread) -> tuple[str, ...]:
    """Format a distribution as a row; `none` is the share of battles at or below 0, which the histogram omits."""
    bins = [(low, count) for low, _, count in spread.bins()]
    above = [count for low, count in bins if low > 0]
    none = 1 - sum(above) / spread.battles
    values = (spread.least, *map(spread.quantile, SHOWN_QUANTILES), spread.most)
    return (
        f"{spread.mean:,.1f}",
        *(f"{value:,}" for value in values),
        f"{none:.1%}" if none else "",
        histogram(above),
    )


def histogram(heights: Sequence[int]) -> str:
    """Draw heights as a row of blocks. The largest is full, and any value above 0 is visible."""
    most = max(heights, default=0)
    return "".join(BLOCKS[-(-height * (len(BLOCKS) - 1) // most)] for height in heights) if most else ""


def contribution_lines(found: Contributions, *, by_ability: bool) -> list[list[Span]]:
    """Format what each unit did per battle on average; with `by_ability`, for each ability too."""
    from fracas.rulesets.contract.analysis import amount_label

    kinds = found.kinds
    rows: list[tuple[str, Key, Mapping[str, int]]] = []
    for (side, unit), amounts in found.by_unit().items():
        rows.append((f"{side} {unit}", (side, unit, None), amounts))
        if by_ability:
            own = [row for row in found.rows if (row.side, row.unit) == (side, unit) and any(row.amounts.values())]
            rows += [
                (f"    {row.ability or 'nothing of its own'}", (side, unit, row.ability), row.amounts) for row in own
            ]
    if not rows or not kinds:
        return []

    def lines(widths: Mapping[Key, Mapping[str, float]]) -> list[str]:
        cells = [
            (name, *(_amount(found.battles, amounts.get(kind, 0), widths.get(key, {}).get(kind)) for kind in kinds))
            for name, key, amounts in rows
        ]
        return [
            f"    {line}" for line in columns([("", *map(amount_label, kinds)), *cells], right=range(1, len(kinds) + 1))
        ]

    whole = count(found.battles, "battle") if found.battles > 1 else "battle"
    reach = ", ± 95%" if found.half_widths else ""
    header, *table = lines(found.half_widths)
    if reach and (FOLD in header or max(map(len, (header, *table))) > width()):
        # If the table is too wide, drop the intervals first.
        reach, (header, *table) = "", lines({})
    return [
        [],
        [(f"  What units do per battle on average, in the first {whole}{reach}", HEADING)],
        [(header, ASIDE)],
        *([(text, SIDE_1 if side == 1 else SIDE_2)] for text, (_, (side, *_), _) in zip(table, rows, strict=True)),
    ]


def _amount(battles: int, total: int, half_width: float | None) -> str:
    """Format an average amount per battle with its half-width."""
    if not total:
        return ""
    return f"{total / battles:,.1f}" + ("" if half_width is None else f" ±{half_width:,.1f}")
