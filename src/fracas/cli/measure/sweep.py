"""`fracas lab sweep`: vary values of a scenario and measure the effect."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.output import print_warnings
from fracas.cli.shared.parameters import Battles, File, Side
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fracas.engine.scenario import Scenario
    from fracas.lab.studies.sweep import Axis


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
    asked = partial(sweep_scenario, scenario, axes, n, side=side, folders=options.folders)
    result = study.play("sweeping", asked)
    return study.show(result, f"{len(result.points):,} of {result.possible:,} points")


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
