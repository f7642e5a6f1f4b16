"""`fracas odds`: compute each side's odds, exactly where possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.cells import estimate, parse_precision
from fracas.cli.shared.execution_options import ExecutorOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import notice, print_warnings
from fracas.cli.shared.parameters import File, Format
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.results import print_findings
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file

if TYPE_CHECKING:
    from fracas.lab.exact.state_enumeration import Enumeration
    from fracas.lab.execution.tally import Tally


def odds(
    file: File,
    /,
    *,
    budget: Annotated[
        int | None,
        Parameter(
            name="--budget",
            help="Most states to enumerate for exact odds, or the same work, 1 to 10^7. Default: 10^6.",
        ),
    ] = None,
    simulate: Annotated[bool, Parameter(name="--simulate", help="Simulate, even if exact odds are possible.")] = False,
    n: Annotated[int | None, Parameter(name="-n", help="Battles to simulate, 1 to 10^9. Default: 10,000.")] = None,
    precision: Annotated[
        str | None,
        Parameter(name="--precision", help="Simulate until the 95% half-width is at most this, such as 0.25%."),
    ] = None,
    options: ScenarioOptions = ScenarioOptions(),
    players: ExecutorOptions = ExecutorOptions(),
    format: Format = "text",
) -> int:
    """Compute the odds of a battle for both sides: wins, losses, draws by reason, and the expected losses.

    The odds are exact if every way in which the dice can fall fits a budget of states. Otherwise, or with -n,
    --precision or --simulate, they are shares of simulated battles with 95% Wilson intervals, narrowed by the bounds
    that the enumeration has proved so far. Ctrl-C ends early and reports the odds so far.

    Try:

        fracas odds examples/squads/coin-toss.toml
        fracas odds examples/stacks/first-attack.toml --simulate
        fracas odds examples/stacks/siege-of-ashgate.toml -n 100000
        fracas odds examples/stacks/ambush-in-the-reeds.toml -n 1000 --set options.order=id
    """
    from fracas.lab.exact.state_enumeration import ONE
    from fracas.lab.studies.odds import find_odds

    wanted = None if precision is None else parse_precision(precision)
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    with (
        players.open("enumerating") as (executor, bar),
        ProgressBar("simulating") as other,
    ):

        def watch(enumeration: Enumeration) -> None:
            bar.update(enumeration.states, enumeration.budget, f"{enumeration.resolved_mass / ONE:.1%} decided")

        def progress(tally: Tally, total: int) -> None:
            bar.end()
            if not other.is_quiet():
                other.update(tally.battles, total, estimate(tally))

        result = find_odds(
            scenario,
            n,
            precision=wanted,
            budget=budget,
            simulated=simulate,
            threads=executor,
            progress=progress,
            watch=watch,
            notice=notice,
        )
    print_findings(result, format)
    if result.interrupted:
        notice("interrupted: these are the odds so far")
    return INTERRUPTED if result.interrupted else DONE
