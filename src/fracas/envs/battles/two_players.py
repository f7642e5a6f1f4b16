"""Agents on both sides of a battle, as PettingZoo environments: deciding at once, or in turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv, ParallelEnv

from fracas.engine.battle import Battle
from fracas.envs.arguments import action_of, shown, whole_number
from fracas.envs.battles.match import RENDER_MODES, Match, Observation
from fracas.envs.descriptions import observation_space
from fracas.envs.names import environment_id
from fracas.envs.scenarios import ScenarioSource, scenarios_of
from fracas.errors import UsageError

AGENTS = ("side_1", "side_2")
MOST_CYCLES = 1 << 31


class _BothSides:
    """What both kinds of environments share: the match, its spaces, and how it is shown and saved."""

    def _set_up(
        self,
        ruleset: str,
        scenario: ScenarioSource | Sequence[ScenarioSource] | None,
        render_mode: str | None,
        max_cycles: int | None,
        strict: bool,
        version: int,
    ) -> None:
        self._most = MOST_CYCLES if max_cycles is None else whole_number("max_cycles", max_cycles, 1, MOST_CYCLES)
        self._cycles = 0
        name = environment_id(ruleset, version)
        self.metadata = {"render_modes": list(RENDER_MODES), "name": name, "render_fps": 4}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        scenarios = scenarios_of(ruleset, scenario, agents=(0, 1))
        self._match = Match(scenarios, (0, 1), render_mode, strict=strict, version=version)
        self.observation_spaces = dict.fromkeys(
            AGENTS, observation_space(self._match.batch.features, self._match.batch.interface.actions)
        )
        self._actions = self._match.batch.interface.actions
        self.action_spaces = dict.fromkeys(AGENTS, spaces.Discrete(self._actions))

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may do."""
        return self.action_spaces[agent]

    def battle(self) -> Battle:
        """The battle that was played, to save, tell and verify."""
        return self._match.battle()

    def render(self) -> Any:
        """The battle so far: a text for "ansi", a (120, 320, 3) picture for "rgb_array"."""
        return self._match.render(0)

    def close(self) -> None:
        """Nothing is held; PettingZoo asks for this beside `render`."""


class ParallelBattleEnv(_BothSides, ParallelEnv[str, Observation, int], EzPickle):
    """Both sides are asked at each step.

    Where sides take turns, the mask of the one who has nothing to decide is all 0, and its action is not read.

    Args:
        ruleset: The ruleset's name.
        scenario: As for `fracas.envs.battles.single.BattleEnv`.
        render_mode: As there.
        max_cycles: After so many steps a battle that is not over is truncated; None leaves the end to the rules.
        strict: As there.
        version: As there.
    """

    def __init__(
        self,
        ruleset: str,
        scenario: ScenarioSource | Sequence[ScenarioSource] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        strict: bool = False,
        version: int = 1,
    ) -> None:
        EzPickle.__init__(self, ruleset, scenario, render_mode, max_cycles, strict, version)
        self._set_up(ruleset, scenario, render_mode, max_cycles, strict, version)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin the next battle; with a seed, battle 0 of that seed."""
        self._match.begin(seed, options)
        self.agents, self._cycles = list(AGENTS), 0
        return self._seen(), self._infos([True, True])

    def step(self, actions: dict[str, int]) -> tuple[Any, ...]:
        """Make both decisions, and play on to the next ones. An illegal action counts as the first that is legal.

        Raises:
            UsageError: no battle is under way, or an action is missing or no whole number.
        """
        if not self.agents:
            raise UsageError.of("step", "there is no battle under way; call reset() first")
        given: Any = actions
        if not isinstance(given, Mapping) or not set(AGENTS) <= set(given):
            raise UsageError.of("actions", f"are {shown(actions)}; take one for each of {' and '.join(AGENTS)}")
        was_legal = self._match.play([action_of(actions[agent], self._actions) for agent in AGENTS])
        self._cycles += 1
        rewards = dict(zip(AGENTS, map(float, self._match.batch.rewards[0]), strict=True))
        is_over = self._match.is_over
        is_cut = not is_over and self._cycles >= self._most
        if is_over or is_cut:
            self.agents = []
        ended, truncated = dict.fromkeys(AGENTS, is_over), dict.fromkeys(AGENTS, is_cut)
        return self._seen(), rewards, ended, truncated, self._infos(was_legal)

    def _seen(self) -> dict[str, Observation]:
        return {agent: self._match.seen_by(number) for number, agent in enumerate(AGENTS)}

    def _infos(self, was_legal: Sequence[bool]) -> dict[str, dict[str, Any]]:
        return {
            agent: {"actions": self._match.action_names(number), "was_legal": was_legal[number]}
            for number, agent in enumerate(AGENTS)
        }


class TurnBattleEnv(_BothSides, AECEnv[str, Observation, int], EzPickle):
    """The sides decide in turns. The parameters are those of `ParallelBattleEnv`; each decision is a step."""

    def __init__(
        self,
        ruleset: str,
        scenario: ScenarioSource | Sequence[ScenarioSource] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        strict: bool = False,
        version: int = 1,
    ) -> None:
        super().__init__()
        EzPickle.__init__(self, ruleset, scenario, render_mode, max_cycles, strict, version)
        self._set_up(ruleset, scenario, render_mode, max_cycles, strict, version)

    def observe(self, agent: str) -> Observation:
        """What an agent sees now; nothing is legal while the other decides."""
        return self._match.seen_by(AGENTS.index(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next battle; with a seed, battle 0 of that seed."""
        self._match.begin(seed, options)
        self.agents, self._cycles = list(AGENTS), 0
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {"actions": self._match.action_names(place)} for place, agent in enumerate(AGENTS)}
        self.agent_selection = AGENTS[self._match.deciding()[0]]

    def step(self, action: int | None) -> None:
        """Make the decision of the agent whose turn it is. An illegal action counts as the first that is legal.

        Raises:
            UsageError: no battle is under way, or the action is no whole number.
        """
        if not self.agents:
            raise UsageError.of("step", "there is no battle under way; call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        taken = action_of(action, self._actions)
        self._cumulative_rewards[agent] = 0.0
        was_legal = self._match.play([taken] * len(AGENTS))
        infos: dict[str, dict[str, Any]] = self.infos
        infos[agent]["was_legal"] = was_legal[AGENTS.index(agent)]
        self.rewards = dict(zip(AGENTS, map(float, self._match.batch.rewards[0]), strict=True))
        self._cycles += 1
        if self._match.is_over or self._cycles >= self._most:
            over = self._match.is_over
            self.terminations, self.truncations = dict.fromkeys(AGENTS, over), dict.fromkeys(AGENTS, not over)
            self.agent_selection = AGENTS[0]
        else:
            self.agent_selection = AGENTS[self._match.deciding()[0]]
        self._accumulate_rewards()
