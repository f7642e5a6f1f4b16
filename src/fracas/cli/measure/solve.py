"""`fracas lab solve`: solve a duel with hidden choices: its value and the best play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, notice, print_json, print_lines, print_warnings
from fracas.cli.shared.parameters import File, Folders, Format, Profile, Sets, Strict, Threads
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.cli.shared.titans_arguments import player_place, refuse_for_games, refuse_other_rulesets
from fracas.events.styled_text import ASIDE, HEADING, PLAIN, SIDE_1, SIDE_2, Line, Span

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario
    from fracas.lab.exact.hidden_choices import SolvedChoices
    from fracas.rulesets.titans.analysis.solution import Solution

SIDES = (SIDE_1, SIDE_2)


def solve(
    file: File,
    /,
    *,
    state: Annotated[
        list[str] | None,
        Parameter(name="--state", help="Change the situation, as in players.0.hp=12. Repeatable."),
    ] = None,
    states: Annotated[
        int | None, Parameter(name="--states", help="Approximate number of states in the finer grid. Default: 400000.")
    ] = None,
    out: Annotated[
        Path | None, Parameter(name=("--out", "--save"), help="Write the solved policy to this .json file.")
    ] = None,
    player: Annotated[
        str | None, Parameter(name="--player", help="The player whose policy is written. Default: the first.")
    ] = None,
    profile: Profile = None,
    set_: Sets = None,
    content: Folders = None,
    strict: Strict = False,
    threads: Threads = None,
    format: Format = "text",
) -> int:
    """Solve a duel for the best play of both sides: the value of every pair of choices, the best mixes, the value.

    A game of your own in which both sides choose at once is solved over all of its states, at most 200,000; the last
    line proves the mixes by the best answers to them. --state, --states, --player and --out are for titans.

    A duel of titans is solved backwards from its last round over a grid of states. A coarser grid estimates the error;
    if both grids are the same, the error is unknown and you need more --states. The command also measures the
    exploitability of the policies in the file: how much more their best opponent wins than the value. A scenario can
    use the written policy: policy = "solved.json".

    Try:

        fracas lab solve examples/titans/standard.toml
        fracas lab solve examples/titans/standard.toml --state players.0.hp=12 --state players.0.charge=50
        fracas lab solve examples/titans/standard.toml --player Bo --out solved.json
        fracas lab solve examples/games/roshambo/scenarios/first.toml --game examples/games/roshambo/roshambo.py
    """
    from fracas.engine.overrides import parse_override
    from fracas.files.atomic_write import writable_path, write_atomic
    from fracas.lab.execution.thread_executor import thread_count
    from fracas.lab.simulation.simulate import check_amounts
    from fracas.rulesets.titans.analysis.solution import FINE_STATES, solve_duel

    check_amounts(None, None, threads)
    scenario = load_file(file, ScenarioOptions(None, profile, set_, content, strict=strict))
    if scenario.ruleset.rules_hash:
        given = {"--state": state, "--states": states, "--player": player, "--out": out}
        refuse_for_games(scenario, given)
        print_warnings(scenario.warnings)
        return _solve_game(scenario, format)
    refuse_other_rulesets(scenario, str(file))
    print_warnings(scenario.warnings)
    wanted = [player_place(scenario, player)] if out is not None or player is not None else []
    if out is not None:
        writable_path(out)
    with ProgressBar("solving") as progress:
        found = solve_duel(
            scenario.compiled,
            scenario.document,
            [parse_override(text, "--state") for text in state or []],
            states=FINE_STATES if states is None else states,
            tables=wanted if out is not None else (),
            threads=thread_count(threads),
            notice=notice,
            steps=progress.update,
        )
    if out is not None:
        write_atomic(out, json.dumps(found.tables[wanted[0]]).encode() + b"\n")
    if format == "json":
        print_json({**heading_json(scenario), **found.as_json()})
    else:
        print_lines(render(scenario, found))
    if out is not None:
        name = scenario.document["players"][wanted[0]]["name"]
        notice(f'wrote the policy of {name} to {out}; to use it in a scenario beside it: policy = "{out.name}"')
    return DONE


def _solve_game(scenario: Scenario, format: str) -> int:
    """Solve a game in which both sides choose at once, and print it."""
    from fracas.lab.exact.hidden_choices import solve_choices

    with ProgressBar("solving") as progress:
        solved = solve_choices(scenario, steps=progress.update)
    if format == "json":
        print_json({**heading_json(scenario), **solved.as_json()})
    else:
        print_lines(_game_lines(scenario, solved))
    return DONE


def _game_lines(scenario: Scenario, solved: SolvedChoices) -> list[Line]:
    """Format a solved game as lines of text."""
    plain = solved.as_json()
    first, second = (str(side["name"]) for side in scenario.document["sides"])
    table = columns(
        [("", *plain["choices"][1])]
        + [
            (choice, *(f"{chance:.1%}" for chance in chances))
            for choice, chances in zip(plain["choices"][0], plain["matrix"], strict=True)
        ],
        right=tuple(range(1, len(plain["choices"][1]) + 1)),
    )
    mixes = columns(
        [
            (name, ", ".join(f"{choice} {share:.1%}" for choice, share in zip(own, mix, strict=True) if share > 0.0005))
            for name, own, mix in zip((first, second), plain["choices"], plain["mixes"], strict=True)
        ]
    )
    lines: list[list[Span]] = [
        [(f"{scenario.id}: {scenario.ruleset.name}, profile {scenario.profile}, solved", HEADING)],
        [("round 1", ASIDE)],
    ]
    if len(solved.starts) > 1:
        likely = f"the likeliest of {len(solved.starts):,} ways to begin, {max(solved.starts):.1%}"
        lines.append([(f"matrix and mixes are those of {likely}", ASIDE)])
    title = f"{first}'s chance to win, by {first}'s choice (rows) and {second}'s (columns)"
    lines += [[], [(title, ASIDE)], *([(f"  {row}", PLAIN)] for row in table)]
    lines += [[], [("the best mixes", ASIDE)]]
    lines += [[(f"  {row}", role)] for row, role in zip(mixes, SIDES, strict=True)]
    value = f"value: {first} wins {solved.value:.2%}, {second} {1 - solved.value:.2%} (a draw is half a win)"
    checked = f"checked: the best answers to both mixes, over the whole game, gain {solved.exploitability:.4%} together"
    lines += [[], [(value, HEADING)], [(f"  every one of {solved.states:,} states is solved", ASIDE)]]
    lines.append([(f"  {checked}", ASIDE)])
    return [Line(0, tuple(spans)) for spans in lines]


def heading_json(scenario: Scenario) -> dict[str, Any]:
    """The solved scenario's id, profile and players as plain values."""
    return {
        "ruleset": scenario.ruleset.name,
        "rules_version": scenario.ruleset.rules_version,
        "scenario": scenario.id,
        "profile": scenario.profile,
        "content_fingerprint": scenario.fingerprint,
    }


def render(scenario: Scenario, found: Solution) -> list[Line]:
    """Format a solved duel as lines of text."""
    lines: list[list[Span]] = [[(f"{scenario.id}: titans, profile {scenario.profile}, solved", HEADING)]]
    lines += _situation(scenario, found)
    lines += [[], *_matrix(scenario, found), [], *_mixes(scenario, found), [], *_figures(scenario, found)]
    return [Line(0, tuple(spans)) for spans in lines]


def _names(scenario: Scenario) -> list[str]:
    return [str(player["name"]) for player in scenario.document["players"]]


def _situation(scenario: Scenario, found: Solution) -> list[list[Span]]:
    """Format a line per player with its titan's HP and charge."""
    rows = [
        (name, player["titan"]["name"], f"{hp} of {player['titan']['hp']} HP", f"{charge} charge")
        for name, player, hp, charge in zip(
            _names(scenario),
            scenario.document["players"],
            found.situation.hp,
            found.situation.charge,
            strict=True,
        )
    ]
    head: list[Span] = [(f"round {found.situation.round}", ASIDE)]
    return [head, *([(f"  {row}", role)] for row, role in zip(columns(rows, right=(2, 3)), SIDES, strict=True))]


def _matrix(scenario: Scenario, found: Solution) -> list[list[Span]]:
    """Format player 1's chance to win for each pair of choices."""
    first, second = _names(scenario)
    rows: list[tuple[str, ...]] = [("", *found.choices[1])]
    rows += [
        (choice, *(f"{chance:.1%}" for chance in chances))
        for choice, chances in zip(found.choices[0], found.matrix, strict=True)
    ]
    table = columns(rows, right=tuple(range(1, len(rows[0]))))
    head: list[Span] = [(f"{first}'s chance to win, by {first}'s choice (rows) and {second}'s (columns)", ASIDE)]
    return [head, *([(f"  {row}", PLAIN)] for row in table)]


def _mixes(scenario: Scenario, found: Solution) -> list[list[Span]]:
    """Format the best mix of choices for each player."""
    head: list[Span] = [("the best mixes", ASIDE)]
    rows = [
        (name, ", ".join(f"{choice} {share:.1%}" for choice, share in zip(own, mix, strict=True) if share > 0.0005))
        for name, own, mix in zip(_names(scenario), found.choices, found.mixes, strict=True)
    ]
    return [head, *([(f"  {row}", role)] for row, role in zip(columns(rows), SIDES, strict=True))]


def _figures(scenario: Scenario, found: Solution) -> list[list[Span]]:
    """Format the value with its error, and the exploitability of the file's policies."""
    from fracas.rulesets.titans.solver.matrix_game import MOST_REPLY_GAIN

    names = _names(scenario)
    fine, coarse = found.states
    if found.error is None:
        reason = "is the same as the coarser one" if found.are_grids_alike else "gives the same value as a coarser one"
        error = f"error unknown: the grid of {fine:,} states {reason}; try more --states"
    elif found.is_exact:
        error = f"error below {found.error:.2%}: the grid of {fine:,} states holds every reachable state"
    else:
        error = f"error about {found.error:.2%}, the difference between grids of {fine:,} and {coarse:,} states"
    checked = f"checked: in no state does another choice gain more than {MOST_REPLY_GAIN:.4%} against the mixes"
    lines: list[list[Span]] = [
        [
            (
                f"value: {names[0]} wins {found.value:.2%}, {names[1]} {1 - found.value:.2%} (a draw is half a win)",
                HEADING,
            )
        ],
        [(f"  {error}", ASIDE)],
        [(f"  {checked}", ASIDE)],
    ]
    for place, exploitability in enumerate(found.exploitability):
        if exploitability is not None:
            other = names[1 - place]
            text = (
                f"exploitability of {names[place]}'s policy: {other} can win {exploitability:.2%} more than the value"
            )
            lines.append([(text, PLAIN)])
    return lines
