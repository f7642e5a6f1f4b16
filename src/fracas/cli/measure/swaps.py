"""`fracas lab swaps`: measure what replacing one item or unit would gain."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.cells import parse_cost
from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import chosen_note, columns, headline, notice, print_result, print_warnings
from fracas.cli.shared.parameters import File, Folders, Profile, Seed, Sets, Strict
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.errors import UsageError
from fracas.events.styled_text import ASIDE, HARM, HEADING, HELP, PLAIN, Line, Span

if TYPE_CHECKING:
    from fracas.lab.studies.swaps import SwapResult, Swaps


MOST_SHOWN = 20


LONGEST_TEXT = 60


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
    seed: Seed = None,
    profile: Profile = None,
    set_: Sets = None,
    content: Folders = None,
    strict: Strict = False,
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
    options = ScenarioOptions(seed, profile, set_, content, strict=strict)
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    with study.open("trying") as (executor, bar):
        found = run_swaps(
            scenario,
            n,
            side=side,
            limits=limits,
            content=options.folders,
            threads=executor,
            steps=bar.update,
            notice=notice,
        )
        executor.finish_study(found)
    print_result(found, study.format, lambda found: swap_lines(found, top or len(found.tried)))
    if found.interrupted:
        notice(f"interrupted after {len(found.tried):,} of {found.possible:,} swaps")
    return INTERRUPTED if found.interrupted else DONE


def swap_lines(found: Swaps, shown: int) -> list[Line]:
    """Format the best swaps as lines of text."""
    base, place = found.base, found.side - 1
    low, high = base.interval95[place]
    name = found.scenario.ruleset.side_names(found.scenario.document)[place]
    share = f"{base.shares[place]:.2%}"
    text = f"{name} wins {share} unchanged" + ("" if base.deterministic else f" ({low:.2%} to {high:.2%})")
    text += f", by {found.margin:+.1f} HP on average; {len(found.tried):,} swaps tried"
    lines: list[list[Span]] = [[(headline(found.scenario), HEADING)], [(text, ASIDE)], []]
    best = found.tried[:shown]
    head: tuple[str, ...] = ("wins", "gain", "(95%)", "HP", "cost", "place", "out", "in", "which does")
    rows = [head, *(_swap_cells(each, place) for each in best)]
    if not any(each.swap.does for each in best):
        rows = [row[:-1] for row in rows]
    if all(each.cost is None for each in best):
        rows = [(*row[:4], *row[5:]) for row in rows]
    table = columns(rows, right=(0, 1, 3, *([4] if head[4] in rows[0] else [])))
    roles = [ASIDE, *(HELP if each.gain95[0] > 0 else HARM if each.gain95[1] < 0 else PLAIN for each in best)]
    lines += [[(f"  {row}", role)] for row, role in zip(table, roles, strict=True)]
    lines += chosen_note(len(found.tried), best[0].gain95) if best else []
    return [Line(0, tuple(spans)) for spans in lines]


def _swap_cells(each: SwapResult, place: int) -> tuple[str, ...]:
    low, high = each.gain95
    return (
        f"{each.results.shares[place]:.1%}",
        f"{100 * each.gain:+.1f}",
        "certain" if low == high else f"{100 * low:+.1f} to {100 * high:+.1f}",
        f"{each.margin:+.1f}",
        "" if each.cost is None else f"{each.cost:+g}",
        " + ".join(_place(part) for part in each.swap.place.split(" + ")),
        each.swap.removed or "(empty)",
        each.swap.added,
        textwrap.shorten(each.swap.does, LONGEST_TEXT, placeholder=" …"),
    )


def _place(path: str) -> str:
    """A place's path without its side, which is the same in all rows."""
    first, _, rest = path.partition(".")
    return rest.partition(".")[2] if first in ("sides", "players") and rest else rest or first
