"""`fracas lab solve`: solve a duel with hidden choices: its value and the best play."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, notice, print_json, print_lines, print_warnings
from fracas.cli.shared.parameters import File, Folders, Format, Profile, Sets, Strict, Threads
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.cli.shared.titans_arguments import no_hidden_choices, player_place, refuse_for_games
from fracas.events.styled_text import ASIDE, HEADING, PLAIN, SIDE_1, SIDE_2, Line, Span

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario
    from fracas.rulesets.contract.mixers import Mixer

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
    agent: Annotated[
        Path | None,
        Parameter(
            name="--agent",
            help="Measure the exploitability of this trained policy (.json) instead of that of the file's policies.",
        ),
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
    line proves the mixes by the best answers to them. --state, --states, --player, --out and --agent are for titans.

    A duel of titans is solved backwards from its last round over a grid of states. A coarser grid estimates the error;
    if both grids are the same, the error is unknown and you need more --states. The command also measures the
    exploitability of the policies in the file, or with --agent of one that was trained: how much more their best
    opponent wins than the value. A scenario can use the written policy: policy = "solved.json".

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

    check_amounts(None, None, threads)
    scenario = load_file(file, ScenarioOptions(None, profile, set_, content, strict=strict))
    if scenario.ruleset.rules_hash:
        given = {"--state": state, "--states": states, "--player": player, "--out": out, "--agent": agent}
        refuse_for_games(scenario, given)
        print_warnings(scenario.warnings)
        return _solve_game(scenario, format)
    solver = scenario.ruleset.solver
    if solver is None:
        raise no_hidden_choices(scenario, str(file))
    print_warnings(scenario.warnings)
    wanted = [player_place(scenario, player)] if out is not None or player is not None else []
    if out is not None:
        writable_path(out)
    mixer = None if agent is None else _mixer(agent, scenario)
    with ProgressBar("solving") as progress:
        solution = solver.solve_duel(
            scenario.compiled,
            scenario.document,
            [parse_override(text, "--state") for text in state or []],
            states=states,
            tables=wanted if out is not None else (),
            agent=mixer,
            threads=thread_count(threads),
            notice=notice,
            steps=progress.update,
        )
    if out is not None:
        write_atomic(out, json.dumps(solution.tables[wanted[0]]).encode() + b"\n")
    (number,), *players = solution.situation_rows()
    rows = columns(players, right=(2, 3))
    head = [_span(number), *(_span(f"  {row}", role) for row, role in zip(rows, SIDES, strict=True))]
    notes = [*(_span(f"  {note}") for note in solution.notes()), *(_span(text, PLAIN) for text in solution.findings())]
    _print(scenario, solution.as_json(), format, head, notes)
    if out is not None:
        name = scenario.ruleset.side_names(scenario.document)[wanted[0]]
        notice(f'wrote the policy of {name} to {out}; to use it in a scenario beside it: policy = "{out.name}"')
    return DONE


def _solve_game(scenario: Scenario, format: str) -> int:
    """Solve a game in which both sides choose at once, and print it."""
    from fracas.lab.exact.hidden_choices import solve_choices

    with ProgressBar("solving") as progress:
        solved = solve_choices(scenario, steps=progress.update)
    head = [_span("round 1")]
    if len(solved.starts) > 1:
        likely = f"the likeliest of {len(solved.starts):,} ways to begin, {max(solved.starts):.1%}"
        head.append(_span(f"matrix and mixes are those of {likely}"))
    gain = f"the best answers to both mixes, over the whole game, gain {solved.exploitability:.4%} together"
    notes = [_span(f"  every one of {solved.states:,} states is solved"), _span(f"  checked: {gain}")]
    _print(scenario, solved.as_json(), format, head, notes)
    return DONE


def _mixer(file: Path, scenario: Scenario) -> Mixer:
    """The trained policy in a file, in a scenario.

    Raises:
        InputError: the file is broken, or of another ruleset.
    """
    from fracas.envs.agents.network import MixingAgent
    from fracas.envs.agents.policy_file import load_policy
    from fracas.errors import InputError

    agent = load_policy(file)
    if agent.network.ruleset != scenario.ruleset.name:
        raise InputError.of(str(file), f"plays {agent.network.ruleset}; the duel is of {scenario.ruleset.name}")
    return MixingAgent(agent, scenario)


def _span(text: str, role: str = ASIDE) -> Span:
    return text, role


def _print(
    scenario: Scenario,
    solution: Mapping[str, Any],
    format: str,
    head: Sequence[Span],
    notes: Sequence[Span],
) -> None:
    """Print a solution: where it begins, the matrix of player 1's chances, the best mixes, the value and its notes."""
    if format == "json":
        about = {
            "ruleset": scenario.ruleset.name,
            "rules_version": scenario.ruleset.rules_version,
            "scenario": scenario.id,
            "profile": scenario.profile,
            "content_fingerprint": scenario.fingerprint,
        }
        print_json({**about, **solution})
        return
    names = first, second = scenario.ruleset.side_names(scenario.document)
    own, others = solution["choices"]
    shares = [
        (choice, *(f"{chance:.1%}" for chance in chances))
        for choice, chances in zip(own, solution["matrix"], strict=True)
    ]
    mixes = [(name, _mix(*mix)) for name, *mix in zip(names, solution["choices"], solution["mixes"], strict=True)]
    value = solution["value"]
    lines = [
        _span(f"{scenario.id}: {scenario.ruleset.name}, profile {scenario.profile}, solved", HEADING),
        *head,
        _span(""),
        _span(f"{first}'s chance to win, by {first}'s choice (rows) and {second}'s (columns)"),
        *(_span(f"  {row}", PLAIN) for row in columns([("", *others), *shares], right=range(1, len(others) + 1))),
        _span(""),
        _span("the best mixes"),
        *(_span(f"  {row}", role) for row, role in zip(columns(mixes), SIDES, strict=True)),
        _span(""),
        _span(f"value: {first} wins {value:.2%}, {second} {1 - value:.2%} (a draw is half a win)", HEADING),
        *notes,
    ]
    print_lines(Line(0, (span,)) for span in lines)


def _mix(choices: Sequence[str], mix: Sequence[float] | Mapping[str, float]) -> str:
    shares = mix if isinstance(mix, Mapping) else dict(zip(choices, mix, strict=True))
    return ", ".join(f"{choice} {share:.1%}" for choice, share in shares.items() if share > 0.0005)
