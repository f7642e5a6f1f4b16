"""`fracas game check`: play random scenarios of a game in every way there is, and tell what does not hold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import CHECK_FAILED, DONE
from fracas.cli.shared.output import print_result, results_only
from fracas.cli.shared.parameters import Format
from fracas.cli.shared.progress_bar import ProgressBar


def check(
    file: Annotated[Path, Parameter(help="The game's Python file. The file is run.")],
    /,
    *,
    n: Annotated[int | None, Parameter(name="-n", help="How many random scenarios, 1 to 10,000. Default: 60.")] = None,
    module: Annotated[
        bool,
        Parameter(name="--module", negative="--no-module", help="Also build and compare the WebAssembly module."),
    ] = True,
    format: Format = "text",
) -> int:
    """Check the rules of a game of your own: play random scenarios in every way there is, and tell what does not hold.

    Scenarios are drawn from the declared bounds, the same for the same -n. A line for each check says what was counted:
    plain Python, compiled code and the WebAssembly module play the same rows; every battle ends; no dice are opened
    twice; numbers fit; snapshots resume; choices are open and act; hidden State stays hidden; stories can be told;
    exact odds agree with simulation. Exit status 0: all passed; 1: a check failed; 2: the file is wrong.

    Try:

        fracas game check pets.py
        fracas game check pets.py -n 1000 --format json
    """
    from fracas.gamecheck.run import DEFAULT_SCENARIOS, check_file

    with results_only(), ProgressBar("Checking") as bar:
        found = check_file(file, DEFAULT_SCENARIOS if n is None else n, watch=bar.update, module=module)
    print_result(found, format, lambda report: report.lines())
    return CHECK_FAILED if found.failed else DONE
