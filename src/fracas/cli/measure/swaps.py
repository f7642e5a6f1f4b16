"""fracas swaps: what another item in each place would bring."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

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


Tries = Annotated[int | None, Parameter(name="-n", help="How many battles of each exchange, 1 to 10^8; absent: 1,000.")]


def swaps(
    file: File,
    /,
    *,
    n: Tries = None,
    side: Annotated[int, Parameter(name="--side", help="Whose build: 1 or 2.")] = 1,
    at: Annotated[
        list[str] | None,
        Parameter(name="--at", help="Exchange here alone: weapon, items, items.3. Repeatable.", negative=""),
    ] = None,
    only: Annotated[
        list[str] | None,
        Parameter(name="--only", help="Let this alone come in, by its id or name. Repeatable.", negative=""),
    ] = None,
    without: Annotated[
        list[str] | None,
        Parameter(name="--without", help="Never let this come in. Repeatable.", negative=""),
    ] = None,
    at_once: Annotated[
        int,
        Parameter(name="--at-once", help="Try up to so many exchanges at once, 1 to 4."),
    ] = 1,
    among: Annotated[
        int, Parameter(name="--among", help="How many of the best are combined by --at-once, 2 to 40.")
    ] = 12,
    top: Annotated[int, Parameter(name="--top", help="How many lines are shown; 0 shows all.")] = MOST_SHOWN,
    seed: Seed = None,
    profile: Profile = None,
    set_: Sets = None,
    content: Folders = None,
    strict: Strict = False,
    study: StudyOptions = StudyOptions(),
) -> int:
    """Try everything of the content in place of each thing that a build has, and in its empty places; the best first.

    These are items of relics, units of a line-up or an army, members of a party, titans; in line-ups what comes in has
    the tier of what goes. Every exchange is played against the scenario's opponent with the same battles, so that what
    differs is the exchange. --at-once combines the best of them. Ctrl-C ends with what has been tried. JSON has all.

    Try:

        fracas swaps examples/relics/first-duel.toml
        fracas swaps examples/relics/first-duel.toml --side 2 --top 5
        fracas swaps examples/relics/first-duel.toml --at items --at-once 2
        fracas swaps examples/squads/standard-5v5.toml --without scout
    """
    from fracas.lab.studies.swaps import Limits, run_swaps

    limits = Limits(at or (), only or (), without or (), at_once, among)
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
        notice(f"interrupted: {len(found.tried):,} of {found.possible:,} exchanges were tried until then")
    return INTERRUPTED if found.interrupted else DONE


def swap_lines(found: Swaps, shown: int) -> list[Line]:
    """The best exchanges as lines of text."""
    base, place = found.base, found.side - 1
    low, high = base.interval95[place]
    name = found.scenario.ruleset.side_names(found.scenario.document)[place]
    share = f"{base.shares[place]:.2%}"
    said = f"{name} wins {share} as it is" + ("" if base.deterministic else f" ({low:.2%} to {high:.2%})")
    said += f", by {found.margin:+.1f} HP on average; {len(found.tried):,} exchanges tried"
    lines: list[list[Span]] = [[(headline(found.scenario), HEADING)], [(said, ASIDE)], []]
    best = found.tried[:shown]
    head: tuple[str, ...] = ("wins", "gain", "(95%)", "HP", "place", "out", "in", "which does")
    rows = [head, *(_swap_cells(each, place) for each in best)]
    if not any(each.swap.does for each in best):
        rows = [row[:-1] for row in rows]
    table = columns(rows, right=(0, 1, 3))
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
        " + ".join(_place(part) for part in each.swap.place.split(" + ")),
        each.swap.removed or "(empty)",
        each.swap.added,
        textwrap.shorten(each.swap.does, LONGEST_TEXT, placeholder=" …"),
    )


def _place(path: str) -> str:
    """A place without the side that all have in common."""
    first, _, rest = path.partition(".")
    return rest.partition(".")[2] if first in ("sides", "players") and rest else rest or first
