"""`fracas lab ladder`: play a build against every opponent in the content."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import columns, count, headline, notice, print_json, print_lines, print_warnings
from fracas.cli.shared.parameters import Folders, Profile, Seed, Sets, Strict
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HEADING, HELP, PLAIN, Line, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fracas.engine.scenario import Scenario
    from fracas.lab.studies.ladder import Ladder, Rung

Battles = Annotated[int | None, Parameter(name="-n", help="Battles per match-up, 1 to 10^9. Default: 1,000.")]


def ladder(
    files: Annotated[list[Path], Parameter(help="One or more scenario files; side 1 of each is played.")],
    /,
    *,
    n: Battles = None,
    seed: Seed = None,
    profile: Profile = None,
    set_: Sets = None,
    content: Folders = None,
    strict: Strict = False,
    study: StudyOptions = StudyOptions(),
) -> int:
    """Play side 1 of one or more scenarios against every opponent in the content, from both sides.

    A match-up in which nothing depends on luck is played once; the others play battles 0 to n - 1 under the scenario's
    seed. Ctrl-C ends early and reports the complete match-ups.

    Try:

        fracas lab ladder examples/relics/standard.toml
        fracas lab ladder examples/relics/standard.toml -n 10000 --profile game
        fracas lab ladder examples/relics/standard.toml examples/relics/full-shelf.toml
    """
    from fracas.lab.execution.checks import run_checks
    from fracas.lab.studies.ladder import run_ladder

    options = ScenarioOptions(seed, profile, set_, content, strict=strict)
    scenarios: list[Scenario] = []

    def load(file: Path) -> None:
        scenarios.append(load_file(file, options))

    run_checks(*(partial(load, file) for file in files))
    print_warnings(dict.fromkeys(each for scenario in scenarios for each in scenario.warnings))
    found: list[Ladder] = []
    with study.open("fighting") as (executor, bar):
        for scenario in scenarios:
            played = run_ladder(scenario, n, content=options.folders, threads=executor, steps=bar.update, notice=notice)
            found.append(played)
            if found[-1].interrupted:
                break
        executor.finish_study(found[-1])
    if study.format == "json":
        print_json(found[0].as_json() if len(files) == 1 else together_json(found))
    else:
        print_lines(ladder_lines(found[0]) if len(files) == 1 else together_lines(found))
    last = found[-1]
    if last.interrupted:
        progress = f"after {len(last.rungs)} of {last.opponents} opponents"
        notice(f"interrupted {progress}" if len(files) == 1 else f"interrupted in {last.scenario.id} {progress}")
    return INTERRUPTED if last.interrupted else DONE


def together_json(found: Sequence[Ladder]) -> dict[str, Any]:
    """Combine several ladders in one JSON document."""
    return {
        "command": "ladders",
        "ruleset": found[0].scenario.ruleset.name,
        "ladders": [each.as_json() for each in found],
        "interrupted": any(each.interrupted for each in found),
    }


def together_lines(found: Sequence[Ladder]) -> list[Line]:
    """Format several ladders as one table of shares of wins: a line per opponent, a column per build."""
    lines: list[list[Span]] = [[(f"{count(len(found), 'build')} against every opponent", HEADING)]]
    lines += [
        [(f"  {place:>3}  {each.name}, from {headline(each.scenario)}", ASIDE)] for place, each in enumerate(found, 1)
    ]
    lines += [[("  shares of wins, both sides together", ASIDE)], []]
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
    rows.append(("all", "", *(f"{mean:.1%}" for mean in means)))
    roles = [ASIDE, *[PLAIN] * len(matches), EMPHASIS]
    table = columns([head, *rows], right=[1, *range(2, 2 + len(found))])
    lines += [[(f"  {row}", role)] for row, role in zip(table, roles, strict=True)]
    return [Line(0, tuple(spans)) for spans in lines]


def ladder_lines(found: Ladder) -> list[Line]:
    """Format a ladder: a line per opponent, with the build's share of wins from either side."""
    from fracas.lab.statistics.intervals import FEW_NOTE, has_few

    won = sum(all(share > 0.5 for share in rung.shares) for rung in found.rungs)
    opponents = count(len(found.rungs), "opponent")
    text = f"{found.name} against {opponents}; it wins more than half from both sides against {won}"
    note = "shares without an interval are certain: nothing in those battles depends on luck"
    notes: list[list[Span]] = [[(text, ASIDE)]]
    if any(results.deterministic for rung in found.rungs for results in rung.results):
        notes.append([(note, ASIDE)])
    played = [
        (results.wins[side], results.battles)
        for rung in found.rungs
        for side, results in enumerate(rung.results)
        if not results.deterministic
    ]
    if any(has_few(wins, battles) for wins, battles in played):
        notes.append([(FEW_NOTE, ASIDE)])
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
    """Choose a line's colour: won from both sides, lost from both, or neither."""
    return HELP if least > 0.5 else HARM if most < 0.5 else PLAIN
