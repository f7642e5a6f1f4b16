"""Copies of battles to look ahead in: the same states with other dice, so that no agent learns what will be rolled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fracas.envs.arguments import actions_of, illegal, shown
from fracas.envs.batch import Array, BattleBatch
from fracas.errors import UsageError
from fracas.kernel.chacha8 import BLOCK_WORDS
from fracas.kernel.stepping import DISABLED, HELD, OVER, PLAYING
from fracas.rulesets.shared.seeds import key_words

# What is put behind a seed text for the dice of a search.
SEARCH = "/search"


def forget_dice(records: Array) -> None:
    """Clear the dice of battles: key, stream and all words drawn so far."""
    records["dice"] = np.zeros((), records.dtype["dice"])


class SearchBatch(BattleBatch):
    """Up to `count` copies of battles, side by side. They roll under the seed text with "/search" behind it.

    Agents play the same sides as in the battles that are copied.
    """

    def __init__(self, source: BattleBatch, count: int) -> None:
        super().__init__(source.scenarios, source.agents.tolist(), count, version=source.version, like=source)
        self.used = 0

    def load(self, source: BattleBatch, rows: Array, seed: str, first: int) -> None:
        """Copy the battles at the places `rows`, (m,), of a batch. Copy k rolls stream first + k of the search.

        `source` may be this batch itself.
        """
        used = self.used = len(rows)
        part = slice(0, used)
        # As bytes: NumPy copies records field by field, which takes twenty times as long.
        raw = np.dtype((np.void, self.kind.itemsize))
        self.battles.view(raw)[part] = source.battles.view(raw)[rows]
        forget_dice(self.battles[part])
        dice = self.battles["dice"]
        dice["key"][part] = key_words(seed + SEARCH)
        streams = np.arange(first, first + used, dtype=np.uint64)
        dice["stream"][part, 0] = streams & 0xFFFFFFFF
        dice["stream"][part, 1] = streams >> np.uint64(32)
        # As kernel/dice.py, seek_stream: nothing is filled yet.
        for name in ("lanes_filled", "turns_lane", "ticks_lane", "block"):
            dice[name][part] = -1
        dice["cursor"][part] = BLOCK_WORDS
        self.cursors[part] = source.cursors[rows]
        self.states[part] = source.states[rows]
        self.streams[part], self.starts[part] = source.streams[rows], source.starts[rows]
        self.seen[part], self.masks[part] = source.seen[rows], source.masks[rows]
        self.rewards[part], self.ended[part] = 0.0, 0

    def play(self, actions: Array) -> None:
        """Play all copies one step on, by actions (m, agents); those that are over stay as they are."""
        self._actions[: self.used] = actions
        self._play(self._whole.part(0, self.used), DISABLED)

    def undecided(self) -> Array:
        """Which copies are still under way, (m,) bool."""
        under_way: Array = self.states[: self.used] == PLAYING
        return under_way

    def over(self) -> Array:
        """Which copies are decided, (m,) bool."""
        decided: Array = self.states[: self.used] == OVER
        return decided


# Plays the other side: from its observation and mask to an action.
Chooser = Callable[[dict[str, Array]], Any]


def places_of(rows: Any, count: int) -> Array:
    """Places of copies, (m,) int64.

    Raises:
        UsageError: they are none.
    """
    chosen = np.asarray(rows)
    if chosen.ndim != 1 or not chosen.size or chosen.dtype.kind not in "iu":
        raise UsageError.of("rows", f"is {shown(rows)}; take an array of places of copies")
    if chosen.min() < 0 or chosen.max() >= count:
        raise UsageError.of("rows", f"has places from {chosen.min()} to {chosen.max()}; there are {count:,} copies")
    return chosen.astype(np.int64)


class Search:
    """Copies of a battle, which can be stepped: where it may lead, never where it does.

    Each copy rolls dice of its own, those of the seed text with "/search" behind it, so nothing here tells what the
    battle itself will roll. The same calls give the same copies. `BattleEnv.search` and `BattleEnv.children` make them;
    the other side plays as in that environment.
    """

    def __init__(self, source: BattleBatch, own: int, chooser: Chooser | None, copies: int, seed: str) -> None:
        self._root = SearchBatch(source, 1)
        self._root.load(source, np.zeros(1, np.int64), seed, 0)
        self._seed, self._own, self._chooser, self._first = seed, own, chooser, 0
        self._play: SearchBatch = SearchBatch(source, copies)
        self.restart()

    def __len__(self) -> int:
        """How many copies there are."""
        return self._play.used

    @property
    def observations(self) -> Array:
        """What agents see, (copies, agents, features) float32."""
        return self._play.seen[: len(self)].copy()

    @property
    def masks(self) -> Array:
        """Which actions are legal, (copies, agents, actions) int8; none in copies that are over."""
        return self._play.masks[: len(self)].copy()

    @property
    def rewards(self) -> Array:
        """The rewards of the last step, (copies, agents) float64."""
        return self._rewards.copy()

    @property
    def ended(self) -> Array:
        """Which copies are over, (copies,) bool."""
        return self._play.over()

    def restart(self) -> None:
        """Go back to the state that was copied, in all copies, with further dice."""
        self._load(self._root, np.zeros(self._play.count, np.int64))

    def select(self, rows: Any) -> Search:
        """Copies of some of these copies, in an order of your own and as often as you like, with further dice.

        rows: (m,) places of copies.

        Raises:
            UsageError: rows are no places of copies.
        """
        chosen = places_of(rows, len(self))
        other = object.__new__(Search)
        other._root, other._seed, other._own, other._chooser = self._root, self._seed, self._own, self._chooser
        other._play = SearchBatch(self._play, len(chosen))
        other._first = self._first
        other._load(self._play, chosen)
        self._first = other._first
        return other

    def step(self, actions: Any) -> tuple[Array, Array]:
        """Play every copy on to its next decision; the rewards, (copies, agents), and which copies are over, (copies,).

        actions: (copies,), or (copies, 2) if agents play both sides. Not read in copies that are over.

        Raises:
            UsageError: actions of another shape or type, or an illegal one.
        """
        play, count = self._play, len(self)
        every = np.zeros((count, len(play.agents)), np.int64)
        own: Any = slice(None) if self._own < 0 else self._own
        chosen = actions_of(actions, every[:, own].shape)
        every[:, own] = chosen
        was_legal = self._is_legal(every)[:, own]
        for place in np.argwhere(~was_legal)[:1].tolist():
            mask = play.masks[:count, own][tuple(place)]
            raise illegal(f"actions[{', '.join(map(str, place))}]", int(chosen[tuple(place)]), mask)
        self._ask(every, play.undecided())
        play.play(every)
        self._rewards = play.rewards[:count].copy()
        self._let_opponent_decide()
        return self.rewards, self.ended

    def _load(self, source: SearchBatch, rows: Array) -> None:
        self._play.load(source, rows, self._seed, self._first)
        self._first += len(rows)
        self._rewards = np.zeros((len(rows), len(self._play.agents)))

    def _is_legal(self, every: Array) -> Array:
        play = self._play
        padded = np.zeros((play.count, every.shape[1]), np.int64)
        padded[: len(every)] = every
        legal: Array = play.is_legal(padded)[: len(every)] | ~play.undecided()[:, None]
        return legal

    def _ask(self, every: Array, copies: Array) -> None:
        """Put in what the other side's function chooses in these copies, where it has something to decide."""
        if self._chooser is None:
            return
        other = 1 - self._own
        seen, masks = self._play.seen[:, other], self._play.masks[:, other]
        for place in np.flatnonzero(copies & masks[: len(self)].any(axis=1)).tolist():
            observation = {"observation": seen[place].copy(), "action_mask": masks[place].copy()}
            every[place, other] = int(self._chooser(observation))

    def _let_opponent_decide(self) -> None:
        """Play on the copies in which only the other side's function has something to decide."""
        play, count = self._play, len(self)
        while self._chooser is not None:
            waiting = play.undecided() & ~play.masks[:count, self._own].any(axis=1)
            if not waiting.any():
                break
            every = np.zeros((count, len(play.agents)), np.int64)
            self._ask(every, waiting)
            held = play.states[:count][~waiting]
            play.states[:count][~waiting] = HELD
            play.play(every)
            play.states[:count][~waiting] = held
            self._rewards[waiting] += play.rewards[:count][waiting]
