"""`fracas lab variants`: compare named variants with a scenario and rank them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.output import print_warnings, results_only
from fracas.cli.shared.parameters import Battles, File, Side
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file, load_options_of

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario
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
    result = study.play("playing", partial(play_variants, scenario, named, n, title=title, side=side))
    return study.show(result, f"{len(result.variants):,} of {result.possible:,} variants")
