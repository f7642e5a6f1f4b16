"""`fracas ladder` and `fracas swaps`: a build against all that the content has."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.loading import load_file
from fracas.cli.options import File, Folders, Format, Profile, Resume, Scheduler, Seed, Sets, Strict, Threads, Workers
from fracas.cli.progress import ProgressBar
from fracas.cli.show import (
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
from fracas.cli.statuses import DONE, INTERRUPTED
from fracas.errors import InputError
from fracas.events.narration import ASIDE, HARM, HEADING, HELP, PLAIN, Line, Span

if TYPE_CHECKING:
    from fracas.lab.ladder import Ladder, Rung
    from fracas.lab.swaps import Swaps, Tried

MOST_SHOWN = 20
LONGEST_TEXT = 60
Battles = Annotated[
    int | None, Parameter(name="-n", help="How many battles of each match-up, 1 to 10^9; absent: 1,000.")
]
Tries = Annotated[int | None, Parameter(name="-n", help="How many battles of each exchange, 1 to 10^8; absent: 1,000.")]


def ladder(
    file: File,
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
    """Play side 1 of a scenario against every opponent of the content, from both sides.

    A match-up in which nothing depends on luck is played once, the others -n times, each with the battles 0 to n - 1 of
    the scenario's seed. Ctrl-C ends with the match-ups that are whole.

    Try:

        fracas ladder examples/relics/standard.toml
        fracas ladder examples/relics/standard.toml -n 10000 --profile game
    """
    from fracas.cluster.hands import hands
    from fracas.lab.ladder import climb

    scenario = load_file(file, seed=seed, profile=profile, set_=set_, content=content, plugin=None, strict=strict)
    print_warnings(scenario.warnings)
    with results_only(), hands(threads, workers, scheduler, notice, resume) as crew, ProgressBar("fighting") as bar:
        found = climb(scenario, n, content=content or [], threads=crew, steps=bar.update, notice=notice)
        crew.ended(found)
    if format == "json":
        print_json(found.as_json())
    else:
        print_lines(ladder_lines(found))
    if found.interrupted:
        notice(f"interrupted: {len(found.rungs)} of {found.opponents} opponents were fought until then")
    return INTERRUPTED if found.interrupted else DONE


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
    head = ("opponent", "level", "left", "(95 %)", "right", "(95 %)", "rounds")
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

    Every exchange is played against the scenario's opponent with the same battles, so that what differs is the
    exchange. Ctrl-C ends with what has been tried. JSON has all of them.

    Try:

        fracas swaps examples/relics/first-duel.toml
        fracas swaps examples/relics/first-duel.toml --side 2 --top 5
    """
    from fracas.cluster.hands import hands
    from fracas.lab.swaps import try_swaps

    if top < 0:
        raise InputError.of("--top", f"{top} is out of range: it must be at least 0")
    scenario = load_file(file, seed=seed, profile=profile, set_=set_, content=content, plugin=None, strict=strict)
    print_warnings(scenario.warnings)
    with results_only(), hands(threads, workers, scheduler, notice, resume) as crew, ProgressBar("trying") as bar:
        found = try_swaps(scenario, n, side=side, content=content or [], threads=crew, steps=bar.update, notice=notice)
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
    head = ("wins", "gain", "(95 %)", "HP", "place", "out", "in", "which does")
    table = columns([head, *(_swap_cells(each, place) for each in best)], right=(0, 1, 3))
    roles = [ASIDE, *(HELP if each.gain95[0] > 0 else HARM if each.gain95[1] < 0 else PLAIN for each in best)]
    lines += [[(f"  {row}", role)] for row, role in zip(table, roles, strict=True)]
    lines += chosen_note(len(found.tried), best[0].gain95) if best else []
    return [Line(0, tuple(spans)) for spans in lines]


def _swap_cells(each: Tried, place: int) -> tuple[str, ...]:
    low, high = each.gain95
    return (
        f"{each.results.shares[place]:.1%}",
        f"{each.gain:+.1%}",
        "certain" if low == high else f"{low:+.0%} to {high:+.0%}",
        f"{each.margin:+.1f}",
        each.swap.place.partition(".")[2],
        each.swap.out or "(empty)",
        each.swap.comes,
        textwrap.shorten(each.swap.does, LONGEST_TEXT, placeholder=" …"),
    )
