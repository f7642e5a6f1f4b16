"""Many drafts at once, as a Gymnasium vector environment. A plain loop: what takes time is the battle at each end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from fracas.envs.arguments import (
    actions_of,
    autoreset_mode_of,
    most_steps_of,
    options_of,
    reset_mask_of,
    seeds_of,
    whole_number,
)
from fracas.envs.battles.vector import MOST_ENVIRONMENTS
from fracas.envs.drafting.single import DraftEnv
from fracas.envs.scenarios import ScenarioSource
from fracas.errors import UsageError


def _given(env: Any) -> Any:
    return env


class _Waiting(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A draft that is over stays as it is until a reset."""

    _last: tuple[Any, ...] | None = None

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        self._last = None
        return super().reset(**arguments)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        if self._last is not None:
            return self._last[0], 0.0, False, False, {}
        told = super().step(action)
        self._last = told if told[2] or told[3] else None
        return told


class DraftVectorEnv(SyncVectorEnv, EzPickle):
    """A batch of drafts: Gymnasium's `SyncVectorEnv` of single environments with the same content.

    The parameters are those of `fracas.envs.drafting.single.DraftEnv` and `fracas.envs.battles.vector.BattleVectorEnv`,
    which also says what seeds mean. No kernel steps drafts: they are stepped one after the other.
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
        max_episode_steps: int | None = None,
        strict: bool = False,
        version: int = 1,
    ) -> None:
        EzPickle.__init__(
            self, ruleset, num_envs, scenario, side, opponent, battles, autoreset_mode, max_episode_steps, strict,
            version,
        )  # fmt: skip
        num_envs = whole_number("num_envs", num_envs, 1, MOST_ENVIRONMENTS)
        most = most_steps_of(max_episode_steps)
        first = DraftEnv(ruleset, scenario, side, opponent, battles, strict=strict, version=version)
        drafts = [first, *(first.beside(place) for place in range(1, num_envs))]
        mode = autoreset_mode_of(autoreset_mode)
        envs: list[Any] = [TimeLimit(env, most) if most else env for env in drafts]
        if mode == AutoresetMode.DISABLED:
            envs = [_Waiting(env) for env in envs]
        SyncVectorEnv.__init__(self, [partial(_given, env) for env in envs], autoreset_mode=mode)
        self._has_begun = False

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin all drafts, or with `options={"reset_mask": array}` those where it is true, each with its next one.

        Raises:
            UsageError: a seed or mask that is none, or a mask in the first reset.
        """
        given = dict(options_of(options))
        if given.get("reset_mask") is not None:
            given["reset_mask"] = reset_mask_of(given["reset_mask"], self.num_envs)
            if not self._has_begun:
                raise UsageError.of("reset_mask", "cannot come in the first reset: begin all first")
            if not given["reset_mask"].any():
                return self._observations, {}
        self._has_begun = True
        return super().reset(seed=seeds_of(seed, self.num_envs), options=given)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Make a decision in every draft; finished ones restart as the autoreset mode says.

        actions: (envs,). Ignored for environments that restart; with DISABLED, drafts that are over wait for a reset.

        Raises:
            UsageError: nothing has begun, or actions of another shape or type.
        """
        if not self._has_begun:
            raise UsageError.of("step", "there is no draft under way; call reset() first")
        if self.autoreset_mode == AutoresetMode.DISABLED:
            self._autoreset_envs[:] = False
        return super().step(np.asarray(actions_of(actions, (self.num_envs,)), np.int64))
