"""`fracas odds`: compute each side's odds, exactly where possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.cells import estimate, parse_precision, statistic_lines
from fracas.cli.shared.execution_options import ExecutorOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import columns, count, headline, notice, print_result, print_warnings
from fracas.cli.shared.parameters import File, Format
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.events.styled_text import ASIDE, EMPHASIS, HEADING, PLAIN, SIDE_1, SIDE_2, Line, Span

if TYPE_CHECKING:
    from fracas.lab.exact.state_enumeration import Enumeration
    from fracas.lab.execution.tally import Tally
    from fracas.lab.studies.odds import Chance, Odds


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
    simulate: Annotated[
        bool, Parameter(name="--simulate", help="Simulate, even if exact odds are possible.", negative="")
    ] = False,
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

        found = find_odds(
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
    print_result(found, format, render)
    if found.interrupted:
        notice("interrupted: these are the odds so far")
    return INTERRUPTED if found.interrupted else DONE


def render(found: Odds) -> list[Line]:
    """Format the odds as lines of text."""
    from fracas.lab.studies.odds import EXACT

    lines: list[list[Span]] = [[(headline(found.scenario), HEADING)], [(_method(found), ASIDE)]]
    if found.ways is not None and found.ways.stopped:
        lines += [[(f"not exact: {found.ways.stopped}", ASIDE)], *_bounds(found)]
    results = found.results
    if results is None or results.battles:
        lines += [[], *_shares(found)]
    if found.method == EXACT and found.ways is not None and found.ways.endings:
        mean, shortest, longest = found.rounds
        lines += [[], [(f"  rounds {mean:.1f} on average, {shortest} to {longest}", EMPHASIS)]]
    if results is not None and found.method == EXACT:
        lines += [[], [(f"The rest was counted in {results.battles:,} simulated battles.", ASIDE)]]
    for statistic in found.statistics:
        lines += statistic_lines(statistic) if statistic.rows else []
    return [Line(0, tuple(spans)) for spans in lines]


def _method(found: Odds) -> str:
    """Describe the method: exact, simulated, or both."""
    from fracas.lab.exact.state_enumeration import ONE
    from fracas.lab.studies.odds import EXACT

    if found.deterministic:
        return "odds certain: nothing in this battle depends on luck"
    enumeration, results = found.ways, found.results
    if found.method == EXACT and enumeration is not None:
        states = f"exact odds: {count(enumeration.states, 'state')}"
        if not enumeration.is_complete:
            return f"{states}, {enumeration.resolved_mass / ONE:.2%} decided when interrupted"
        return f"{states}, fully enumerated"
    if found.played_on:
        return f"odds by enumeration, and by {count(found.played_on, 'battle')} played on from the undecided states"
    return f"odds by simulation, {count(results.battles if results is not None else 0, 'battle')}"


def _bounds(found: Odds) -> list[list[Span]]:
    """Bounds on the odds that the unfinished enumeration has proved, if they are of use."""
    from fracas.lab.presentation.results.odds import WORTH_TELLING

    known = [(side.name, side.win.bounds) for side in found.sides if side.win.bounds is not None]
    if found.decided < WORTH_TELLING or not known:
        return []
    ranges = ", ".join(f"{name} wins with {low:.2%} to {high:.2%}" for name, (low, high) in known)
    head = f"the enumeration decided {found.decided:.2%} of all outcomes, which proves:"
    return [[(head, ASIDE)], [(f"  {ranges}", EMPHASIS)]]


def _shares(found: Odds) -> list[list[Span]]:
    """Format a line per side with its odds to win and lose, then a line per kind of draw."""
    from fracas.lab.statistics.intervals import FEW_NOTE, has_few
    from fracas.lab.studies.odds import SIMULATION

    reach = "95% interval" if found.method == SIMULATION else ""
    rows: list[tuple[Any, ...]] = [("", "wins", reach, "loses", reach)]
    rows += [(side.name, *_cells(side.win), *_cells(side.loss)) for side in found.sides]
    rows += [(draw.reason.replace("_", " "), *_cells(draw.chance), "", "") for draw in found.draws]
    table = columns(rows, right=(1, 2, 3, 4))
    roles = [ASIDE, SIDE_1, SIDE_2, *[PLAIN] * len(found.draws)]
    few = found.method == SIMULATION and any(
        not each.win.is_certain and has_few(each.win.count, each.win.of) for each in found.sides
    )
    notes: list[list[Span]] = [[(f"  {FEW_NOTE}", ASIDE)]] if few else []
    return [*([(f"  {row}", role)] for row, role in zip(table, roles, strict=True)), *notes]


def _cells(chance: Chance) -> tuple[str, str]:
    """Format a chance with its interval; an exact chance has more digits instead."""
    from fracas.lab.exact.state_enumeration import ONE
    from fracas.lab.simulation.statistic_rows import CERTAIN

    low, high = chance.interval95
    if not chance.is_certain or chance.open:
        return f"{chance.share:.2%}", f"{low:.2%} to {high:.2%}"
    return (f"{chance.share:.6%}", "") if chance.of == ONE else (f"{chance.share:.2%}", CERTAIN)
