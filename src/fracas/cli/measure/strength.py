"""`fracas agents strength`: what agents are worth, all against all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, print_json, say
from fracas.cli.shared.parameters import Format
from fracas.cli.shared.progress_bar import ProgressBar

if TYPE_CHECKING:
    from fracas.envs.agents.drafters import Drafter
    from fracas.envs.agents.strength import Meeting, Player, Strength

    Kind = TypeVar("Kind", Player, Drafter)


def strength(
    ruleset: Annotated[str, Parameter(help="The ruleset.")],
    /,
    *,
    players: Annotated[
        str | None, Parameter(name="--players", help="Names of players with commas between. Default: all.")
    ] = None,
    policies: Annotated[
        list[Path] | None,
        Parameter(name="--policy", help="A trained policy that plays too. Repeatable."),
    ] = None,
    battles: Annotated[int, Parameter(name=("--battles", "-n"), help="Battles of each pair.")] = 100,
    scenario: Annotated[
        Path | None,
        Parameter(
            name="--scenario", help="What is played. Default: the standard example; of a game scenarios/first.toml."
        ),
    ] = None,
    seed: Annotated[str, Parameter(name="--seed", help="The seed text of battles and agents.")] = "strength",
    format: Format = "text",
) -> int:
    """Measure agents for learning environments: all against all, half of the battles from each side.

    Reference agents choose at random, greedily, by looking one step ahead, by tree search, or as the shipped trained
    policy says, or the policy that a game of your own names; the content's own policies and strategies play too. In
    relics agents draft builds, which then fight. A score is the share of wins, with draws as halves; behind ± is half
    of its 95% interval. Agents that search take a while: the whole table takes minutes.

    Try:

        fracas agents strength titans --players "random,greedy,duelist" -n 400
        fracas agents strength squads --policy mine.json --players mine,trained,kill_line
        fracas agents strength relics -n 20
    """
    from fracas.envs.agents.draft_strength import draft_strength_table, reference_drafters
    from fracas.envs.agents.policy_file import load_policy
    from fracas.envs.agents.strength import Player, reference_agents, strength_table
    from fracas.envs.names import DRAFTED
    from fracas.errors import UsageError

    source = None if scenario is None else str(scenario)
    with ProgressBar("playing") as bar:
        if ruleset in DRAFTED:
            if policies:
                raise UsageError.of("--policy", "is for rulesets in which battles have decisions")
            drafters = chosen_from(reference_drafters(ruleset), players)
            table = draft_strength_table(ruleset, drafters, battles, source, seed, bar.update)
        else:
            trained = [Player(agent.name, agent) for agent in map(load_policy, policies or [])]
            table = strength_table(
                ruleset, chosen_from([*reference_agents(ruleset), *trained], players), battles, source, seed, bar.update
            )
    if format == "json":
        print_json(table.as_json())
    else:
        say(*lines_of(table))
        if table.observation:
            say("", *of_game(ruleset, is_named=scenario is not None))
    return DONE


def of_game(ruleset: str, is_named: bool) -> Iterator[str]:
    """What a table of a game says besides: a scenario that is drawn, and whether there is a trained bot."""
    from fracas.envs.agents.strength import trained_policy
    from fracas.envs.scenarios import FIRST_SCENARIO, standard_example

    if not is_named and isinstance(standard_example(ruleset), Mapping):
        yield f"scenario: drawn at random, as there is no {FIRST_SCENARIO} beside the game; --scenario FILE names one"
    file = trained_policy(ruleset)
    if file is None:
        yield 'trained bot: none, as the game gives no network="FILE"'
    elif not file.exists():
        yield f"trained bot: none yet, as there is no {file.name} beside the game"
    else:
        yield f"trained bot: {file.name}"


def chosen_from(known: list[Kind], names: str | None) -> list[Kind]:
    """Those of the players that are wanted.

    Raises:
        UsageError: a name that nobody has.
    """
    from fracas.errors import UsageError
    from fracas.errors.suggestions import nearest

    if names is None:
        return known
    by_name = {player.name: player for player in known}
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in by_name:
            hint = nearest(name, by_name) or f"players are {', '.join(by_name)}"
            raise UsageError.of("--players", f'there is no player "{name}"', hint)
    return [by_name[name] for name in wanted]


def lines_of(table: Strength) -> list[str]:
    """The ranking, then how each fared against each."""
    numbers = {name: str(number) for number, name in enumerate(table.players, 1)}
    header = ("", "player", "all", *numbers.values())
    rows = [
        (
            numbers[name],
            name,
            cell(table.overall(name)),
            *("" if name == other else cell(table.meeting(name, other)) for other in table.players),
        )
        for name in table.players
    ]
    title = f"{table.scenario}: scores in per cent, {table.battles} battles of each pair"
    return [title, "", *columns([header, *rows], right=tuple(range(2, len(header))))]


def cell(meeting: Meeting) -> str:
    """A score with half of its interval, in per cent."""
    low, high = meeting.interval
    return f"{100 * meeting.score:.0f}±{50 * (high - low):.0f}"
