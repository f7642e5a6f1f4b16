"""`fracas lab variants`: compare named variants with a scenario and rank them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import columns, count, headline, notice, print_result, print_warnings, results_only
from fracas.cli.shared.parameters import Battles, File, Side
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file, load_options_of
from fracas.errors.suggestions import visible
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HEADING, HELP, PLAIN, Line, Span

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario
    from fracas.lab.studies.variant_sets import Ranked, VariantSet
    from fracas.rulesets.contract.types import Override


def variants(
    file: File,
    variant_set: Annotated[Path, Parameter(name="SET", help="A file of variants, TOML or JSON.")],
    /,
    *,
    side: Side = 1,
    n: Battles = None,
    options: ScenarioOptions = ScenarioOptions(),
    study: StudyOptions = StudyOptions(),
) -> int:
    """Play named variants of a scenario with the same dice as the scenario itself, and rank them.

    Each entry of the set has a name and its changes: set (values by path), part (parts of other files), or another
    file. Intervals, verdicts and groups are corrected for all pairs of the set: at most 5% of sets contain a wrong
    one. Ctrl-C ends early and reports the complete variants.

    Try:

        fracas lab variants examples/squads/standard-5v5.toml examples/squads/variants/openings.toml -n 5000
        fracas lab variants examples/squads/standard-5v5.toml examples/squads/variants/openings.toml --side 2 -n 5000
    """
    from fracas.engine.scenario import load_scenario
    from fracas.lab.studies.paired_battles import paired_runs
    from fracas.lab.studies.variant_sets import play_variants, read_variants, title_of

    paired_runs(n, side, study.threads)
    scenario = load_file(file, options)
    load_options = load_options_of(options)

    def load(path: Path, values: Sequence[Override]) -> Scenario:
        return load_scenario(path, **(load_options | {"overrides": values}))

    with results_only():
        named = read_variants(variant_set, scenario, side, load, options.folders)
        title = title_of(variant_set)
    print_warnings(dict.fromkeys((*scenario.warnings, *(each for one in named for each in one.scenario.warnings))))
    with study.open("playing") as (executor, bar):
        found = play_variants(
            scenario, named, n, title=title, side=side, threads=executor, steps=bar.update, notice=notice
        )
        executor.finish_study(found)
    print_result(found, study.format, variant_lines)
    if found.interrupted:
        notice(f"interrupted after {len(found.variants):,} of {found.possible:,} variants")
    return INTERRUPTED if found.interrupted else DONE


def variant_lines(found: VariantSet) -> list[Line]:
    """Format variants as lines of text."""
    name = visible(found.scenario.ruleset.side_names(found.scenario.document)[found.side - 1])
    low, high = found.base.score95
    interval = "" if low == high else f" ({low:.1%} to {high:.1%})"
    battles = count(found.base.results.battles, "battle")
    lines: list[list[Span]] = [
        [(headline(found.scenario), HEADING)],
        [(f"{visible(found.title)}: {count(found.possible, 'variant')} against A, the unchanged scenario", ASIDE)],
        [(f"A: {name} scores {found.base.score:.1%}{interval} in {battles}, group {found.base_group}", ASIDE)],
        [],
    ]
    if found.variants:
        head = ("", "variant", "score", "gain", "95% of all", "p", "group", "than A")
        rows = [_cells(each) for each in found.variants]
        header, *table = columns([head, *rows], right=(0, 2, 3, 4, 5, 6))
        lines.append([(f"  {header}", ASIDE)])
        for row, each in zip(table, found.variants, strict=True):
            lines.append([(f"  {row}", {"better": HELP, "worse": HARM}.get(each.verdict, PLAIN))])
        text = "corrected for all pairs of A and the variants: at most 5% of such tables contain a wrong verdict"
        lines += [[], [(f"  {text}", ASIDE)]]
    else:
        lines.append([("  no variant was played", EMPHASIS)])
    return [Line(0, tuple(spans)) for spans in lines]


def _cells(each: Ranked) -> tuple[str, ...]:
    from fracas.lab.simulation.statistic_rows import CERTAIN

    low, high = each.together95
    return (
        str(each.rank),
        visible(each.name)[:30],
        f"{each.outcome.score:.1%}",
        f"{100 * each.outcome.gain:+.1f}",
        CERTAIN if low == high else f"{100 * low:+.1f} to {100 * high:+.1f}",
        "<0.001" if each.p < 0.001 else f"{each.p:.3f}",
        str(each.group),
        each.verdict,
    )
