"""`fracas lab swaps`: measure what replacing one item or unit would gain."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.cells import parse_cost
from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.output import print_warnings
from fracas.cli.shared.parameters import File
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.errors import UsageError

MOST_SHOWN = 20
Tries = Annotated[int | None, Parameter(name="-n", help="Battles per swap, 1 to 10^8. Default: 1,000.")]


def swaps(
    file: File,
    /,
    *,
    n: Tries = None,
    side: Annotated[int, Parameter(name="--side", help="The side to change: 1 or 2.")] = 1,
    at: Annotated[
        list[str] | None,
        Parameter(name="--at", help="Swap only here: weapon, items, items.3. Repeatable.", negative=""),
    ] = None,
    only: Annotated[
        list[str] | None,
        Parameter(name="--only", help="Try only this replacement, by id or name. Repeatable.", negative=""),
    ] = None,
    without: Annotated[
        list[str] | None,
        Parameter(name="--without", help="Never try this replacement. Repeatable.", negative=""),
    ] = None,
    at_once: Annotated[
        int,
        Parameter(name="--at-once", help="Most swaps to combine, 1 to 4."),
    ] = 1,
    among: Annotated[
        int, Parameter(name="--among", help="Number of best swaps that --at-once combines, 2 to 40.")
    ] = 12,
    cost: Annotated[
        list[str] | None,
        Parameter(
            name="--cost",
            help="Cost of an item or unit, as in scout=3. Others cost 1, empty places 0. Repeatable.",
            negative="",
        ),
    ] = None,
    budget: Annotated[
        float | None,
        Parameter(name="--budget", help="Most additional cost of all replacements together."),
    ] = None,
    top: Annotated[int, Parameter(name="--top", help="Number of lines to show; 0 shows all.")] = MOST_SHOWN,
    options: ScenarioOptions = ScenarioOptions(),
    study: StudyOptions = StudyOptions(),
) -> int:
    """Try every replacement from the content in each place of a build, including empty places, and rank the swaps.

    Swaps replace relics items, units of a line-up or army, party members, or titans. In a line-up the replacement has
    the tier of the unit it replaces. Every swap plays the same battles against the scenario's opponent. --at-once
    combines the best swaps, and --budget limits their total additional cost. Ctrl-C ends early and reports the swaps so
    far. --format json lists all.

    Try:

        fracas lab swaps examples/relics/first-duel.toml
        fracas lab swaps examples/relics/first-duel.toml --side 2 --top 5
        fracas lab swaps examples/relics/first-duel.toml --at items --at-once 2
        fracas lab swaps examples/squads/standard-5v5.toml --without scout
        fracas lab swaps examples/squads/standard-5v5.toml -n 200 --at-once 2 --cost scout=3 --budget 0
    """
    from fracas.lab.studies.swap_limits import Limits
    from fracas.lab.studies.swaps import run_swaps

    costs = dict(parse_cost(text, "THING", "scout=3") for text in cost or [])
    limits = Limits(at or (), only or (), without or (), at_once, among, costs, budget)
    if top < 0:
        raise UsageError.of("--top", f"{top} is out of range: it must be at least 0")
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    asked = partial(run_swaps, scenario, n, side=side, limits=limits, content=options.folders)
    result = study.play("trying", asked)
    return study.show(result, f"{len(result.tried):,} of {result.possible:,} swaps", top or len(result.tried))
