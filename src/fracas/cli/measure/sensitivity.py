"""`fracas lab sensitivity`: measure what one more point of each stat is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.cells import gain_cells, outcome_role, parse_cost
from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import chosen_note, columns, count, headline, notice, print_result, print_warnings
from fracas.cli.shared.parameters import Battles, File, Side
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.events.styled_text import ASIDE, HARM, HEADING, HELP, PLAIN, Line, Span

if TYPE_CHECKING:
    from fracas.lab.studies.sensitivity import Sensitivity, StatEffect

BAR_WIDTH = 12


def sensitivity(
    file: File,
    /,
    *,
    side: Side = 1,
    step: Annotated[float, Parameter(name="--step", help="Points to add to each stat; negative to subtract.")] = 1,
    cost: Annotated[
        list[str] | None,
        Parameter(
            name="--cost",
            help="Cost of one point of a stat, as in attack=3; others cost 1. Ranks by gain per cost. Repeatable.",
            negative="",
        ),
    ] = None,
    pairs: Annotated[
        int, Parameter(name="--pairs", help="Also try pairs of this many of the best stats, 2 to 40.")
    ] = 0,
    n: Battles = None,
    options: ScenarioOptions = ScenarioOptions(),
    study: StudyOptions = StudyOptions(),
) -> int:
    """Raise each stat of each unit of a side by one, one at a time, and rank the stats by how much more the side wins.

    All variants use the same dice as the unchanged scenario. Stats at the end of their range are skipped and listed.
    With --cost, stats are ranked by gain per unit of cost. --pairs shows which stats are worth more together than the
    sum of both. Ctrl-C ends early and reports the complete stats.

    Try:

        fracas lab sensitivity examples/squads/standard-5v5.toml -n 2000
        fracas lab sensitivity examples/squads/standard-5v5.toml --side 2 --step 5 -n 2000
        fracas lab sensitivity examples/squads/standard-5v5.toml --cost attack=3 --cost speed=5 --pairs 4 -n 2000
    """
    from fracas.lab.studies.sensitivity import check_pairs, check_step
    from fracas.lab.studies.sensitivity import sensitivity as try_stats

    check_step(step)
    check_pairs(pairs, n)
    costs = dict(parse_cost(text, "STAT", "attack=3") for text in cost or [])
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
        notice(f"interrupted after {done:,} of {found.possible:,} stats")
    return INTERRUPTED if found.interrupted else DONE


def render(found: Sensitivity) -> list[Line]:
    """Format the gain of each stat as lines of text."""
    name = found.scenario.ruleset.side_names(found.scenario.document)[found.side - 1]
    base = found.base
    low, high = base.score95
    interval = "" if low == high else f" ({low:.1%} to {high:.1%})"
    battles = count(base.results.battles, "battle")
    lines: list[list[Span]] = [
        [(headline(found.scenario), HEADING)],
        [(f"{name} scores {base.score:.1%}{interval} in {battles}; all rows use the same battles", ASIDE)],
        [],
    ]
    if found.stats:
        # A bar for a gain that may be nothing would look like a finding.
        most = max((abs(each.per_point) for each in found.stats if _is_certain(each)), default=0)
        rows = [
            (
                each.stat.owner,
                each.stat.name,
                f"{each.stat.value:,} to {each.tried:,}",
                *gain_cells(each.outcome),
                *([f"{100 * each.per_point:+.2f}"] if found.costs else []),
                "█" * round(BAR_WIDTH * abs(each.per_point) / most) if most and _is_certain(each) else "",
            )
            for each in found.stats
        ]
        head = ("unit", "stat", "from", "gain", "95% interval", *(["per cost"] if found.costs else []), "")
        header, *table = columns([head, *rows], right=range(2, len(head) - 1))
        lines.append([(f"  {header}", ASIDE)])
        lines += [[(f"  {row}", outcome_role(each.outcome))] for row, each in zip(table, found.stats, strict=True)]
        lines += chosen_note(len(found.stats), found.stats[0].outcome.gain95)
    lines += _pairs(found)
    for each in found.skipped:
        lines.append([(f"  {each.stat.owner}: {each.stat.name} {each.stat.value:,} skipped: {each.reason}", ASIDE)])
    return [Line(0, tuple(spans)) for spans in lines]


def _is_certain(worth: StatEffect) -> bool:
    """Whether the interval of a stat's gain excludes nothing."""
    low, high = worth.outcome.gain95
    return low > 0 or high < 0


def _pairs(found: Sensitivity) -> list[list[Span]]:
    """Format pairs of stats: their gain together, and how much it exceeds the sum of both gains."""
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
