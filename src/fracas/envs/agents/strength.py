"""What agents are worth: all against all, from both sides, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from fracas.content.packs import examples_folder
from fracas.engine.player import make_player
from fracas.engine.scenario import Scenario
from fracas.envs.agents.agent import Agent, RandomAgent
from fracas.envs.agents.look_ahead import GreedyAgent, LookAheadAgent
from fracas.envs.agents.network import NetworkAgent
from fracas.envs.agents.policy_file import load_policy
from fracas.envs.agents.tree_search import TreeSearchAgent
from fracas.envs.batch import Array, BattleBatch
from fracas.envs.scenarios import Opponent, ScenarioSource, scenarios_of
from fracas.errors import UsageError
from fracas.kernel.stepping import DISABLED, PLAYING
from fracas.kit import Game
from fracas.lab.statistics.intervals import mean_interval
from fracas.rulesets import registry

MOST_BATTLES, MOST_PLAYERS = 100_000, 64
# The most battles that are stepped side by side.
MOST_AT_ONCE = 512

Tell = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Player:
    """Somebody who plays a side: an agent, or a policy or strategy of the content."""

    name: str
    agent: Agent | None = None
    policy: Any = None
    """As in a scenario; None with no agent either is what the scenario says."""


@dataclass(frozen=True)
class Meeting:
    """How one player fared against another, half of the battles from each side."""

    first: str
    second: str
    battles: int
    wins: int
    draws: int
    samples: tuple[float, ...] = ()
    """Where battles are not independent, scores that are: those of the first player's drafts, first for side 1."""

    @property
    def score(self) -> float:
        """The first one's share of wins; a draw counts half."""
        return (self.wins + self.draws / 2) / self.battles

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the score."""
        if self.samples:
            squares = sum(score * score for score in self.samples)
            return mean_interval(sum(self.samples), squares, len(self.samples), 0.0, 1.0)
        return mean_interval(self.wins + self.draws / 2, self.wins + self.draws / 4, self.battles, 0.0, 1.0)

    def turned(self) -> Meeting:
        """The same for the second player, who played the other side in each."""
        half = len(self.samples) // 2
        samples = tuple(1.0 - score for score in (*self.samples[half:], *self.samples[:half]))
        lost = self.battles - self.wins - self.draws
        return Meeting(self.second, self.first, self.battles, lost, self.draws, samples)


@dataclass(frozen=True)
class Strength:
    """All players against all others in one scenario."""

    ruleset: str
    scenario: str
    seed: str
    battles: int
    """Battles of each pair."""
    players: tuple[str, ...]
    """The best first, by their share of wins against all others."""
    meetings: tuple[Meeting, ...]
    observation: str = ""
    """Of a game, the observation hash that its agents saw."""
    drafts: int | None = None
    """In rulesets with drafts, how many builds each drafted for each side. Intervals rest on builds, not on battles."""

    def meeting(self, first: str, second: str) -> Meeting:
        """How the first fared against the second."""
        for each in self.meetings:
            if (each.first, each.second) == (first, second):
                return each
            if (each.second, each.first) == (first, second):
                return each.turned()
        raise UsageError.of("players", f"{first} and {second} did not meet")

    def overall(self, name: str) -> Meeting:
        """How a player fared against all others together."""
        own = [self.meeting(name, other) for other in self.players if other != name]
        battles, wins, draws = (sum(getattr(each, key) for each in own) for key in ("battles", "wins", "draws"))
        # A draft that is good against one is good against others: it is one sample.
        drafts = zip(*(each.samples for each in own), strict=True)
        return Meeting(name, "all", battles, wins, draws, tuple(sum(scores) / len(own) for scores in drafts))

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "ruleset": self.ruleset,
            "scenario": self.scenario,
            "seed": self.seed,
            "battles_per_pair": self.battles,
            **({"observation": self.observation} if self.observation else {}),
            **({"drafts": self.drafts} if self.drafts else {}),
            "players": [_plain(self.overall(name), "player") for name in self.players],
            "meetings": [
                _plain(self.meeting(one, other), "player", "against")
                for one in self.players
                for other in self.players
                if one != other
            ],
        }


def _plain(meeting: Meeting, first: str, second: str | None = None) -> dict[str, Any]:
    low, high = meeting.interval
    return {
        first: meeting.first,
        **({second: meeting.second} if second else {}),
        "battles": meeting.battles,
        "wins": meeting.wins,
        "draws": meeting.draws,
        "score": meeting.score,
        "interval": [low, high],
    }


def reference_agents(ruleset: str) -> list[Player]:
    """The players of every table: agents, those of the content, and the shipped trained policy if there is one.

    Raises:
        UsageError: there is no such ruleset, or nobody decides anything in its battles.
    """
    agents: list[Agent] = [RandomAgent(), GreedyAgent(), LookAheadAgent(), TreeSearchAgent()]
    trained = trained_policy(ruleset)
    if trained is not None and trained.exists():
        agents.append(load_policy(trained, "trained"))
    players = [Player(agent.name, agent) for agent in agents]
    of_content = registry.get(ruleset).agent_interface().content_players()
    return [*players, *(Player(name, None, policy) for name, policy in of_content)]


def trained_policy(ruleset: str) -> Path | None:
    """Where the trained policy is that Fracas brings, or that a game keeps; None for games without one.

    Raises:
        UsageError: there is no such ruleset, or nobody decides anything in its battles.
    """
    found = registry.get(ruleset, "RULESET")
    if isinstance(found, Game):
        return found.agent_interface().trained_file
    return examples_folder() / "envs" / "policies" / f"{ruleset}.json"


def strength_table(
    ruleset: str,
    players: Sequence[Player],
    battles: int = 200,
    scenario: ScenarioSource | None = None,
    seed: str = "strength",
    tell: Tell | None = None,
) -> Strength:
    """Let all players meet all others, in one scenario.

    Args:
        ruleset: The ruleset's name.
        players: Who meets, 2 to 64.
        battles: Battles of each pair, 2 to 100,000, half of them from each side.
        scenario: What is played; None is the ruleset's standard example.
        seed: The seed text of battles and agents.
        tell: Called before each pair with how many are done, how many there are, and who meets.

    Raises:
        UsageError: too few or too many players or battles, two players of the same name, or a trained policy of another
            ruleset.
        InputError: a scenario or policy that does not load.
    """
    names = [player.name for player in players]
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise UsageError.of("players", f"are {len(players)}; 2 to {MOST_PLAYERS} are allowed")
    if len(set(names)) < len(names):
        raise UsageError.of("players", f"has two of the same name: {', '.join(names)}")
    for player in players:
        if isinstance(player.agent, NetworkAgent) and player.agent.network.ruleset != ruleset:
            what = f'"{player.name}" is a trained policy of {player.agent.network.ruleset}'
            raise UsageError.of("players", f"{what}; this table is of {ruleset}")
    if not 2 <= battles <= MOST_BATTLES:
        raise UsageError.of("battles", f"is {battles}; 2 to {MOST_BATTLES:,} are allowed")
    pairs = list(combinations(players, 2))
    meetings = []
    for done, (one, other) in enumerate(pairs):
        if tell is not None:
            tell(done, len(pairs), f"{one.name} against {other.name}")
        meetings.append(meet(ruleset, one, other, battles, scenario, seed))
    played = load_standard(ruleset, scenario)
    table = Strength(
        ruleset, played.document["id"], seed, battles, (*names,), (*meetings,),
        played.ruleset.agent_interface().observation_hash,
    )  # fmt: skip
    best = sorted(names, key=lambda name: -table.overall(name).score)
    return replace(table, players=(*best,))


def load_standard(ruleset: str, scenario: ScenarioSource | None) -> Scenario:
    """The scenario that is played."""
    return scenarios_of(ruleset, scenario)[0]


def meet(
    ruleset: str,
    one: Player,
    other: Player,
    battles: int,
    scenario: ScenarioSource | None = None,
    seed: str = "strength",
) -> Meeting:
    """Let two players meet: battles 0 to n - 1 of the seed, the first half with the first player as side 1."""
    half = (battles + 1) // 2
    ways = (("first", one, other, half), ("second", other, one, battles - half))
    winners = [play_pair(ruleset, (a, b), count, scenario, f"{seed}/{way}") for way, a, b, count in ways]
    wins = int((winners[0] == 1).sum() + (winners[1] == 2).sum())
    draws = int(sum((each == 0).sum() for each in winners))
    return Meeting(one.name, other.name, battles, wins, draws)


def play_pair(
    ruleset: str, players: tuple[Player, Player], battles: int, scenario: ScenarioSource | None, seed: str
) -> Array:
    """Play battles of two players, the first as side 1; who won each of them, (n,) int64: 1, 2, or 0 for a draw."""
    prepared = load_standard(ruleset, scenario)
    for side, player in enumerate(players):
        if player.agent is None:
            prepared = scenarios_of(ruleset, prepared, Opponent(side, player.policy))[0]
    if players[0].agent is None and players[1].agent is None:
        content = make_player(prepared.with_seed(seed), logged=False, battles=battles)
        return np.asarray(content.play(0, battles)["winner"])
    parts = [min(MOST_AT_ONCE, battles - first) for first in range(0, battles, MOST_AT_ONCE)]
    winners = [
        _play(prepared, players, count, f"{seed}/{number}" if number else seed) for number, count in enumerate(parts)
    ]
    return np.concatenate(winners)


def _play(scenario: Scenario, players: tuple[Player, Player], battles: int, seed: str) -> Array:
    sides = [side for side, player in enumerate(players) if player.agent is not None]
    batch = BattleBatch([scenario], sides, battles)
    agents = [player.agent for player in players if player.agent is not None]
    for side, agent in zip(sides, agents, strict=True):
        agent.begin(f"{seed}/{side + 1}")
    batch.reseed([seed])
    batch.begin()
    actions = np.zeros((battles, len(sides)), np.int64)
    rewards = np.zeros(battles)
    while (batch.states == PLAYING).any():
        for number, agent in enumerate(agents):
            if batch.masks[:, number].any():
                actions[:, number] = agent.choose(batch, number)
        batch.step(actions, DISABLED)
        rewards += batch.rewards[:, 0]
    won, lost = sides[0] + 1, 2 - sides[0]
    return np.where(rewards > 0, won, np.where(rewards < 0, lost, 0))
