"""`fracas find`: the first battle that ends as a condition says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import CHECK_FAILED, DONE, INTERRUPTED
from fracas.cli.shared.output import count, headline, notice, print_result, print_warnings
from fracas.cli.shared.parameters import File
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.events.styled_text import ASIDE, EMPHASIS, HEADING, PLAIN, Line, Span

if TYPE_CHECKING:
    from fracas.lab.studies.find import Found


def find(
    file: File,
    condition: Annotated[
        str,
        Parameter(
            help='Over winner, rounds, hp_left_1, units_left_2 and the ways to end: "winner == 2 and rounds > 9".'
        ),
    ],
    /,
    *,
    limit: Annotated[
        int | None, Parameter(name="--limit", help="How many battles are looked at, 1 to 10^9; absent: 10^6.")
    ] = None,
    start: Annotated[int, Parameter(name="--start", help="The number of the battle to begin with.")] = 0,
    options: ScenarioOptions = ScenarioOptions(),
    study: StudyOptions = StudyOptions(),
    save: Annotated[
        Path | None, Parameter(name=("--save", "--out"), help="Write its replay, as fracas run does.")
    ] = None,
) -> int:
    """Look through the battles of a scenario, from number 0 on, for the first that ends as a condition says.

    The condition is one of the language of strategies, over what a battle comes to: winner (1, 2, or 0 for a draw),
    rounds, hp_left_1, hp_left_2, units_left_1, units_left_2 and the ruleset's other numbers; a way to end, such as
    wiped_out, is true or false by itself. The exit status is 1 if there is none.

    Try:

        fracas find examples/squads/standard-5v5.toml "winner == 2 and hp_left_2 < 5"
        fracas find examples/squads/standard-5v5.toml "cap_equal" --save even.json
        fracas find examples/squads/standard-5v5.toml "units_left_1 == 5 or units_left_2 == 5" --start 1000
    """
    from fracas.files.atomic_write import writable_path
    from fracas.lab.studies.find import find as find_battle

    if save is not None:
        writable_path(save)
    scenario = load_file(file, options)
    print_warnings(scenario.warnings)
    with study.open("searching") as (executor, bar):
        found = find_battle(scenario, condition, limit, start=start, threads=executor, steps=bar.update, notice=notice)
        executor.finish_study(found)
    battle = found.battle
    if battle is not None and save is not None:
        battle.save(save)
    print_result(found, study.format, lambda found: render(found, file))
    if battle is not None and save is not None:
        notice(f"saved {save}; check it with: fracas verify {save}")
    if found.interrupted:
        notice(f"interrupted: {found.searched:,} battles were looked at until then")
        return INTERRUPTED
    return DONE if battle is not None else CHECK_FAILED


def render(found: Found, file: Path) -> list[Line]:
    """What was found, as lines of text."""
    lines: list[list[Span]] = [[(headline(found.scenario), HEADING)]]
    battle = found.battle
    if battle is None:
        looked = f"of {count(found.searched, 'battle')}" if not found.deterministic else "as nothing depends on luck"
        lines.append([(f'none ends with "{found.condition}", {looked}', EMPHASIS)])
        return [Line(0, tuple(spans)) for spans in lines]
    names = found.scenario.ruleset.side_names(found.scenario.document)
    winner = f"won by {names[battle.winner - 1]}" if battle.winner else "a draw"
    was = "was" if found.searched == 1 else "were"
    lines += [
        [
            (f"battle {found.stream:,}", EMPHASIS),
            (f", the first that ends so; {found.searched:,} {was} looked at", ASIDE),
        ],
        [(f"  {winner}, ended by {battle.reason} after {count(battle.rounds, 'round')}", PLAIN)],
    ]
    for name, hp, units in zip(names, battle.hp_left, battle.units_left, strict=True):
        lines.append([(f"  {name} has {hp:,} HP and {units} {'unit' if units == 1 else 'units'} left", PLAIN)])
    lines.append([(f"see it with: fracas run {file} --stream {found.stream}", ASIDE)])
    return [Line(0, tuple(spans)) for spans in lines]
