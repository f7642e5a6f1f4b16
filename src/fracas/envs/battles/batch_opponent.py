"""A function that plays one side of a batch: it is asked for all battles at once, as often as its side decides."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fracas.envs.batch import Array, BattleBatch
from fracas.errors import UsageError
from fracas.kernel.stepping import DISABLED, FRESH, HELD, MOST_STREAMS, NEXT_STEP, OVER, PLAYING, SAME_STEP

# Gets what its side sees in all battles, as a vector environment hands it out; returns an action for each, (envs,).
BatchChooser = Callable[[dict[str, Array]], Array]


class BatchOpponent:
    """Plays a side of a batch in which agents play both, so that only the other side's decisions are left.

    A step of the batch makes one decision. In rulesets with turns the opponent may then decide several times before the
    agent's next turn: battles in which the agent has to decide wait meanwhile. After `begin` and `step` the batch's
    arrays hold what the agent is to be told.

    Args:
        batch: Both sides are agents.
        own: The agent's place among `batch.agents`; the opponent has the other one.
        chooser: The function.
    """

    def __init__(self, batch: BattleBatch, own: int, chooser: BatchChooser) -> None:
        self._batch, self._chooser = batch, chooser
        self._own, self._other = own, 1 - own
        # What the function gets cannot be written to.
        self._seen, self._masks = batch.seen[:, self._other].view(), batch.masks[:, self._other].view()
        self._seen.flags.writeable = self._masks.flags.writeable = False

    def begin(self, which: Array | None = None) -> None:
        """Begin a new battle with each stream, in all places or where `which` is true, up to the agent's decision."""
        self._batch.begin(which)
        self._play_on(np.ones(self._batch.count, bool) if which is None else which, DISABLED)

    def step(self, actions: Array, mode: int) -> None:
        """Make the agent's decisions, (n,), and play on to its next ones.

        Raises:
            UsageError: the function returned something that is no array of actions.
        """
        batch = self._batch
        begun = (batch.states == OVER) & (mode == NEXT_STEP)
        batch.step(self._with_choices(actions), mode)
        self._play_on(begun | (batch.has_ended & (mode == SAME_STEP)), mode)

    def _play_on(self, begun: Array, mode: int) -> None:
        """Let the opponent decide until the agent has to, or the battle is over.

        begun: (n,) bool, which battles began in this step. One of those that is over is passed over for the next one,
        as the agent has had nothing to choose in it.
        """
        batch = self._batch
        rewards, ended, was_legal = batch.rewards.copy(), batch.ended.copy(), batch.was_legal.copy()
        begun, tries = begun.copy(), np.zeros(batch.count, np.int64)
        while True:
            passed_over = begun & (batch.states == OVER)
            batch.streams[passed_over] += batch.stride
            batch.states[passed_over] = FRESH
            tries += passed_over
            if tries.max() >= MOST_STREAMS:
                raise UsageError.of(
                    "scenario", f"is decided before an agent has anything to choose, in {MOST_STREAMS} battles in a row"
                )
            is_asked = batch.masks[:, self._own].any(axis=1)
            plays = (batch.states == FRESH) | ((batch.states == PLAYING) & ~is_asked)
            if not plays.any():
                break
            choices = self._with_choices(0)
            held = batch.states[~plays]
            batch.states[~plays] = HELD
            batch.step(choices, DISABLED)
            batch.states[~plays] = held
            over = batch.has_ended & plays & ~begun
            rewards[over], ended[over] = batch.rewards[over], 1
            if mode == SAME_STEP:
                batch.finals[over] = batch.seen[over]
                begun |= over
        batch.rewards[...], batch.ended[...], batch.was_legal[...] = rewards, ended, was_legal

    def _with_choices(self, actions: Array | int) -> Array:
        """Actions of both sides, (n, 2); the opponent is asked if it has anything to decide."""
        both = np.zeros((self._batch.count, 2), np.int64)
        both[:, self._own] = actions
        if self._masks.any():
            both[:, self._other] = self._asked()
        return both

    def _asked(self) -> Array:
        chosen = np.asarray(self._chooser({"observation": self._seen, "action_mask": self._masks}))
        needed = (self._batch.count,)
        if chosen.shape != needed or not np.issubdtype(chosen.dtype, np.integer):
            told = f"returned an array of {chosen.dtype}, shape {chosen.shape}"
            raise UsageError.of("opponent", f"{told}; it has to return whole numbers, shape {needed}")
        return chosen
