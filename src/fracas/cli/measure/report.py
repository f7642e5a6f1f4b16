"""`fracas report`: write results to one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.execution_options import ExecutorOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.game_modules import build_for_page
from fracas.cli.shared.output import notice, print_result
from fracas.cli.shared.parameters import Format
from fracas.cli.shared.scenario_options import ScenarioOptions, command_line, given, load_options_of
from fracas.events.styled_text import ASIDE, EMPHASIS, PLAIN, Line

Sources = Annotated[
    list[Path], Parameter(help="Scenario files, and results saved from other commands with --format json.")
]


def report(
    files: Sources,
    /,
    *,
    out: Annotated[Path, Parameter(name=("--out", "--save"), help="The HTML file to write.")],
    n: Annotated[
        int | None,
        Parameter(name="-n", help="Battles per scenario, and at most so many rollouts per round. Default: 10,000."),
    ] = None,
    side: Annotated[int, Parameter(name="--side", help="The side whose score is compared: 1 or 2.")] = 1,
    stream: Annotated[
        int | None,
        Parameter(name="--stream", help="The battle to explain. Default: the first that the weaker side loses."),
    ] = None,
    battles: Annotated[
        bool,
        Parameter(name="--battles", negative="--no-battles", help="Show battles to watch; without, no script."),
    ] = True,
    options: ScenarioOptions = ScenarioOptions(),
    players: ExecutorOptions = ExecutorOptions(),
    format: Format = "text",
) -> int:
    """Write one HTML file about scenarios and results, with charts, tables, inputs, versions and the command.

    The file works offline, on desktops and phones. Scenario files are simulated and explained; if there are two, they
    are compared. The typical battle, the luckiest win of either side and the turning point play on the page. Saved JSON
    results are shown unchanged. The same inputs give the same file.

    Try:

        fracas report examples/squads/coin-toss.toml -n 500 --out report.html
        fracas report examples/squads/coin-toss.toml --stream 3 -n 200 --set sides.0.units.0.attack=45 --out 45.html
    """
    from fracas.lab.presentation.data_frames import require_library
    from fracas.reports.build import build, check_out

    require_library("altair", "vl_convert", "jinja2")
    check_out(out, files)
    settled = [
        ("-n", n),
        ("--side", None if side == 1 else side),
        ("--stream", stream),
        ("--no-battles", not battles),
        *given(options),
        ("--out", out),
    ]
    with (
        players.open("reporting") as (executor, progress),
    ):
        page = build(
            files,
            n=n,
            side=side,
            stream=stream,
            battles=battles,
            threads=executor,
            steps=progress.update,
            notice=notice,
            command=command_line(["report", *files], settled),
            **load_options_of(options),
        )
        for ruleset in dict.fromkeys(each.battle.scenario.ruleset for each in page.content.watched):
            build_for_page(ruleset)
        page.save(out)
    print_result(page, format, lambda page: _summary_lines(page.summary, page.content.missing))
    notice(f"wrote {out}{', incomplete because of the interrupt' if page.interrupted else ''}")
    return INTERRUPTED if page.interrupted else DONE


def _summary_lines(summary: Sequence[str], missing: Sequence[str]) -> list[Line]:
    """Format the summary as lines of text."""
    lines = [Line(0, ((sentence, EMPHASIS if not number else PLAIN),)) for number, sentence in enumerate(summary)]
    return [*lines, *(Line(0, ((f"missing: {sentence}", ASIDE),)) for sentence in missing)]
