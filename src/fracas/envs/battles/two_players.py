"""Agents on both sides of a battle, as PettingZoo environments: deciding at once, or in turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv, ParallelEnv

from fracas.engine.battle import Battle
from fracas.envs.battles.match import RENDER_MODES, Match, Observation
from fracas.envs.names import environment_id
from fracas.envs.scenarios import ScenarioSource, scenarios_of
from fracas.envs.spaces import observation_space

AGENTS = ("side_1", "side_2")


class ParallelBattleEnv(ParallelEnv[str, Observation, int], EzPickle):
    """Both sides decide at once. The parameters are those of `fracas.envs.battles.single.BattleEnv`."""

    def __init__(
        self,
        ruleset: str,
        scenario: ScenarioSource | Sequence[ScenarioSource] | None = None,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, ruleset, scenario, render_mode)
        self.metadata = {"render_modes": list(RENDER_MODES), "name": environment_id(ruleset), "render_fps": 4}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._match = Match(scenarios_of(ruleset, scenario, agents=(0, 1)), (0, 1), render_mode)
        self.observation_spaces = dict.fromkeys(AGENTS, observation_space(self._match.batch.interface))
        self.action_spaces = dict.fromkeys(AGENTS, spaces.Discrete(self._match.batch.interface.actions))

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin the next battle; with a seed, battle 0 of that seed."""
        self._match.begin(seed, options)
        self.agents = list(AGENTS)
        return self._seen(), self._infos([True, True])

    def step(self, actions: dict[str, int]) -> tuple[Any, ...]:
        """Make both decisions, and play on to the next ones. An illegal action counts as the first that is legal."""
        was_legal = self._match.play([int(actions[agent]) for agent in AGENTS])
        rewards = dict(zip(AGENTS, map(float, self._match.batch.rewards[0]), strict=True))
        is_over = self._match.is_over
        if is_over:
            self.agents = []
        ended, truncated = dict.fromkeys(AGENTS, is_over), dict.fromkeys(AGENTS, False)
        return self._seen(), rewards, ended, truncated, self._infos(was_legal)

    def _seen(self) -> dict[str, Observation]:
        return {agent: self._match.seen_by(number) for number, agent in enumerate(AGENTS)}

    def _infos(self, was_legal: Sequence[bool]) -> dict[str, dict[str, Any]]:
        return {
            agent: {"actions": self._match.action_names(number), "was_legal": was_legal[number]}
            for number, agent in enumerate(AGENTS)
        }

    def battle(self) -> Battle:
        """The battle that was played, to save, tell and verify."""
        return self._match.battle()

    def render(self) -> Any:
        """The battle so far: a text for "ansi", a (120, 320, 3) picture for "rgb_array"."""
        return self._match.render(0)

    def close(self) -> None:
        """Give the threads back."""
        self._match.close()


class TurnBattleEnv(AECEnv[str, Observation, int], EzPickle):
    """The sides decide in turns. The parameters are those of `fracas.envs.battles.single.BattleEnv`."""

    def __init__(
        self,
        ruleset: str,
        scenario: ScenarioSource | Sequence[ScenarioSource] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        EzPickle.__init__(self, ruleset, scenario, render_mode)
        self.metadata = {"render_modes": list(RENDER_MODES), "name": environment_id(ruleset), "render_fps": 4}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self._match = Match(scenarios_of(ruleset, scenario, agents=(0, 1)), (0, 1), render_mode)
        self.observation_spaces = dict.fromkeys(AGENTS, observation_space(self._match.batch.interface))
        self.action_spaces = dict.fromkeys(AGENTS, spaces.Discrete(self._match.batch.interface.actions))

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may do."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees now; nothing is legal while the other decides."""
        return self._match.seen_by(AGENTS.index(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next battle; with a seed, battle 0 of that seed."""
        self._match.begin(seed, options)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {"actions": self._match.action_names(place)} for place, agent in enumerate(AGENTS)}
        self.agent_selection = AGENTS[self._match.deciding()[0]]

    def step(self, action: int | None) -> None:
        """Make the decision of the agent whose turn it is. An illegal action counts as the first that is legal."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._match.play([int(action)] * len(AGENTS))
        self.rewards = dict(zip(AGENTS, map(float, self._match.batch.rewards[0]), strict=True))
        if self._match.is_over:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[0]
        else:
            self.agent_selection = AGENTS[self._match.deciding()[0]]
        self._accumulate_rewards()

    def battle(self) -> Battle:
        """The battle that was played, to save, tell and verify."""
        return self._match.battle()

    def render(self) -> Any:
        """The battle so far: a text for "ansi", a (120, 320, 3) picture for "rgb_array"."""
        return self._match.render(0)

    def close(self) -> None:
        """Give the threads back."""
        self._match.close()
