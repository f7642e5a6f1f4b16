"""The native batch as a `VecEnv` of Stable-Baselines3, with masks for `MaskablePPO` of sb3-contrib.

Needs Stable-Baselines3: pip install "fracas[sb3]".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from fracas.envs.batch import Array
from fracas.envs.battles.vector import BOTH, BattleVectorEnv
from fracas.envs.descriptions import versions_of
from fracas.errors import UsageError

MASKS = "action_masks"


class FracasVecEnv(VecEnv):
    """A batch of battles for Stable-Baselines3: one call of a kernel steps them all.

    Observations are the numbers alone, (envs, features) float32; the masks are what `MaskablePPO` asks for. An
    environment begins its next battle in the step that ends the last one; `infos[e]["terminal_observation"]` is what
    was seen last, and `infos[e]["TimeLimit.truncated"]` says whether the battle was cut.

    Args:
        ruleset: The name of a ruleset or game.
        num_envs: How many battles.
        version: Of observations; absent: the last.
        options: The further arguments of `BattleVectorEnv`, but `autoreset_mode`, `copy` and `side="both"`.
    """

    def __init__(self, ruleset: str, num_envs: int, *, version: int | None = None, **options: Any) -> None:
        if options.get("side") == BOTH:
            raise UsageError.of("side", 'is "both"; Stable-Baselines3 trains one agent', "take 1 or 2")
        version = versions_of(ruleset)[-1] if version is None else version
        self.batch = BattleVectorEnv(
            ruleset, num_envs, version=version, autoreset_mode="SameStep", copy=False, **options
        )
        single: Any = self.batch.single_observation_space
        self.render_mode = None
        self._actions: Any = None
        self._masks: Array = np.zeros((num_envs, self.batch._batch.interface.actions), np.int8)
        space: Any = self.batch.single_action_space
        super().__init__(num_envs, single["observation"], spaces.Discrete(int(space.n)))

    def reset(self) -> Array:
        """Begin all battles: of the seeds given to `seed`, else the next ones."""
        seeds: Any = self._seeds if any(seed is not None for seed in self._seeds) else None
        seen, _ = self.batch.reset(seed=seeds)
        self._reset_seeds()
        self._reset_options()
        return self._seen(seen)

    def step_async(self, actions: Any) -> None:
        """Keep the actions, (envs,), for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Play every battle one step on: what is seen, rewards, who is done, infos."""
        seen, rewards, ended, truncated, told = self.batch.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        done = ended | truncated
        for place in np.flatnonzero(done).tolist():
            infos[place]["terminal_observation"] = told["final_obs"][place]["observation"]
            infos[place]["TimeLimit.truncated"] = bool(truncated[place] and not ended[place])
        return self._seen(seen), rewards.astype(np.float32), done, infos

    def _seen(self, seen: dict[str, Array]) -> Array:
        self._masks = seen["action_mask"]
        return seen["observation"].copy()

    def action_masks(self) -> Array:
        """Which actions are legal now, (envs, actions) bool."""
        masks: Array = self._masks.astype(bool)
        return masks

    def close(self) -> None:
        """Nothing is held."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, for each environment; of `action_masks` its own mask, as a function."""
        places = list(self._get_indices(indices))
        if attr_name == MASKS:
            return [self._mask_of(place) for place in places]
        return [getattr(self.batch, attr_name)] * len(places)

    def _mask_of(self, place: int) -> Any:
        return lambda: self._masks[place].astype(bool)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: the environments of a batch have no attributes of their own.

        Raises:
            UsageError: always.
        """
        raise UsageError.of("set_attr", f"cannot set {attr_name}: environments of a batch have nothing of their own")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """`action_masks` of each environment; there is no other method.

        Raises:
            UsageError: another method.
        """
        if method_name != MASKS:
            raise UsageError.of("env_method", f"is {method_name}; environments of a batch have {MASKS} alone")
        return [self._masks[place].astype(bool) for place in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No environment of a batch is wrapped."""
        places: Sequence[int] | Iterable[int] = self._get_indices(indices)
        return [False for _ in places]
