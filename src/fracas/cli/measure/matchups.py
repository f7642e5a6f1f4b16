"""`fracas lab matchups`: play everyone against everyone and rank them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.cells import parse_precision
from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.fail_if import fail_status, parse_conditions
from fracas.cli.shared.output import columns, count, notice, print_result, print_warnings, results_only, width
from fracas.cli.shared.parameters import FailIf
from fracas.cli.shared.scenario_options import JudgedOptions, load_options_of
from fracas.errors.suggestions import visible
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HEADING, HELP, PLAIN, Line, Span

if TYPE_CHECKING:
    from fracas.lab.studies.matchup_cells import Cell
    from fracas.lab.studies.matchup_matrix import Matchups, RowScore
    from fracas.lab.studies.standings import Analysis, Standing

SHORTEST_NAME, LONGEST_NAME = 8, 24
MOST_CYCLES = 10


def matchups(
    files: Annotated[
        list[str],
        Parameter(help="Scenario files; side 1 of each enters, or side 2 with FILE:2. Or one roster file."),
    ],
    /,
    *,
    against: Annotated[
        list[str] | None,
        Parameter(
            name="--against",
            help="Play the files against this one (FILE or FILE:2), not against each other. Repeatable.",
            negative="",
        ),
    ] = None,
    n: Annotated[
        int | None, Parameter(name="-n", help="Battles per match-up, both sides together. Default: 10,000.")
    ] = None,
    precision: Annotated[
        str | None,
        Parameter(name="--precision", help="Play until every match-up's 95% half-width is at most this, such as 0.5%."),
    ] = None,
    fail_if: FailIf = None,
    options: JudgedOptions = JudgedOptions(),
    study: StudyOptions = StudyOptions(),
) -> int:
    """Play everyone against everyone, from both sides and with the same dice, and rank them.

    Shares count points: 1 for a win, 1/2 for a draw. Entrants in one group are statistically tied with its best. The
    mix is the optimal mixed strategy: no entrant scores more than half against it. Cycles are listed if every link is
    significant. With --against, the files are the rows of a table and the opponents its columns. Ctrl-C ends early and
    reports the complete match-ups.

    Try:

        fracas lab matchups examples/squads/standard-5v5.toml examples/squads/standard-5v5.toml:2 -n 2000
        fracas lab matchups examples/squads/rosters/formations.toml -n 200
        fracas lab matchups examples/squads/rosters/formations.toml --precision 2%
        fracas lab matchups examples/squads/rosters/formations.toml -n 200 --fail-if "standings.0.share > 90%"
        fracas lab matchups examples/relics/standard.toml --against examples/relics/full-shelf.toml:2
    """
    from fracas.lab.simulation.simulate import check_amounts
    from fracas.lab.studies.matchups import matchups as play_all
    from fracas.lab.studies.roster import roster_of

    conditions = parse_conditions(fail_if)
    wanted = None if precision is None else parse_precision(precision)
    check_amounts(n, wanted, study.threads)
    with results_only():
        roster = roster_of(files, load_options_of(options), against or ())
    print_warnings(dict.fromkeys(each for entrant in roster.entrants for each in entrant.scenario.warnings))
    with study.open("playing") as (executor, bar):
        found = play_all(roster, n, precision=wanted, threads=executor, steps=bar.update, notice=notice)
        executor.finish_study(found)
    if found.interrupted and not found.cells:
        raise KeyboardInterrupt
    print_result(found, study.format, render)
    if found.interrupted:
        notice(f"interrupted after {len(found.cells)} of {len(found.roster.pairs)} match-ups")
        return INTERRUPTED
    return fail_status(conditions, found.as_json(), strict=options.strict) if conditions else DONE


def render(found: Matchups) -> list[Line]:
    """Format a round robin as lines of text."""
    rules = found.roster.rules
    head = f'{found.roster.id}: {rules.ruleset.name}, profile {rules.profile}, seed "{found.roster.seed}"'
    each = max((cell.battles for cell in found.cells), default=0)
    across = found.roster.across
    entrants = len(found.roster.entrants) - across
    text = f"{entrants} against {across}" if across else f"{entrants} entrants"
    text += f", {count(len(found.cells), 'match-up')} of {count(each, 'battle')}"
    text += f", half from each side, ±{found.half_width:.2%}"
    lines: list[Sequence[Span]] = [[(head, HEADING)], [(text, ASIDE)]]
    order = list(range(len(found.roster.entrants)))
    if across:
        ranked = [row.entrant for row in found.rows] or order[:entrants]
        return [Line(0, tuple(spans)) for spans in (*lines, [], *_matrix(found, ranked, order[entrants:]))]
    if found.found_analysis is not None:
        order = [standing.entrant for standing in found.analysis.standings]
        lines += [[], *_table(found.analysis, found.names)]
    lines += [[], *_matrix(found, order, order)]
    if found.found_analysis is not None:
        lines += [[], *_mix(found.analysis, found.names), *_cycle_lines(found.analysis, found.names)]
    return [Line(0, tuple(spans)) for spans in lines]


def _table(analysis: Analysis, names: Sequence[str]) -> Iterator[list[Span]]:
    """Format a line per entrant, best first."""
    head = ("", "entrant", "share", "(95%)", "group", "mix", "against it")
    rows = [head, *(_standing_cells(standing, names) for standing in analysis.standings)]
    head_line, *lines = columns(rows, right=(0, 2, 4, 5, 6))
    yield [(f"  {head_line}", ASIDE)]
    for standing, line in zip(analysis.standings, lines, strict=True):
        yield [(f"  {line}", EMPHASIS if standing.group == 1 else PLAIN)]


def _standing_cells(standing: Standing, names: Sequence[str]) -> tuple[str, ...]:
    low, high = standing.interval95
    return (
        str(standing.rank),
        visible(names[standing.entrant])[:30],
        f"{standing.share:.2%}",
        "certain" if low == high else f"{low:.2%} to {high:.2%}",
        str(standing.group),
        f"{standing.mix:.1%}" if standing.mix else "",
        f"{standing.against_mix:.1%}",
    )


def _matrix(found: Matchups, rows: Sequence[int], across: Sequence[int]) -> Iterator[list[Span]]:
    """Format the shares of each row against each column, split to fit the terminal.

    If the columns are other entrants than the rows, a list names them, and each row ends with its total.
    """
    yield [("  points of the row against the column, in percent; coloured if significantly not half", ASIDE)]
    cells = {(cell.first, cell.second): cell for cell in found.cells}
    texts = {pair: _percent(cells, *pair) for pair in ((one, other) for one in rows for other in across)}
    cell_width = 1 + max(*map(len, texts.values()), len(str(len(across))))
    numbers = 4 + len(str(len(rows)))
    room = min(max(width() - numbers - cell_width * len(across), SHORTEST_NAME), LONGEST_NAME)
    named: list[tuple[str, ...]] = [
        (str(rank), visible(found.names[place])[:room]) for rank, place in enumerate(rows, 1)
    ]
    if found.roster.across:
        yield from ([(f"  {place:>3}  {visible(found.names[other])}", ASIDE)] for place, other in enumerate(across, 1))
        together = {row.entrant: _together(row) for row in found.rows}
        named = [(*label, *together.get(place, ("", ""))) for label, place in zip(named, rows, strict=True)]
    labels = columns(named, right=(0, 2), fold=False)
    if max(map(len, labels)) + cell_width + 2 > width():
        # Too narrow for the totals, which --format json has.
        labels = columns([label[:2] for label in named], right=(0,), fold=False)
    margin = 2 + max(map(len, labels))
    fit = max(1, (width() - margin) // cell_width)
    for first in range(0, len(across), fit):
        if first:
            yield []
        piece = across[first : first + fit]
        heads = "".join(str(first + place + 1).rjust(cell_width) for place in range(len(piece)))
        yield [(" " * margin + heads, ASIDE)]
        for one, label in zip(rows, labels, strict=True):
            spans = [(f"  {label}".ljust(margin), PLAIN)]
            spans += [(texts[one, other].rjust(cell_width), _role(cells, one, other)) for other in piece]
            yield spans


def _together(row: RowScore) -> tuple[str, str]:
    """A row's share against all columns together, with its interval."""
    low, high = row.interval95
    return f"{row.share:.2%}", "certain" if low == high else f"{low:.2%} to {high:.2%}"


def _percent(cells: dict[tuple[int, int], Cell], one: int, other: int) -> str:
    if one == other:
        return "-"
    if (one, other) in cells:
        return f"{100 * cells[one, other].share:.0f}"
    return f"{100 * (1 - cells[other, one].share):.0f}" if (other, one) in cells else "?"


def _role(cells: dict[tuple[int, int], Cell], one: int, other: int) -> str:
    """Choose a share's colour: significantly more than half, significantly less, or neither."""
    low, high = cells[one, other].interval95 if (one, other) in cells else (0.0, 1.0)
    if (other, one) in cells:
        low, high = (1 - end for end in reversed(cells[other, one].interval95))
    return HELP if low > 0.5 else HARM if high < 0.5 else PLAIN


def _mix(analysis: Analysis, names: Sequence[str]) -> Iterator[list[Span]]:
    """List the entrants in the mix, most frequent first."""
    parts = sorted((standing for standing in analysis.standings if standing.mix), key=lambda each: -each.mix)
    text = ", ".join(f"{visible(names[each.entrant])} {each.mix:.1%}" for each in parts)
    yield [("  mix that no entrant beats: ", EMPHASIS), (text, PLAIN)]
    if not analysis.mix.is_most_even:
        yield [("  (checked, but other mixes may be as good, and this may not be the most even one)", ASIDE)]
    elif not analysis.mix.is_only_one:
        yield [("  (other mixes are as good; this is the most even one)", ASIDE)]


def _cycle_lines(analysis: Analysis, names: Sequence[str]) -> Iterator[list[Span]]:
    """List the cycles, sorted by the strength of their weakest link."""
    if not analysis.cycles:
        yield [("  no cycles of three in which each significantly beats the next", ASIDE)]
        return
    yield [("  cycles in which each significantly beats the next:", EMPHASIS)]
    for cycle in analysis.cycles[:MOST_CYCLES]:
        links = zip(cycle.entrants, cycle.shares, strict=True)
        text = "".join(f"{visible(names[place])} ({share:.1%}) > " for place, share in links)
        yield [(f"    {text}{visible(names[cycle.entrants[0]])}", PLAIN)]
    left = len(analysis.cycles) - MOST_CYCLES
    if left > 0:
        yield [(f"    and {left:,} more; --format json lists them", ASIDE)]
