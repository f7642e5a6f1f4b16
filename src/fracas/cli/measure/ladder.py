"""`fracas ladder` and `fracas swaps`: a build against all that the content has."""

from __future__ import annotations

import textwrap
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import (
    chosen_note,
    columns,
    count,
    headline,
    notice,
    print_json,
    print_lines,
    print_warnings,
    results_only,
)
from fracas.cli.shared.parameters import (
    File,
    Folders,
    Format,
    Profile,
    Resume,
    Scheduler,
    Seed,
    Sets,
    Strict,
    Threads,
    Workers,
)
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.scenario_options import load_file
from fracas.errors import UsageError
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HEADING, HELP, PLAIN, Line, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fracas.engine.scenario import Scenario
    from fracas.lab.studies.ladder import Ladder, Rung
    from fracas.lab.studies.swaps import Swaps, Tried

MOST_SHOWN = 20
LONGEST_TEXT = 60
Battles = Annotated[
    int | None, Parameter(name="-n", help="How many battles of each match-up, 1 to 10^9; absent: 1,000.")
]
Tries = Annotated[int | None, Parameter(name="-n", help="How many battles of each exchange, 1 to 10^8; absent: 1,000.")]


def ladder(
    files: Annotated[list[Path], Parameter(help="Scenario files, one or more, whose side 1 takes part.")],
    /,
    *,
    n: Battles = None,
    seed: Seed = None,
    profile: Profile = None,
    set_: Sets = None,
    content: Folders = None,
    strict: Strict = False,
    threads: Threads = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    resume: Resume = None,
    format: Format = "text",
) -> int:
    """Play side 1 of a scenario, or of each of several, against every opponent of the content, from both sides.

    A match-up in which nothing depends on luck is played once, the others -n times, each with the battles 0 to n - 1 of
    the scenario's seed. Ctrl-C ends with the match-ups that are whole.

    Try:

        fracas ladder examples/relics/standard.toml
        fracas ladder examples/relics/standard.toml -n 10000 --profile game
        fracas ladder examples/relics/standard.toml examples/relics/full-shelf.toml
    """
    from fracas.cluster.executors import hands
    from fracas.lab.studies.ladder import climb
    from fracas.lab.studies.overrides import refuse_all

    scenarios: list[Scenario] = []

    def load(file: Path) -> None:
        scenarios.append(
            load_file(file, seed=seed, profile=profile, set_=set_, content=content, plugin=None, strict=strict)
        )

    refuse_all(*(partial(load, file) for file in files))
    print_warnings(dict.fromkeys(each for scenario in scenarios for each in scenario.warnings))
    found: list[Ladder] = []
    with results_only(), hands(threads, workers, scheduler, notice, resume) as crew, ProgressBar("fighting") as bar:
        for scenario in scenarios:
            found.append(climb(scenario, n, content=content or [], threads=crew, steps=bar.update, notice=notice))
            if found[-1].interrupted:
                break
        crew.ended(found[-1])
    if format == "json":
        print_json(found[0].as_json() if len(files) == 1 else together_json(found))
    else:
        print_lines(ladder_lines(found[0]) if len(files) == 1 else together_lines(found))
    last = found[-1]
    if last.interrupted:
        fought = f"{len(last.rungs)} of {last.opponents} opponents were fought until then"
        notice(f"interrupted: {fought}" if len(files) == 1 else f"interrupted in {last.scenario.id}: {fought}")
    return INTERRUPTED if last.interrupted else DONE


def together_json(found: Sequence[Ladder]) -> dict[str, Any]:
    """Several ladders as one document."""
    return {
        "command": "ladders",
        "ladders": [each.as_json() for each in found],
        "interrupted": any(each.interrupted for each in found),
    }


def together_lines(found: Sequence[Ladder]) -> list[Line]:
    """Several ladders as one table: an opponent a line, a build a column, its share of wins over both sides."""
    lines: list[list[Span]] = [[(f"{count(len(found), 'build')} against every opponent", HEADING)]]
    lines += [
        [(f"  {place:>3}  {each.name}, of {headline(each.scenario)}", ASIDE)] for place, each in enumerate(found, 1)
    ]
    lines += [[("  shares of wins over both sides", ASIDE)], []]
    matches = {(rung.match.kind, rung.match.id, rung.match.level): rung.match for each in found for rung in each.rungs}
    won = [{(r.match.kind, r.match.id, r.match.level): sum(r.shares) / 2 for r in each.rungs} for each in found]
    head = ("opponent", "level", *map(str, range(1, len(found) + 1)))
    rows = [
        (
            match.name,
            str(match.level) if match.level is not None else match.kind,
            *(f"{shares[key]:.1%}" if key in shares else "?" for shares in won),
        )
        for key, match in matches.items()
    ]
    means = [sum(shares.values()) / len(shares) if shares else 0.0 for shares in won]
    rows.append(("all of them", "", *(f"{mean:.1%}" for mean in means)))
    roles = [ASIDE, *[PLAIN] * len(matches), EMPHASIS]
    table = columns([head, *rows], right=[1, *range(2, 2 + len(found))])
    lines += [[(f"  {row}", role)] for row, role in zip(table, roles, strict=True)]
    return [Line(0, tuple(spans)) for spans in lines]


def ladder_lines(found: Ladder) -> list[Line]:
    """A ladder as lines of text: an opponent a line, with the build's share of wins from either side."""
    won = sum(all(share > 0.5 for share in rung.shares) for rung in found.rungs)
    opponents = count(len(found.rungs), "opponent")
    said = f"{found.name} against {opponents}; it wins more than half from both sides against {won}"
    note = "shares without an interval are certain: nothing in those battles depends on luck"
    notes: list[list[Span]] = [[(said, ASIDE)]]
    if any(results.deterministic for rung in found.rungs for results in rung.results):
        notes.append([(note, ASIDE)])
    lines: list[list[Span]] = [[(headline(found.scenario), HEADING)], *notes, []]
    head = ("opponent", "level", "left", "(95%)", "right", "(95%)", "rounds")
    table = columns([head, *(_rung_cells(rung) for rung in found.rungs)], right=(1, 2, 4, 6))
    roles = [ASIDE, *(_role(min(rung.shares), max(rung.shares)) for rung in found.rungs)]
    lines += [[(f"  {row}", role)] for row, role in zip(table, roles, strict=True)]
    return [Line(0, tuple(spans)) for spans in lines]


def _rung_cells(rung: Rung) -> tuple[str, ...]:
    level = str(rung.match.level) if rung.match.level is not None else rung.match.kind
    cells = [rung.match.name, level]
    for side, results in enumerate(rung.results):
        low, high = results.interval95[side]
        cells += [f"{results.shares[side]:.1%}", "" if results.deterministic else f"{low:.0%} to {high:.0%}"]
    rounds = sum(results.rounds_mean for results in rung.results) / 2
    return (*cells, f"{rounds:.1f}")


def _role(least: float, most: float) -> str:
    """How a line looks: won from both sides, lost from both, or neither."""
    return HELP if least > 0.5 else HARM if most < 0.5 else PLAIN


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
    threads: Threads = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    resume: Resume = None,
    format: Format = "text",
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
    from fracas.cluster.executors import hands
    from fracas.lab.studies.swaps import Limits, try_swaps

    limits = Limits(at or (), only or (), without or (), at_once, among)
    if top < 0:
        raise UsageError.of("--top", f"{top} is out of range: it must be at least 0")
    scenario = load_file(file, seed=seed, profile=profile, set_=set_, content=content, plugin=None, strict=strict)
    print_warnings(scenario.warnings)
    with results_only(), hands(threads, workers, scheduler, notice, resume) as crew, ProgressBar("trying") as bar:
        found = try_swaps(
            scenario, n, side=side, limits=limits, content=content or [], threads=crew, steps=bar.update, notice=notice
        )
        crew.ended(found)
    if format == "json":
        print_json(found.as_json())
    else:
        print_lines(swap_lines(found, top or len(found.tried)))
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
    head = ("wins", "gain", "(95%)", "HP", "place", "out", "in", "which does")
    table = columns([head, *(_swap_cells(each, place) for each in best)], right=(0, 1, 3))
    roles = [ASIDE, *(HELP if each.gain95[0] > 0 else HARM if each.gain95[1] < 0 else PLAIN for each in best)]
    lines += [[(f"  {row}", role)] for row, role in zip(table, roles, strict=True)]
    lines += chosen_note(len(found.tried), best[0].gain95) if best else []
    return [Line(0, tuple(spans)) for spans in lines]


def _swap_cells(each: Tried, place: int) -> tuple[str, ...]:
    low, high = each.gain95
    return (
        f"{each.results.shares[place]:.1%}",
        f"{100 * each.gain:+.1f}",
        "certain" if low == high else f"{100 * low:+.1f} to {100 * high:+.1f}",
        f"{each.margin:+.1f}",
        " + ".join(_place(part) for part in each.swap.place.split(" + ")),
        each.swap.out or "(empty)",
        each.swap.comes,
        textwrap.shorten(each.swap.does, LONGEST_TEXT, placeholder=" …"),
    )


def _place(path: str) -> str:
    """A place without the side that all have in common."""
    first, _, rest = path.partition(".")
    return rest.partition(".")[2] if first in ("sides", "players") and rest else rest or first
