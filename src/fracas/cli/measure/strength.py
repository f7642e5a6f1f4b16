"""`fracas agents strength`: what agents are worth, all against all or on the card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, print_json, say
from fracas.cli.shared.parameters import Format
from fracas.cli.shared.progress_bar import ProgressBar

if TYPE_CHECKING:
    from fracas.envs.agents import Card, Player, Strength


def strength(
    ruleset: Annotated[str, Parameter(help="The ruleset.")],
    /,
    *,
    card: Annotated[
        bool, Parameter(name="--card", negative=(), help="Play the card: one number for each player.")
    ] = False,
    agents: Annotated[
        list[str] | None,
        Parameter(
            name=("--agent", "--policy"),
            help="Your own player: FILE.py:NAME, or a file with a trained policy, or a policy, strategy or build as "
            "scenarios take it. Repeatable.",
        ),
    ] = None,
    players: Annotated[
        str | None, Parameter(name="--players", help="Names of players with commas between. Default: all.")
    ] = None,
    battles: Annotated[
        int | None, Parameter(name=("--battles", "-n"), help="Battles of each pair. Default: 100.")
    ] = None,
    scenario: Annotated[
        Path | None,
        Parameter(
            name="--scenario", help="What is played. Default: the standard example; of a game scenarios/first.toml."
        ),
    ] = None,
    seed: Annotated[
        str | None, Parameter(name="--seed", help="The seed text of battles and agents. Default: strength.")
    ] = None,
    format: Format = "text",
) -> int:
    """Measure agents for learning environments: all against all, each battle twice with sides swapped.

    Reference agents choose at random, greedily, by looking one step ahead, by tree search, or as the shipped trained
    policy says, or the policy that a game of your own names; the content's own policies and strategies play too. In
    relics agents draft builds, which then fight. A score is the share of wins, with draws as halves; behind ± is half
    of its 95% interval. Agents that search take a while: the whole table takes minutes.

    --card gives one number that you can compare: the mean score against a fixed pool in fixed battles, among them
    battles that nobody trained on. With --agent it scores yours and shows the published pool beside it; alone it plays
    the pool itself. FILE.py:NAME is an agent, or a function from an observation to an action. The Python file is run:
    name only files that you trust.

    Try:

        fracas agents strength titans --card --agent mine.py:choose
        fracas agents strength titans --players "random,greedy,duelist" -n 400
        fracas agents strength squads --agent mine.json --players mine,trained,kill_line
        fracas agents strength relics -n 20
    """
    from fracas.envs.agents import player_of, reference_agents, score_card, strength_table
    from fracas.envs.agents.card import published
    from fracas.envs.agents.players import notes_on
    from fracas.errors import InputError, Problem

    if card:
        given = {"--players": players, "--battles": battles, "--scenario": scenario, "--seed": seed}
        fixed = [name for name, value in given.items() if value is not None]
        if fixed:
            raise InputError([Problem(name, "is fixed on the card") for name in fixed])
        with ProgressBar("playing") as bar:
            scored = score_card(ruleset, *agents or (), tell=bar.update)
        kept = published(ruleset)["players"] if agents else []
        if format == "json":
            print_json(scored.as_json() | ({"published": kept} if kept else {}))
        else:
            say(*lines_of_card(scored, kept))
        return DONE
    with ProgressBar("playing") as bar:
        own = [player_of(ruleset, agent) for agent in agents or []]
        known = chosen_from([*reference_agents(ruleset), *own], players)
        source = None if scenario is None else str(scenario)
        count = 100 if battles is None else battles
        table = strength_table(ruleset, known, count, source, "strength" if seed is None else seed, bar.update)
    if format == "json":
        print_json(table.as_json())
    else:
        say(*lines_of(table))
        if table.observation:
            say("", *notes_on(ruleset, is_named=scenario is not None))
    return DONE


def lines_of_card(card: Card, kept: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The ranking with its parts and the scores against each of the pool, then notes.

    kept: the published entries.
    """
    items = ", ".join(f"{count} {part}" for part, count in card.as_json()["items"].items())
    yield f"card of {card.ruleset}: mean score against the pool in per cent; {items} battles, each from both sides"
    yield ""
    own = [entry.as_json() for entry in card.entries]
    entries = sorted([*own, *kept], key=lambda entry: -entry["score"])
    parts = list(own[0]["parts"])
    header = ("", "player", "score", *parts, *card.pool)
    rows = [
        (
            str(place),
            f"{entry['player']} (yours)" if kept and entry in own else entry["player"],
            *(score_with_reach(part) for part in (entry, *(entry["parts"][name] for name in parts))),
            *(f"{100 * entry['against'][name]:.0f}" if name in entry["against"] else "" for name in card.pool),
        )
        for place, entry in enumerate(entries, 1)
    ]
    yield from columns([header, *rows], right=tuple(range(2, len(header))))
    if card.notes:
        yield ""
    yield from card.notes


def chosen_from(known: list[Player], names: str | None) -> list[Player]:
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


def lines_of(table: Strength) -> Iterator[str]:
    """The ranking, then how each fared against each."""
    entries, met = table.as_json()["players"], table.as_json()["meetings"]
    numbers = {name: str(number) for number, name in enumerate(table.players, 1)}
    cells = {(each["player"], each["against"]): score_with_reach(each) for each in met}
    header = ("", "player", "all", *numbers.values())
    rows = [
        (
            numbers[entry["player"]],
            entry["player"],
            score_with_reach(entry),
            *(cells.get((entry["player"], other), "") for other in table.players),
        )
        for entry in entries
    ]
    yield f"{table.scenario}: scores in per cent, {table.battles} battles of each pair"
    yield ""
    yield from columns([header, *rows], right=tuple(range(2, len(header))))


def score_with_reach(entry: Mapping[str, Any]) -> str:
    """A score with half of its interval, in per cent."""
    low, high = entry["interval"]
    return f"{100 * entry['score']:.0f}±{50 * (high - low):.0f}"
