"""`fracas run`: play one battle and print its story."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import headline, notice, print_json, print_lines, print_warnings, results_only
from fracas.cli.shared.parameters import File
from fracas.cli.shared.scenario_options import BattleOptions, command_line, load_file
from fracas.events.styled_text import ASIDE, Line

Detail = Annotated[
    Literal["story", "decisions", "all"],
    Parameter(name="--detail", help="story; decisions: each choice with its reason; all: all calculations too."),
]


def run(
    file: File,
    /,
    *,
    options: BattleOptions = BattleOptions(),
    detail: Detail = "story",
    format: Annotated[
        Literal["text", "json", "jsonl"], Parameter(name="--format", help="text; json; jsonl: one event per line.")
    ] = "text",
    save: Annotated[
        Path | None, Parameter(name=("--save", "--out"), help="Write a replay that fracas verify can check.")
    ] = None,
) -> int:
    """Play one battle and print its story.

    Try:

        fracas run examples/squads/first-battle.toml
        fracas run examples/squads/first-battle.toml --detail all --seed tuesday
        fracas run examples/squads/first-battle.toml --set sides.0.units.0.attack=40 --save battle.json
    """
    from fracas.engine.battle import check_stream, play_battle

    stream = options.stream
    check_stream(stream, "--stream")
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    with results_only():
        battle = play_battle(scenario, stream, notice=notice, alone=True)
    if save is not None:
        battle.save(save)
    if format == "text":
        print_lines([Line(0, ((f"{headline(scenario)}, battle {stream}", ASIDE),)), *battle.lines(detail)])
    elif format == "json":
        print_json(battle.as_json())
    else:
        for event in battle.events:
            print_json(event.as_json())
        print_json(battle.outcome_json())
    if save is not None:
        notice(f"saved {save}; check it with: {command_line(['verify', save], [('--plugin', options.plugin)])}")
    return DONE
