"""`fracas sensitivity`: what one more of each stat is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.cells import gain_cells, outcome_role
from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import chosen_note, columns, count, headline, notice, print_result, print_warnings
from fracas.cli.shared.parameters import Battles, File, Side
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.errors import InputError
from fracas.events.styled_text import ASIDE, HARM, HEADING, HELP, PLAIN, Line, Span

if TYPE_CHECKING:
    from fracas.lab.studies.sensitivity import Sensitivity

BAR_WIDTH = 12


def sensitivity(
    file: File,
    /,
    *,
    side: Side = 1,
    step: Annotated[float, Parameter(name="--step", help="How many more of each stat; below 0: how many fewer.")] = 1,
    cost: Annotated[
        list[str] | None,
        Parameter(
            name="--cost",
            help="What one more of a stat costs, e.g. attack=3; others cost 1. Ranks by gain per point. Repeatable.",
            negative="",
        ),
    ] = None,
    pairs: Annotated[
        int, Parameter(name="--pairs", help="Raise so many of the best stats two at a time besides, 2 to 40.")
    ] = 0,
    n: Battles = None,
    options: ScenarioOptions = ScenarioOptions(),
    study: StudyOptions = StudyOptions(),
) -> int:
    """Raise each stat of each unit of a side by one, one at a time, and say how much more it wins; the best first.

    All variants have the same dice as the scenario as it is. Stats at the end of their range are skipped, and listed.
    With --cost stats are ranked by what a point of a budget brings. --pairs says which stats are worth more together
    than both alone. Ctrl-C ends with the stats that are whole.

    Try:

        fracas sensitivity examples/squads/standard-5v5.toml -n 2000
        fracas sensitivity examples/squads/standard-5v5.toml --side 2 --step 5 -n 2000
        fracas sensitivity examples/squads/standard-5v5.toml --cost attack=3 --cost speed=5 --pairs 4 -n 2000
    """
    from fracas.lab.studies.sensitivity import check_pairs, check_step
    from fracas.lab.studies.sensitivity import sensitivity as try_stats

    check_step(step)
    check_pairs(pairs, n)
    costs = dict(_cost(text) for text in cost or [])
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    whole = int(step) if step == int(step) else step
    with study.open("trying") as (executor, progress):
        found = try_stats(
            scenario,
            n,
            side=side,
            step=whole,
            costs=costs,
            pairs=pairs,
            threads=executor,
            steps=progress.update,
            notice=notice,
        )
        executor.finish_study(found)
    print_result(found, study.format, render)
    if found.interrupted:
        done = len(found.stats) + len(found.skipped)
        notice(f"interrupted: {done:,} of {found.possible:,} stats were tried until then")
    return INTERRUPTED if found.interrupted else DONE


def _cost(text: str) -> tuple[str, float]:
    """`attack=3` as a stat's name and what it costs.

    Raises:
        InputError: it has another form.
    """
    name, _, number = text.partition("=")
    try:
        return name.strip(), float(number)
    except ValueError:
        raise InputError.of(f"--cost {text}", "is not of the form STAT=POINTS", "write attack=3") from None


def render(found: Sensitivity) -> list[Line]:
    """What stats are worth, as lines of text."""
    name = found.scenario.ruleset.side_names(found.scenario.document)[found.side - 1]
    base = found.base
    low, high = base.score95
    interval = "" if low == high else f" ({low:.1%} to {high:.1%})"
    battles = count(base.results.battles, "battle")
    lines: list[list[Span]] = [
        [(headline(found.scenario), HEADING)],
        [(f"{name} scores {base.score:.1%}{interval} in {battles}, the same in all rows", ASIDE)],
        [],
    ]
    if found.stats:
        most = max(abs(each.per_point) for each in found.stats)
        rows = [
            (
                each.stat.owner,
                each.stat.name,
                f"{each.stat.value:,} to {each.tried:,}",
                *gain_cells(each.outcome),
                *([f"{100 * each.per_point:+.2f}"] if found.costs else []),
                "█" * round(BAR_WIDTH * abs(each.per_point) / most) if most else "",
            )
            for each in found.stats
        ]
        head = ("unit", "stat", "from", "gain", "95% interval", *(["a point"] if found.costs else []), "")
        header, *table = columns([head, *rows], right=range(2, len(head) - 1))
        lines.append([(f"  {header}", ASIDE)])
        lines += [[(f"  {row}", outcome_role(each.outcome))] for row, each in zip(table, found.stats, strict=True)]
        lines += chosen_note(len(found.stats), found.stats[0].outcome.gain95)
    lines += _pairs(found)
    for each in found.skipped:
        lines.append([(f"  {each.stat.owner}: {each.stat.name} {each.stat.value:,} is left out: {each.reason}", ASIDE)])
    return [Line(0, tuple(spans)) for spans in lines]


def _pairs(found: Sensitivity) -> list[list[Span]]:
    """Stats that were raised together: what both bring, and how much that is beyond what either brings alone."""
    from fracas.lab.simulation.statistic_rows import CERTAIN

    if not found.pairs:
        return []
    rows = []
    for each in found.pairs:
        low, high = each.synergy95
        reach = CERTAIN if low == high else f"{100 * low:+.1f} to {100 * high:+.1f}"
        names = [f"{worth.stat.owner}: {worth.stat.name}" for worth in (each.one, each.other)]
        rows.append((" + ".join(names), *gain_cells(each.outcome)[:1], f"{100 * each.synergy:+.1f}", reach))
    header, *table = columns([("two together", "gain", "beyond both", "95% interval"), *rows], right=(1, 2, 3))
    roles = [HELP if each.synergy95[0] > 0 else HARM if each.synergy95[1] < 0 else PLAIN for each in found.pairs]
    return [[], [(f"  {header}", ASIDE)], *([(f"  {row}", role)] for row, role in zip(table, roles, strict=True))]
