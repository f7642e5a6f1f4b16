"""Plays two players against each other: each battle twice, with sides swapped and the same dice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fracas.engine.player import make_player
from fracas.engine.scenario import Scenario, load_scenario
from fracas.envs.agents.agent import Agent
from fracas.envs.agents.drafters import Drafter, drafted
from fracas.envs.agents.players import Player
from fracas.envs.batch import Array, BattleBatch
from fracas.envs.drafting.match import DraftMatch
from fracas.envs.scenarios import Opponent, scenarios_of
from fracas.errors import UsageError
from fracas.kernel.stepping import DISABLED, PLAYING
from fracas.lab.statistics.intervals import mean_interval
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Document

# The most battles that are stepped side by side.
MOST_AT_ONCE = 512
# How often two builds fight.
BATTLES_OF_BUILDS = 10


@dataclass(frozen=True)
class Meeting:
    """How one player fared against another. Each item is played twice, with sides swapped and the same dice."""

    first: str
    second: str
    battles: int
    wins: int
    draws: int
    samples: tuple[float, ...]
    """The first player's score in each item, the mean of both ways; in a row of all others the mean over them."""

    @property
    def score(self) -> float:
        """The first one's share of wins; a draw counts half."""
        return (self.wins + self.draws / 2) / self.battles

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the score. It rests on items: the two ways of one have dice and content in common."""
        return interval_of(self.samples)

    def turned(self) -> Meeting:
        """The same for the second player."""
        lost = self.battles - self.wins - self.draws
        return Meeting(self.second, self.first, self.battles, lost, self.draws, tuple(1.0 - s for s in self.samples))


def interval_of(samples: Sequence[float]) -> tuple[float, float]:
    """The 95% interval of the mean of scores."""
    return mean_interval(sum(samples), sum(score * score for score in samples), len(samples), 0.0, 1.0)


@dataclass(frozen=True)
class Items:
    """What is played. Item i is scenario i % length, with the dice of stream i of the seed text."""

    scenarios: tuple[Scenario, ...]
    count: int
    seed: str


class Contest(ABC):
    """Lets players meet in the same items. What two of them do depends on nobody else."""

    def __init__(self, items: Items) -> None:
        self.items = items

    def meet(self, one: Player, other: Player) -> Meeting:
        """Let two players meet."""
        there, back = self.winners(one, other), self.winners(other, one)
        wins = int((there == 1).sum() + (back == 2).sum())
        draws = int((there == 0).sum() + (back == 0).sum())
        scores = (there == 1) + (there == 0) / 2 + (back == 2) + (back == 0) / 2
        return Meeting(one.name, other.name, 2 * there.size, wins, draws, (*(scores.mean(axis=1) / 2).tolist(),))

    @abstractmethod
    def winners(self, first: Player, second: Player) -> Array:
        """Who wins with the first as side 1, (items, battles) int64: 1, 2, or 0 for a draw."""


class BattleContest(Contest):
    """Players decide in battles."""

    def winners(self, first: Player, second: Player) -> Array:
        scenarios, players = self.items.scenarios, (first, second)
        for side, player in enumerate(players):
            if player.agent is None and player.policy is not None:
                scenarios = scenarios_of(scenarios[0].ruleset.name, scenarios, Opponent(side, player.policy))
        if first.agent is None and second.agent is None:
            return self._by_content(scenarios)[:, None]
        starts = range(0, self.items.count, MOST_AT_ONCE)
        return np.concatenate([self._by_agents(scenarios, players, start) for start in starts])[:, None]

    def _by_content(self, scenarios: Sequence[Scenario]) -> Array:
        count, apart = self.items.count, len(scenarios)
        winners = np.zeros(count, np.int64)
        for place, scenario in enumerate(scenarios[:count]):
            content = make_player(scenario.with_seed(self.items.seed), logged=False, battles=count // apart)
            if apart == 1:
                return np.asarray(content.play(0, count)["winner"]).astype(np.int64)
            for stream in range(place, count, apart):
                winners[stream] = content.play(stream, 1)["winner"][0]
        return winners

    def _by_agents(self, scenarios: Sequence[Scenario], players: tuple[Player, Player], start: int) -> Array:
        """The battles from a number on, as many as are stepped at once."""
        count, seed = min(MOST_AT_ONCE, self.items.count - start), self.items.seed
        agents = {side: player.agent for side, player in enumerate(players) if isinstance(player.agent, Agent)}
        batch = BattleBatch(scenarios, list(agents), count, version=max(agent.version for agent in agents.values()))
        for side, agent in agents.items():
            # By its side and never by its name, so that a player does against itself the same both ways.
            agent.begin(f"{seed}/{start}/{side + 1}" if start else f"{seed}/{side + 1}")
        batch.reseed([seed])
        batch.streams[:] = np.arange(start, start + count)
        batch.begin()
        actions = np.zeros((count, len(agents)), np.int64)
        rewards = np.zeros(count)
        names = [players[side].name for side in agents]
        while (batch.states == PLAYING).any():
            for number, agent in enumerate(agents.values()):
                if batch.masks[:, number].any():
                    actions[:, number] = agent.choose(batch, number)
            _check_legal(batch, actions, names)
            batch.step(actions, DISABLED)
            rewards += batch.rewards[:, 0]
        ahead = next(iter(agents)) + 1
        return np.where(rewards > 0, ahead, np.where(rewards < 0, 3 - ahead, 0))


def _check_legal(batch: BattleBatch, actions: Array, names: Sequence[str]) -> None:
    """Check what agents chose.

    Raises:
        UsageError: an action that is not legal, which environments would take for another one.
    """
    wrong = np.argwhere(~batch.is_legal(actions))
    if len(wrong):
        row, number = wrong[0]
        legal = ", ".join(map(str, np.flatnonzero(batch.masks[row, number])))
        raise UsageError.of(names[number], f"chooses action {actions[row, number]}; legal are {legal}")


class DraftContest(Contest):
    """Players draft builds, which then fight: the same offers and dice for all."""

    def __init__(self, items: Items) -> None:
        super().__init__(items)
        # With the players themselves: while one is kept, no other has its id.
        self._drafted: dict[tuple[int, int], tuple[Player, list[Document]]] = {}

    def winners(self, first: Player, second: Player) -> Array:
        builds = zip(self.drafted(first, 1), self.drafted(second, 2), strict=True)
        return np.stack([self._fight(left, right, number) for number, (left, right) in enumerate(builds)])

    def drafted(self, player: Player, side: int) -> list[Document]:
        """The scenario of each item with the player's build on its side. Everybody drafts once for each side."""
        key = id(player), side
        if key not in self._drafted:
            self._drafted[key] = player, self._builds(player, side)
        return self._drafted[key][1]

    def _builds(self, player: Player, side: int) -> list[Document]:
        scenarios, count, seed = self.items.scenarios, self.items.count, f"{self.items.seed}/{side}"
        if not isinstance(player.agent, Drafter):
            if player.policy is not None:
                scenarios = scenarios_of(scenarios[0].ruleset.name, scenarios, Opponent(side - 1, player.policy))
            return [scenarios[number % len(scenarios)].document for number in range(count)]
        match = DraftMatch(scenarios, side, version=player.agent.version)
        player.agent.begin(seed)
        states = (drafted(match, player.agent, seed, number) for number in range(count))
        return [match.draft.document(state) for state in states]

    def _fight(self, left: Document, right: Document, number: int) -> Array:
        """Who won each battle of the left build in one scenario against the right build in another."""
        hooks = self.items.scenarios[0].ruleset.analysis
        part = hooks.part(SideRef(right, 2), hooks.parts[0])
        document = hooks.with_part(SideRef(left, 2), hooks.parts[0], part)
        scenario = load_scenario({**document, "seed": f"{self.items.seed}/{number}"})
        content = make_player(scenario, logged=False, battles=BATTLES_OF_BUILDS)
        return np.asarray(content.play(0, BATTLES_OF_BUILDS)["winner"]).astype(np.int64)


def contest_in(items: Items) -> Contest:
    """The contest of a ruleset: players draft before its battles, or decide in them."""
    drafts = items.scenarios[0].ruleset.draft is not None
    return DraftContest(items) if drafts else BattleContest(items)
