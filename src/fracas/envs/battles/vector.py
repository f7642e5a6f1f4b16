"""Thousands of battles at once, as a Gymnasium vector environment: one call of a kernel steps them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
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
from fracas.envs.batch import BattleBatch
from fracas.envs.battles.batch_opponent import BatchOpponent
from fracas.envs.descriptions import observation_space
from fracas.envs.scenarios import Opponent, ScenarioSource, scenarios_of
from fracas.errors import UsageError
from fracas.kernel.stepping import DISABLED, NEXT_STEP, SAME_STEP

Arrays = dict[str, np.ndarray[Any, Any]]

MODES = {
    AutoresetMode.NEXT_STEP: NEXT_STEP,
    AutoresetMode.SAME_STEP: SAME_STEP,
    AutoresetMode.DISABLED: DISABLED,
}
BOTH = "both"
MOST_ENVIRONMENTS = 1 << 16


class BattleVectorEnv(VectorEnv[Arrays, Any, Any], EzPickle):
    """A batch of battles. Environment e plays battles e, e + num_envs, e + 2 num_envs... of the seed.

    A pickled one begins anew. Unless `copy` is true, arrays that `reset` and `step` return are read-only, and the next
    step overwrites them.

    Args:
        ruleset: The ruleset's name.
        num_envs: How many battles, 1 to 65,536.
        scenario: As for a single environment; of several, battle number n plays scenario n % len.
        side: The agent's side, 1 or 2; "both" for agents on both sides, whose arrays have the shape (envs, 2, ...).
        opponent: Who plays the other side. None keeps the scenario's own; a string or a mapping is a policy or strategy
            as in a scenario. A function gets the observations (envs, features) and masks (envs, actions) of the other
            side and returns its actions, integers of shape (envs,). Its arrays are read-only, and the next call
            overwrites them. Where a mask is all 0 it has nothing to decide, and its action is not read.
        autoreset_mode: What happens to an environment whose battle is over, as in Gymnasium.
        threads: How many threads step the batch, at most one for each core and for every 128 environments. What they do
            is the same for any number.
        copy: Whether returned arrays are copies.
    """

    def __init__(
        self,
        ruleset: str,
        num_envs: int = 1,
        scenario: ScenarioSource | Sequence[ScenarioSource] | None = None,
        side: int | str = 1,
        opponent: Any = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        EzPickle.__init__(self, ruleset, num_envs, scenario, side, opponent, autoreset_mode, threads, copy)
        num_envs = whole_number("num_envs", num_envs, 1, MOST_ENVIRONMENTS)
        threads = whole_number("threads", threads, 1, MOST_ENVIRONMENTS)
        if isinstance(side, str) and side != BOTH:
            raise UsageError.of("side", f'is {side!r}; take 1, 2 or "both"')
        if side == BOTH and opponent is not None:
            raise UsageError.of("opponent", "cannot be given when agents play both sides")
        agents = (0, 1) if side == BOTH else (side_of(side) - 1,)
        policy = None if side == BOTH or callable(opponent) else Opponent(1 - agents[0], opponent)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": autoreset_mode_of(autoreset_mode)}
        self._mode = MODES[self.metadata["autoreset_mode"]]
        self._copies = copy
        scenarios = scenarios_of(ruleset, scenario, policy, agents)
        keeps_finals = self._mode == SAME_STEP
        played = (0, 1) if callable(opponent) else agents
        self._batch = BattleBatch(scenarios, played, num_envs, threads, keeps_finals=keeps_finals)
        # Where the one agent's rows are in arrays of (envs, agents, ...).
        self._own = None if side == BOTH else played.index(agents[0])
        self._opponent = BatchOpponent(self._batch, played.index(agents[0]), opponent) if callable(opponent) else None
        single: Any = observation_space(self._batch.interface)
        action: Any = gymnasium.spaces.Discrete(self._batch.interface.actions)
        if self._own is None:
            single, action = batch_space(single, 2), batch_space(action, 2)
        self.single_observation_space, self.single_action_space = single, action
        self.observation_space = batch_space(single, num_envs)
        self.action_space = batch_space(action, num_envs)
        self._has_begun = False
        batch = self._batch
        views = (self._read_only(array) for array in (batch.seen, batch.masks, batch.rewards, batch.finals))
        self._seen, self._masks, self._rewards, self._last_seen = views
        self._was_legal = self._of_agents(batch.was_legal)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin all battles, or with `options={"reset_mask": array}` those where it is true, each with its next one.

        seed: the seed text of all environments; a list gives each its own. Without one it is the scenario's.

        Raises:
            UsageError: a seed or mask that is none, or a mask before the first reset or with a seed.
        """
        which = options_of(options).get("reset_mask")
        batch = self._batch
        if which is not None:
            chosen = reset_mask_of(which, self.num_envs)
            if seed is not None or not self._has_begun:
                raise UsageError.of("reset_mask", "cannot come with a seed, nor in the first reset: begin all first")
            batch.streams[chosen] += batch.stride
            self._begin(chosen)
            return self._observations(), {}
        if seed is not None or not self._has_begun:
            seeds = seeds_of(seed, self.num_envs)
            batch.reseed([batch.scenarios[0].seed if each is None else str(each) for each in seeds])
            batch.streams[:] = np.arange(self.num_envs)
            self._has_begun = True
        else:
            batch.streams += batch.stride
        self._begin()
        return self._observations(), {}

    def _begin(self, which: np.ndarray[Any, Any] | None = None) -> None:
        if self._opponent is None:
            self._batch.begin(which)
        else:
            self._opponent.begin(which)

    def step(
        self, actions: Any
    ) -> tuple[Arrays, np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], dict[str, Any]]:
        """Play every battle one step on.

        actions: (envs,), or (envs, 2) if agents play both sides. Ignored for environments that restart.
        An illegal action counts as the first legal one; `info["was_legal"]` is present if there was any.

        Raises:
            UsageError: nothing has begun, or actions of another shape or type.
        """
        batch = self._batch
        if not self._has_begun:
            raise UsageError.of("step", "there is no battle under way; call reset() first")
        chosen = actions_of(actions, self._rewards.shape)
        if self._opponent is None:
            batch.step(chosen.reshape(batch.rewards.shape), self._mode)
        else:
            self._opponent.step(chosen.reshape(self.num_envs), self._mode)
        ended = batch.has_ended.copy()
        info: dict[str, Any] = {}
        if self._mode == SAME_STEP and np.count_nonzero(ended):
            info = {"final_obs": self._finals(), "_final_obs": ended}
        if np.count_nonzero(self._was_legal) < self._was_legal.size:
            info["was_legal"] = self._was_legal.copy()
        truncated = np.zeros(self.num_envs, bool)
        return self._observations(), self._handed_out(self._rewards), ended, truncated, info

    def _of_agents(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """An array of (envs, agents, ...) as spaces have it: one agent has no dimension of its own."""
        return array if self._own is None else array[:, self._own]

    def _read_only(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """A view that nobody can write to: the next step leaves in place what has not changed."""
        view = self._of_agents(array).view()
        view.flags.writeable = False
        return view

    def _observations(self) -> Arrays:
        return {"observation": self._handed_out(self._seen), "action_mask": self._handed_out(self._masks)}

    def _finals(self) -> Arrays:
        """What was seen last of the battles that are over; nothing is legal any more."""
        return {
            "observation": self._handed_out(self._last_seen),
            "action_mask": np.zeros(self._masks.shape, self._masks.dtype),
        }

    def _handed_out(self, view: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return view.copy() if self._copies else view
