"""Many drafts at once, as a Gymnasium vector environment. A plain loop: what takes time is the battle at each end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from fracas.envs.arguments import (
    actions_of,
    autoreset_mode_of,
    options_of,
    reset_mask_of,
    seeds_of,
    side_of,
    whole_number,
)
from fracas.envs.battles.vector import MOST_ENVIRONMENTS
from fracas.envs.descriptions import observation_space
from fracas.envs.drafting.match import DraftMatch
from fracas.envs.scenarios import Opponent, ScenarioSource, scenarios_of
from fracas.errors import UsageError

Arrays = dict[str, np.ndarray[Any, Any]]


class DraftVectorEnv(VectorEnv[Arrays, Any, Any], EzPickle):
    """A batch of drafts. Environment e plays drafts e, e + num_envs, e + 2 num_envs... of the seed.

    The parameters are those of `fracas.envs.drafting.single.DraftEnv` and `fracas.envs.battles.vector.BattleVectorEnv`.
    No kernel steps them: they are stepped one after the other.
    """

    def __init__(
        self,
        ruleset: str,
        num_envs: int = 1,
        scenario: ScenarioSource | Sequence[ScenarioSource] | None = None,
        side: int = 1,
        opponent: Any = None,
        battles: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        EzPickle.__init__(self, ruleset, num_envs, scenario, side, opponent, battles, autoreset_mode)
        num_envs = whole_number("num_envs", num_envs, 1, MOST_ENVIRONMENTS)
        scenarios = scenarios_of(ruleset, scenario, Opponent(2 - side_of(side), opponent))
        self.num_envs = num_envs
        self._mode = autoreset_mode_of(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode}
        first = DraftMatch(scenarios, side, battles)
        self._matches = [first, *(first.copy() for _ in range(num_envs - 1))]
        self.single_observation_space: Any = observation_space(first.spaces)
        self.single_action_space = spaces.Discrete(first.spaces.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seen: Arrays = {
            "observation": np.zeros((num_envs, len(first.spaces.features)), np.float32),
            "action_mask": np.zeros((num_envs, first.spaces.actions), np.int8),
        }
        self._has_begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin all drafts, or with `options={"reset_mask": array}` those where it is true, each with its next one."""
        which = options_of(options).get("reset_mask")
        if which is not None:
            chosen = reset_mask_of(which, self.num_envs)
            if seed is not None or not self._has_begun:
                raise UsageError.of("reset_mask", "cannot come with a seed, nor in the first reset: begin all first")
            for place in np.flatnonzero(chosen).tolist():
                self._next(place)
            return self._observations(), {}
        own = self._matches[0].scenarios[0].seed
        seeds = seeds_of(seed, self.num_envs)
        if len(seeds) < self.num_envs:
            seeds *= self.num_envs
        for place, each in enumerate(seeds):
            if seed is not None or not self._has_begun:
                self._matches[place].begin_at(own if each is None else str(each), place)
                self._look(place)
            else:
                self._next(place)
        self._has_begun = True
        return self._observations(), {}

    def step(
        self, actions: Any
    ) -> tuple[Arrays, np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], dict[str, Any]]:
        """Make a decision in every draft; finished ones restart as the autoreset mode says.

        actions: (envs,). Ignored for environments that restart.

        Raises:
            UsageError: nothing has begun.
        """
        if not self._has_begun:
            raise UsageError.of("step", "there is no draft under way; call reset() first")
        chosen = actions_of(actions, (self.num_envs,))
        rewards, ended = np.zeros(self.num_envs), np.zeros(self.num_envs, bool)
        was_legal = np.ones(self.num_envs, bool)
        finals = np.zeros_like(self._seen["observation"])
        for place, match in enumerate(self._matches):
            if match.is_over:
                if self._mode == AutoresetMode.NEXT_STEP:
                    self._next(place)
                continue
            was_legal[place] = match.play(int(chosen[place]))
            rewards[place], ended[place] = match.reward, match.is_over
            self._look(place)
            if match.is_over and self._mode == AutoresetMode.SAME_STEP:
                finals[place] = self._seen["observation"][place]
                self._next(place)
        info: dict[str, Any] = {}
        if self._mode == AutoresetMode.SAME_STEP and ended.any():
            masks = np.zeros_like(self._seen["action_mask"])
            info = {"final_obs": {"observation": finals, "action_mask": masks}, "_final_obs": ended}
        if not was_legal.all():
            info["was_legal"] = was_legal
        return self._observations(), rewards, ended, np.zeros(self.num_envs, bool), info

    def _next(self, place: int) -> None:
        match = self._matches[place]
        assert match.seed is not None
        match.begin_at(match.seed, match.stream + self.num_envs)
        self._look(place)

    def _look(self, place: int) -> None:
        for name, values in self._matches[place].seen().items():
            self._seen[name][place] = values

    def _observations(self) -> Arrays:
        return {name: values.copy() for name, values in self._seen.items()}
