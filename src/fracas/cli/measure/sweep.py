"""`fracas lab sweep`: vary values of a scenario and measure the effect."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.cells import gain_cells, outcome_role
from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import chosen_note, columns, count, headline, notice, print_result, print_warnings
from fracas.cli.shared.parameters import Battles, File, Side
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.errors import InputError
from fracas.events.styled_text import ASIDE, EMPHASIS, HEADING, Line, Span, bar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fracas.engine.scenario import Scenario
    from fracas.lab.studies.paired_battles import Outcome
    from fracas.lab.studies.sweep import Axis, Sweep

BAR_WIDTH = 12


def sweep(
    file: File,
    /,
    *ranges: Annotated[str, Parameter(help="PATH=LO:HI:STEP (inclusive) or PATH=a,b,c. Several make a grid.")],
    side: Side = 1,
    n: Battles = None,
    options: ScenarioOptions = ScenarioOptions(),
    study: StudyOptions = StudyOptions(),
) -> int:
    """Vary values of a scenario over a range, a list or a grid, and play the same battles with each.

    You can vary every value that --set can replace. All points are checked before anything is played, and all use the
    same dice. Ctrl-C ends early and reports the complete points.

    Try:

        fracas lab sweep examples/squads/standard-5v5.toml sides.0.units.0.attack=21:29:2 -n 2000
        fracas lab sweep examples/squads/standard-5v5.toml sides.0.strategy.formation=aggressive,balanced,defensive -n 9
        fracas lab sweep examples/squads/standard-5v5.toml profile=classic,tuned -n 2000 --side 2
    """
    from fracas.lab.studies.sweep import sweep as sweep_scenario

    scenario = load_file(file, options)
    axes = _parsed(ranges, scenario, options.folders)
    print_warnings(scenario.warnings)
    with study.open("sweeping") as (executor, bar):
        found = sweep_scenario(
            scenario,
            axes,
            n,
            side=side,
            folders=options.folders,
            threads=executor,
            steps=bar.update,
            notice=notice,
        )
        executor.finish_study(found)
    print_result(found, study.format, render)
    if found.interrupted:
        notice(f"interrupted after {len(found.points):,} of {found.possible:,} points")
    return INTERRUPTED if found.interrupted else DONE


def _parsed(ranges: tuple[str, ...], scenario: Scenario, folders: Sequence[Path]) -> list[Axis]:
    """Parse the axes of a sweep.

    Raises:
        InputError: every text of another form, and every value that does not fit the scenario.
    """
    from fracas.lab.execution.checks import run_checks
    from fracas.lab.studies.sweep import check_each, parse_axis

    axes: list[Axis] = []

    def parse(text: str) -> None:
        axes.append(parse_axis(text, *scenario.documents))

    try:
        run_checks(*(partial(parse, text) for text in ranges))
    except InputError as error:
        malformed = error.problems
        try:
            check_each(scenario, axes, folders)
        except InputError as misfit:
            raise InputError((*malformed, *misfit.problems)) from None
        raise
    return axes


def render(found: Sweep) -> list[Line]:
    """Format a sweep as lines of text."""
    name = found.scenario.ruleset.side_names(found.scenario.document)[found.side - 1]
    heads = found.labels
    lines: list[list[Span]] = [
        [(headline(found.scenario), HEADING)],
        [(f"{count(found.battles, 'battle')} per row with the same dice, scored for {name}", ASIDE)],
        *([(f"{head} = {axis.name}", ASIDE)] for head, axis in zip(heads, found.axes, strict=True)),
        [],
    ]
    rows = [("as is " * (not place), point) for place, point in enumerate([found.base, *found.points])]
    table = columns(
        [
            ("", *heads, *OUTCOME_HEAD),
            *((mark, *map(_shown, point.values), *outcome_cells(point.outcome)) for mark, point in rows),
        ],
        right=[*range(1, len(heads) + 1), *range(len(heads) + 2, len(heads) + 6)],
    )
    roles = [ASIDE, EMPHASIS, *(outcome_role(point.outcome) for point in found.points)]
    lines += [[(f"  {row}", role)] for row, role in zip(table, roles, strict=True)]
    if found.points:
        best = max((point.outcome for point in found.points), key=lambda outcome: outcome.gain)
        lines += chosen_note(len(found.points), best.gain95)
    return [Line(0, tuple(spans)) for spans in lines]


def _shown(value: Any) -> str:
    from fracas.lab.presentation.data_frames import value_text

    return "-" if value is None else value_text(value)


OUTCOME_HEAD = ("", "score", "95% interval", "gain", "95% interval")


def outcome_cells(outcome: Outcome, width: int = BAR_WIDTH) -> tuple[str, ...]:
    """Cells for one variant: a bar, its score and its gain."""
    from fracas.lab.simulation.statistic_rows import CERTAIN

    low, high = outcome.score95
    cells = [
        bar(int(outcome.score * 10_000), 10_000, width),
        f"{outcome.score:.1%}",
        CERTAIN if low == high else f"{low:.1%} to {high:.1%}",
    ]
    return (*cells, *gain_cells(outcome))
