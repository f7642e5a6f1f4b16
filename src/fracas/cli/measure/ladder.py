"""`fracas lab ladder`: play a build against every opponent in the content."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import notice, print_warnings
from fracas.cli.shared.results import print_findings
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario
    from fracas.lab.studies.ladder_result import Ladder

# The whole ladder of the shipped content.
MOST_OPPONENTS = 200
Battles = Annotated[int | None, Parameter(name="-n", help="Battles per match-up, 1 to 10^9. Default: 1,000.")]


def ladder(
    files: Annotated[list[Path], Parameter(help="One or more scenario files; side 1 of each is played.")],
    /,
    *,
    n: Battles = None,
    options: ScenarioOptions = ScenarioOptions(),
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
    from fracas.lab.studies.ladder_result import Ladders

    scenarios: list[Scenario] = []

    def load(file: Path) -> None:
        scenarios.append(load_file(file, options))

    run_checks(*(partial(load, file) for file in files))
    print_warnings(dict.fromkeys(each for scenario in scenarios for each in scenario.warnings))
    ladders: list[Ladder] = []
    with study.open("fighting") as (executor, bar):
        for scenario in scenarios:
            ladders.append(
                run_ladder(scenario, n, content=options.folders, threads=executor, steps=bar.update, notice=notice)
            )
            if ladders[-1].interrupted:
                break
        executor.finish_study(ladders[-1])
    last = ladders[-1]
    result = (
        last
        if len(files) == 1
        else Ladders(ruleset=ladders[0].ruleset, ladders=ladders, interrupted=any(each.interrupted for each in ladders))
    )
    print_findings(result, study.format, most=MOST_OPPONENTS)
    if last.interrupted:
        progress = f"after {len(last.rungs)} of {last.opponents} opponents"
        notice(f"interrupted {progress}" if len(files) == 1 else f"interrupted in {last.scenario} {progress}")
    return INTERRUPTED if last.interrupted else DONE
