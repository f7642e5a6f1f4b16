"""`fracas simulate`: many battles, counted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.loading import load_file
from fracas.cli.options import File, Folders, Format, Plugins, Profile, Seed, Sets, Strict, Threads
from fracas.cli.progress import ProgressBar
from fracas.cli.show import (
    columns,
    headline,
    notice,
    print_json,
    print_lines,
    print_warnings,
    results_only,
)
from fracas.cli.statuses import DONE, INTERRUPTED
from fracas.errors import InputError
from fracas.events.narration import ASIDE, EMPHASIS, HEADING, PLAIN, SIDE_1, SIDE_2, Line, Span, bar

if TYPE_CHECKING:
    from fracas.lab.simulate import Results
    from fracas.lab.tally import Tally
    from fracas.replay.scenario import Scenario
    from fracas.rulesets.measures import Statistic

BAR_WIDTH = 30


def simulate(
    file: File,
    /,
    *,
    n: Annotated[int | None, Parameter(name="-n", help="How many battles, 1 to 10^9; absent: 10,000.")] = None,
    precision: Annotated[
        str | None,
        Parameter(name="--precision", help="Play until the estimate is this sure: a half-width such as 0.25%."),
    ] = None,
    seed: Seed = None,
    profile: Profile = None,
    set_: Sets = None,
    content: Folders = None,
    plugin: Plugins = None,
    strict: Strict = False,
    threads: Threads = None,
    format: Format = "text",
    out: Annotated[Path | None, Parameter(name="--out", help="Write a Parquet table, one row per battle.")] = None,
) -> int:
    """Play many battles and count how they end, with 95 % Wilson intervals.

    The counts depend on the scenario and its seed alone, not on threads. Ctrl-C ends with what is done.

    Try:

        fracas simulate examples/squads/standard-5v5.toml
        fracas simulate examples/squads/standard-5v5.toml -n 1000000
        fracas simulate examples/squads/standard-5v5.toml --precision 0.25%
        fracas simulate examples/squads/standard-5v5.toml -n 100000 --out battles.parquet
    """
    from fracas.lab.simulate import check_amounts

    wanted = None if precision is None else parse_precision(precision)
    check_amounts(n, wanted, threads)
    scenario = load_file(file, seed=seed, profile=profile, set_=set_, content=content, plugin=plugin, strict=strict)
    print_warnings(scenario.warnings)
    with results_only():
        results = play(scenario, n, wanted, threads, out)
    if format == "json":
        print_json(results.as_json())
    else:
        print_lines(told(results))
    if out is not None:
        part = f" with the {results.battles:,} battles that were played until then" if results.interrupted else ""
        notice(f"wrote {out}{part}")
    return INTERRUPTED if results.interrupted else DONE


def play(scenario: Scenario, n: int | None, precision: float | None, threads: int | None, out: Path | None) -> Results:
    """Play a scenario's battles with a progress bar, and write them to a table if there is one.

    Raises:
        InputError: a plug-in that does not compile, or a table that cannot be written.
    """
    from contextlib import ExitStack

    from fracas.lab.simulate import simulate as simulate_scenario

    with ExitStack() as stack:
        table = None
        if out is not None:
            from fracas.lab.table import TableWriter

            table = stack.enter_context(TableWriter(out, scenario))
        until = None if precision is None else f"±{precision}%"
        progress = stack.enter_context(ProgressBar("simulating", until))

        def show(tally: Tally, total: int) -> None:
            if not progress.is_quiet():
                progress.update(tally.battles, total, estimate(tally))

        results = simulate_scenario(
            scenario,
            n,
            precision=precision,
            threads=threads,
            progress=show,
            sink=table.add if table is not None else None,
            notice=notice,
        )
        if table is not None:
            table.finish()
        return results


def estimate(tally: Tally) -> str:
    """What the battles so far say."""
    first, second = (tally.winners[side] / tally.battles for side in (1, 2))
    return f"{first:.2%} : {second:.2%} ±{tally.half_width():.2%}"


def parse_precision(text: str) -> float:
    """`0.25` or `0.25%`: percentage points.

    Raises:
        InputError: it is neither.
    """
    found = re.fullmatch(r"\s*(\d+(\.\d*)?|\.\d+)\s*%?\s*", text)
    if found is None:
        raise InputError.of("--precision", f'"{text}" is not a number of percentage points', "write 0.25 or 0.25%")
    return float(found[1])


def told(results: Results) -> list[Line]:
    """Results as lines of text."""
    lines: list[list[Span]] = [[(headline(results.scenario), HEADING)]]
    done = f"{results.battles:,} battles"
    if results.interrupted:
        done += ", interrupted"
    if results.deterministic:
        done += ": nothing in this battle depends on luck, so one was played"
    else:
        rate = f"{results.battles_per_second:,.0f} battles/s on {results.threads} threads"
        done += f" in {results.seconds:.2f} s ({rate})"
    lines += [[(done, ASIDE)], []]
    if results.battles:
        lines += _counts(results)
        for statistic in results.statistic_tables():
            lines += statistic_lines(statistic) if statistic.rows else []
    return [Line(0, tuple(spans)) for spans in lines]


def _counts(results: Results) -> list[list[Span]]:
    """How often each side won and how battles ended."""
    from fracas.lab.shown import CERTAIN

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
    table = columns([("", "", "wins", "95 % interval", "battles"), *cells, ("draw", *drawn)], right=(2, 3, 4))
    roles = (ASIDE, SIDE_1, SIDE_2, PLAIN)
    ended = ", ".join(f"{name} {count:,}" for name, count in results.reasons.items())
    return [
        *([(f"  {row}", role)] for row, role in zip(table, roles, strict=True)),
        [],
        [(f"  rounds {results.rounds_mean:.1f} on average, {results.rounds_min} to {results.rounds_max}", EMPHASIS)],
        [(f"  ended by {ended}", PLAIN)],
    ]


def statistic_lines(statistic: Statistic) -> list[list[Span]]:
    """A table of what the ruleset counts besides."""
    from fracas.lab.shown import statistic_cells

    cells, numbers = statistic_cells(statistic)
    header, *rows = columns(cells, right=numbers)
    return [
        [],
        [(f"  {statistic.title}", HEADING)],
        [(f"    {header}", ASIDE)],
        *([(f"    {row}", PLAIN)] for row in rows),
    ]
