"""`fracas lab sensitivity`: measure what one more point of each stat is worth."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.cells import parse_cost
from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.output import print_warnings
from fracas.cli.shared.parameters import Battles, File, Side
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file


def sensitivity(
    file: File,
    /,
    *,
    side: Side = 1,
    step: Annotated[float, Parameter(name="--step", help="Points to add to each stat; negative to subtract.")] = 1,
    cost: Annotated[
        list[str] | None,
        Parameter(
            name="--cost",
            help="Cost of one point of a stat, as in attack=3; others cost 1. Ranks by gain per cost. Repeatable.",
        ),
    ] = None,
    pairs: Annotated[
        int, Parameter(name="--pairs", help="Also try pairs of this many of the best stats, 2 to 40.")
    ] = 0,
    n: Battles = None,
    options: ScenarioOptions = ScenarioOptions(),
    study: StudyOptions = StudyOptions(),
) -> int:
    """Raise each stat of each unit of a side by one, one at a time, and rank the stats by how much more the side wins.

    All variants use the same dice as the unchanged scenario. Stats at the end of their range are skipped and listed.
    With --cost, stats are ranked by gain per unit of cost. --pairs shows which stats are worth more together than the
    sum of both. Ctrl-C ends early and reports the complete stats.

    Try:

        fracas lab sensitivity examples/squads/standard-5v5.toml -n 2000
        fracas lab sensitivity examples/squads/standard-5v5.toml --side 2 --step 5 -n 2000
        fracas lab sensitivity examples/squads/standard-5v5.toml --cost attack=3 --cost speed=5 --pairs 4 -n 2000
    """
    from fracas.lab.studies.sensitivity import check_pairs, check_step
    from fracas.lab.studies.sensitivity import sensitivity as try_stats

    check_step(step)
    check_pairs(pairs, n)
    costs = dict(parse_cost(text, "STAT", "attack=3") for text in cost or [])
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    whole = int(step) if step == int(step) else step
    asked = partial(try_stats, scenario, n, side=side, step=whole, costs=costs, pairs=pairs)
    result = study.play("trying", asked)
    return study.show(result, f"{len(result.stats) + len(result.skipped):,} of {result.possible:,} stats")
