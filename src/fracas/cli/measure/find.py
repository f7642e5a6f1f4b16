"""`fracas lab find`: find the first battle whose outcome meets a condition."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import CHECK_FAILED, DONE, INTERRUPTED
from fracas.cli.shared.output import notice, print_warnings, say
from fracas.cli.shared.parameters import File
from fracas.cli.shared.results import print_findings
from fracas.cli.shared.scenario_options import ScenarioOptions, command_line, given, load_file


def find(
    file: File,
    condition: Annotated[
        str,
        Parameter(
            help='A condition on winner, rounds, hp_left_1, units_left_2 or endings: "winner == 2 and rounds > 9".'
        ),
    ],
    /,
    *,
    limit: Annotated[
        int | None, Parameter(name="--limit", help="Most battles to search, 1 to 10^9. Default: 10^6.")
    ] = None,
    start: Annotated[int, Parameter(name="--start", help="Number of the first battle to search.")] = 0,
    options: ScenarioOptions = ScenarioOptions(),
    study: StudyOptions = StudyOptions(),
    save: Annotated[
        Path | None, Parameter(name=("--save", "--out"), help="Write a replay of the battle that was found.")
    ] = None,
) -> int:
    """Search the battles of a scenario for the first whose outcome meets a condition.

    The condition uses the language of strategies, with facts about the outcome: winner (1, 2, or 0 for a draw), rounds,
    hp_left_1, hp_left_2, units_left_1, units_left_2 and the ruleset's own numbers. An ending, such as wiped_out, is
    true or false by itself. Exit status 1 if no battle matches.

    Try:

        fracas lab find examples/squads/standard-5v5.toml "winner == 2 and hp_left_2 < 5"
        fracas lab find examples/squads/standard-5v5.toml "cap_equal" --save even.json
        fracas lab find examples/squads/standard-5v5.toml "units_left_1 == 5 or units_left_2 == 5" --start 1000
    """
    from fracas.files.atomic_write import writable_path
    from fracas.lab.studies.find import find as find_battle

    if save is not None:
        writable_path(save)
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    result = study.play("searching", partial(find_battle, scenario, condition, limit, start=start))
    battle = result.battle
    if battle is not None and save is not None:
        battle.save(save)
    print_findings(result, study.format)
    if battle is not None and study.format == "text":
        see = command_line(["run", file], [("--stream", result.stream), *given(options)])
        say(f"to see it: {see}")
    if battle is not None and save is not None:
        notice(f"saved {save}; check it with: {command_line(['verify', save], [('--plugin', options.plugin)])}")
    if result.interrupted:
        notice(f"interrupted after {result.searched:,} battles")
        return INTERRUPTED
    return DONE if battle is not None else CHECK_FAILED
