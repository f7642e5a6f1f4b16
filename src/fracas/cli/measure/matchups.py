"""`fracas lab matchups`: play everyone against everyone and rank them."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.cells import parse_precision
from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.fail_if import fail_status, parse_conditions
from fracas.cli.shared.output import print_warnings, results_only
from fracas.cli.shared.parameters import FailIf
from fracas.cli.shared.scenario_options import JudgedOptions, load_options_of


def matchups(
    files: Annotated[
        list[str],
        Parameter(help="Scenario files; side 1 of each enters, or side 2 with FILE:2. Or one roster file."),
    ],
    /,
    *,
    against: Annotated[
        list[str] | None,
        Parameter(
            name="--against",
            help="Play the files against this one (FILE or FILE:2), not against each other. Repeatable.",
            negative="",
        ),
    ] = None,
    n: Annotated[
        int | None, Parameter(name="-n", help="Battles per match-up, both sides together. Default: 10,000.")
    ] = None,
    precision: Annotated[
        str | None,
        Parameter(name="--precision", help="Play until every match-up's 95% half-width is at most this, such as 0.5%."),
    ] = None,
    fail_if: FailIf = None,
    options: JudgedOptions = JudgedOptions(),
    study: StudyOptions = StudyOptions(),
) -> int:
    """Play everyone against everyone, from both sides and with the same dice, and rank them.

    Shares count points: 1 for a win, 1/2 for a draw. Entrants in one group are statistically tied with its best. The
    mix is the optimal mixed strategy: no entrant scores more than half against it. Cycles are listed if every link is
    significant. With --against, the files are the rows of a table and the opponents its columns. Ctrl-C ends early and
    reports the complete match-ups.

    Try:

        fracas lab matchups examples/squads/standard-5v5.toml examples/squads/standard-5v5.toml:2 -n 2000
        fracas lab matchups examples/squads/rosters/formations.toml -n 200
        fracas lab matchups examples/squads/rosters/formations.toml --precision 2%
        fracas lab matchups examples/squads/rosters/formations.toml -n 200 --fail-if "standings.0.share > 90%"
        fracas lab matchups examples/relics/standard.toml --against examples/relics/full-shelf.toml:2
    """
    from fracas.lab.simulation.simulate import check_amounts
    from fracas.lab.studies.matchups import matchups as play_all
    from fracas.lab.studies.roster import roster_of

    conditions = parse_conditions(fail_if)
    wanted = None if precision is None else parse_precision(precision)
    check_amounts(n, wanted, study.threads)
    with results_only():
        roster = roster_of(files, load_options_of(options), against or ())
    print_warnings(dict.fromkeys(each for entrant in roster.entrants for each in entrant.scenario.warnings))
    result = study.play("playing", partial(play_all, roster, n, precision=wanted))
    if result.interrupted and not result.cells:
        raise KeyboardInterrupt
    status = study.show(result, f"{len(result.cells)} of {len(result.roster.pairs)} match-ups")
    return status or fail_status(conditions, result.as_json(), strict=options.strict)
