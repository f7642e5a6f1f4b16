"""`fracas odds`: what a battle is worth before it is fought."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.loading import load_file
from fracas.cli.options import File, Folders, Format, Plugins, Profile, Seed, Sets, Strict, Threads
from fracas.cli.show import columns, headline, notice, print_json, print_lines, print_warnings, results_only
from fracas.cli.simulate import parse_precision, play, statistic_lines
from fracas.cli.statuses import DONE, INTERRUPTED
from fracas.events.narration import ASIDE, HEADING, PLAIN, SIDE_1, SIDE_2, Line, Span

if TYPE_CHECKING:
    from fracas.lab.odds import Odds


def odds(
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
) -> int:
    """Say how a battle will probably end, for both sides: wins, losses, draws by their reasons, and what it will cost.

    The odds are shares of simulated battles, with 95 % Wilson intervals. Ctrl-C ends with what is done.

    Try:

        fracas odds examples/stacks/first-attack.toml
        fracas odds examples/stacks/siege-of-ashgate.toml -n 100000
        fracas odds examples/stacks/ambush-in-the-reeds.toml --set options.order=id
    """
    from fracas.lab.odds import odds_of
    from fracas.lab.simulate import check_amounts

    wanted = None if precision is None else parse_precision(precision)
    check_amounts(n, wanted, threads)
    scenario = load_file(file, seed=seed, profile=profile, set_=set_, content=content, plugin=plugin, strict=strict)
    print_warnings(scenario.warnings)
    with results_only():
        found = odds_of(play(scenario, n, wanted, threads, None))
    if format == "json":
        print_json(found.as_json())
    else:
        print_lines(told(found))
    if found.results.interrupted:
        notice("interrupted: these are the odds by what was played until then")
    return INTERRUPTED if found.results.interrupted else DONE


def told(found: Odds) -> list[Line]:
    """The odds as lines of text."""
    results = found.results
    played = f"by simulation, {results.battles:,} battles"
    if results.deterministic:
        played = "certain: nothing in this battle depends on luck"
    lines: list[list[Span]] = [[(headline(results.scenario), HEADING)], [(f"odds {played}", ASIDE)]]
    if results.battles:
        lines += [[], *_shares(found)]
        for statistic in found.statistics:
            lines += statistic_lines(statistic) if statistic.rows else []
    return [Line(0, tuple(spans)) for spans in lines]


def _shares(found: Odds) -> list[list[Span]]:
    """A line for each side: how often it wins and loses; then a line for each way in which nobody wins."""
    rows: list[tuple[Any, ...]] = [("", "wins", "95 % interval", "loses", "95 % interval")]
    rows += [(side.name, *_cells(side.win), *_cells(side.loss)) for side in found.sides]
    rows += [(draw.reason.replace("_", " "), *_cells(draw.chance), "", "") for draw in found.draws]
    table = columns(rows, right=(1, 2, 3, 4))
    roles = [ASIDE, SIDE_1, SIDE_2, *[PLAIN] * len(found.draws)]
    return [[(f"  {row}", role)] for row, role in zip(table, roles, strict=True)]


def _cells(chance: Any) -> tuple[str, str]:
    from fracas.lab.shown import CERTAIN

    low, high = chance.interval95
    return f"{chance.share:.2%}", CERTAIN if chance.is_certain else f"{low:.2%} to {high:.2%}"
