"""Thousands of battles at once, as a Gymnasium vector environment: one call of a kernel steps them all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from fracas.envs.arguments import (
    actions_of,
    autoreset_mode_of,
    illegal,
    most_steps_of,
    options_of,
    reset_mask_of,
    seeds_of,
    side_of,
    stream_of,
    whole_number,
)
from fracas.envs.batch import BattleBatch
from fracas.envs.battles.batch_opponent import BatchOpponent
from fracas.envs.descriptions import observation_space
from fracas.envs.infos import Infos, final_infos, told
from fracas.envs.scenarios import Opponent, ScenarioSource, scenarios_of, seed_text
from fracas.errors import UsageError
from fracas.kernel.stepping import DISABLED, HELD, NEXT_STEP, OVER, PLAYING, SAME_STEP

Arrays = dict[str, np.ndarray[Any, Any]]

MODES = {
    AutoresetMode.NEXT_STEP: NEXT_STEP,
    AutoresetMode.SAME_STEP: SAME_STEP,
    AutoresetMode.DISABLED: DISABLED,
}
BOTH = "both"
MOST_ENVIRONMENTS = 1 << 16


class BattleVectorEnv(VectorEnv[Arrays, Any, Any], EzPickle):
    """A batch of battles: what Gymnasium's `SyncVectorEnv` makes of single environments, played by one kernel.

    Environment e of `reset(seed=s)` plays what a single one plays after `reset(seed=s + e)`. Without a seed,
    environment 0 plays what a single one plays, and the others have seeds of their own.

    A pickled one begins anew. Unless `copy` is true, arrays that `reset` and `step` return are read-only, and the next
    step overwrites them.

    Args:
        ruleset: The ruleset's name.
        num_envs: How many battles, 1 to 65,536.
        scenario: As for a single environment.
        side: The agent's side, 1 or 2; "both" for agents on both sides, whose arrays have the shape (envs, 2, ...).
        opponent: Who plays the other side. None keeps the scenario's own; a string or a mapping is a policy or strategy
            as in a scenario. A function gets the observations (envs, features) and masks (envs, actions) of the other
            side and returns its actions, integers of shape (envs,). Its arrays are read-only, and the next call
            overwrites them. Where a mask is all 0 it has nothing to decide, and its action is not read.
        autoreset_mode: What happens to an environment whose battle is over, as in Gymnasium.
        threads: How many threads step the batch, at most one for each core and for every 128 environments. What they do
            is the same for any number.
        copy: Whether returned arrays are copies.
        max_episode_steps: After so many steps a battle that is not over is truncated; None leaves the end to the rules.
        strict: Whether an illegal action is an error; else the first legal one is played.
        version: Of observations, as for a single environment.
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
        max_episode_steps: int | None = None,
        strict: bool = False,
        version: int = 1,
    ) -> None:
        EzPickle.__init__(
            self, ruleset, num_envs, scenario, side, opponent, autoreset_mode, threads, copy, max_episode_steps, strict,
            version,
        )  # fmt: skip
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
        self._batch = BattleBatch(
            scenarios, played, num_envs, threads, keeps_finals=keeps_finals, stride=1, version=version
        )
        # Where the one agent's rows are in arrays of (envs, agents, ...).
        self._own = None if side == BOTH else played.index(agents[0])
        self._opponent = BatchOpponent(self._batch, played.index(agents[0]), opponent) if callable(opponent) else None
        single: Any = observation_space(self._batch.features, self._batch.interface.actions)
        action: Any = gymnasium.spaces.Discrete(self._batch.interface.actions)
        if self._own is None:
            single, action = batch_space(single, 2), batch_space(action, 2)
        self.single_observation_space, self.single_action_space = single, action
        self.observation_space = batch_space(single, num_envs)
        self.action_space = batch_space(action, num_envs)
        self._has_begun = False
        self._strict, self._most = strict, most_steps_of(max_episode_steps)
        self._elapsed = np.zeros(num_envs, np.int64)
        self._seeds, self._starts = np.full(num_envs, None, object), np.zeros(num_envs, np.int64)
        batch = self._batch
        views = (self._read_only(array) for array in (batch.seen, batch.masks, batch.rewards, batch.finals))
        self._seen, self._masks, self._rewards, self._last_seen = views
        self._was_legal = self._of_agents(batch.was_legal)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin all battles, or with `options={"reset_mask": array}` those where it is true.

        seed: environment e begins battle 0 of the seed `seed + e`, or of its own one in a list. Those without a seed
        begin their next battle. options: also `stream`, the number of the battle to begin.

        Raises:
            UsageError: a seed, mask or stream that is none, or a mask in the first reset.
        """
        given, batch = options_of(options), self._batch
        mask, stream = given.get("reset_mask"), stream_of(given)
        chosen = np.ones(self.num_envs, bool) if mask is None else reset_mask_of(mask, self.num_envs)
        if mask is not None and not self._has_begun:
            raise UsageError.of("reset_mask", "cannot come in the first reset: begin all first")
        seeds = seeds_of(seed, self.num_envs)
        # Infos that were handed out keep the old ones.
        self._seeds, starts = self._seeds.copy(), batch.starts.copy()
        following = batch.streams + batch.stride
        for place in np.flatnonzero(chosen).tolist():
            number = seeds[place]
            if number is not None or not self._has_begun:
                self._seeds[place] = seed_text(batch.scenarios, number, place)
                starts[place] = (place if number is None else number) % len(batch.scenarios)
                following[place] = 0
        batch.starts[:] = starts
        self._starts = starts
        batch.streams[chosen] = following[chosen] if stream is None else stream
        if not self._has_begun or any(each is not None for each in seeds):
            batch.reseed(self._seeds.tolist())
        self._has_begun = True
        self._elapsed[chosen] = 0
        self._begin(None if mask is None else chosen)
        told_begun = partial(self._told_begun, chosen, batch.streams.copy(), self._starts, self._seeds)
        return self._observations(), Infos(told_begun)

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
        An illegal action counts as the first legal one, or is an error if the environment is strict.

        Raises:
            UsageError: nothing has begun, actions of another shape or type, or an illegal one if that is an error.
        """
        batch = self._batch
        if not self._has_begun:
            raise UsageError.of("step", "there is no battle under way; call reset() first")
        chosen = actions_of(actions, self._rewards.shape)
        if self._strict:
            self._refuse_illegal(chosen)
        stepped = batch.states == PLAYING
        if self._opponent is None:
            batch.step(chosen.reshape(batch.rewards.shape), self._mode)
        else:
            self._opponent.step(chosen.reshape(self.num_envs), self._mode)
        ended, truncated = batch.has_ended.copy(), np.zeros(self.num_envs, bool)
        was_legal, cut_masks, last = self._was_legal.copy(), None, None
        if self._most:
            self._elapsed += stepped
            truncated = stepped & (self._elapsed >= self._most)
            cut_masks = self._cut(truncated & ~ended)
        done = ended | truncated
        begun = ~stepped if self._mode == NEXT_STEP else done
        if self._most:
            self._elapsed[begun] = 0
        if self._mode == SAME_STEP:
            places = np.flatnonzero(done)
            if len(places):
                masks = None if cut_masks is None else cut_masks.take(places, axis=0)
                last = self._last_seen.take(places, axis=0), masks
        told_begun = None if self._mode == DISABLED else (begun, batch.streams.copy(), self._starts, self._seeds)
        info = Infos(partial(self._told, stepped, done, was_legal, last, told_begun))
        return self._observations(), self._handed_out(self._rewards), ended, truncated, info

    def _told(self, stepped: Any, done: Any, was_legal: Any, last: Any, begun: Any) -> dict[str, Any]:
        """The infos of a step, from what it has kept. last: what was seen last of those that are done, and masks."""
        info: dict[str, Any] = {}
        if last is not None:
            seen, masks = last
            if masks is None:
                masks = np.zeros((len(seen), *self._masks.shape[1:]), self._masks.dtype)
            seen_last = {"observation": seen, "action_mask": masks}
            info = final_infos(done, seen_last, {"was_legal": was_legal.copy()})
            stepped = stepped & ~done
        info |= told("was_legal", was_legal, stepped)
        return info if begun is None else info | self._told_begun(*begun)

    def _cut(self, cut: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """End episodes whose battles are not over; the masks that are seen last, of all environments."""
        batch = self._batch
        masks = np.zeros(self._masks.shape, self._masks.dtype)
        batch.states[cut] = OVER
        if self._mode == SAME_STEP and np.count_nonzero(cut):
            masks[cut] = self._masks[cut]
            batch.finals[cut] = batch.seen[cut]
            batch.streams[cut] += batch.stride
            kept = batch.rewards.copy(), batch.ended.copy(), batch.was_legal.copy(), batch.states[~cut].copy()
            batch.states[~cut] = HELD
            self._begin(cut)
            batch.rewards[...], batch.ended[...], batch.was_legal[...], batch.states[~cut] = kept
        return masks

    def shared_arrays(self) -> Arrays:
        """The arrays that each step overwrites, in place: `observation`, `action_mask` and `reward`.

        For libraries that take memory as it is: `torch.from_numpy`, `np.from_dlpack` and others make tensors of them
        once, without a copy, and these show every later step. Nothing may write to them: a step leaves in place what
        has not changed.
        """
        batch = self._batch
        arrays = {"observation": batch.seen, "action_mask": batch.masks, "reward": batch.rewards}
        return {name: self._of_agents(array) for name, array in arrays.items()}

    def _refuse_illegal(self, chosen: np.ndarray[Any, Any]) -> None:
        """Check that all actions are legal.

        Raises:
            UsageError: one is not.
        """
        batch = self._batch
        every = np.zeros(batch.rewards.shape, np.int64)
        of_agents = every if self._own is None else every[:, self._own]
        of_agents[...] = chosen
        was_legal = self._of_agents(batch.is_legal(every))
        for place in np.argwhere(~was_legal)[:1].tolist():
            where = f"actions[{', '.join(map(str, place))}]"
            raise illegal(where, int(chosen[tuple(place)]), self._masks[tuple(place)])

    def _told_begun(self, begun: Any, streams: Any, starts: Any, seeds: Any) -> dict[str, Any]:
        """What is told of battles that have begun; `streams` changes."""
        names = self._names[(streams + starts) % len(self._batch.scenarios)]
        return told("actions", names, begun) | told("seed", seeds.copy(), begun) | told("stream", streams, begun)

    @cached_property
    def _names(self) -> np.ndarray[Any, Any]:
        """What actions are called in each content, lists in (contents,); of both sides if agents play both."""
        batch = self._batch
        found = np.full(len(batch.scenarios), None, object)
        for content, scenario in enumerate(batch.scenarios):
            names = [batch.interface.action_names(scenario.document, int(side)) for side in batch.agents]
            found[content] = names if self._own is None else names[self._own]
        return found

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

    def _handed_out(self, view: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return view.copy() if self._copies else view
