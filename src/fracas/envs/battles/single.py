"""One agent in one battle, as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle

from fracas.engine.battle import Battle
from fracas.envs.arguments import action_of, illegal, side_of, whole_number
from fracas.envs.battles.match import MOST_COPIES, RENDER_MODES, Match, Observation, Snapshot
from fracas.envs.battles.search import Chooser, Search
from fracas.envs.descriptions import observation_space
from fracas.envs.scenarios import Opponent, ScenarioSource, scenarios_of
from fracas.errors import UsageError
from fracas.kernel.stepping import MOST_STREAMS


class BattleEnv(gymnasium.Env[Observation, np.int64], EzPickle):
    """One side of a battle is the agent's; a policy of the content or a function plays the other.

    A step is one decision of the agent. The reward is 1 for a win, -1 for a defeat and 0 for a draw and for every step
    before the end. `reset(seed=N)` begins battle 0 of the seed text "N"; further resets play battles 1, 2, 3... Without
    a seed the dice are those of the scenario's own seed.

    Args:
        ruleset: The ruleset's name.
        scenario: What is played: a path, mapping or loaded scenario, a list of such, "random" for 64 scenarios of the
            generator; None is the ruleset's standard example. Of several, battle n of `reset(seed=s)` plays scenario
            (s + n) % len, without a seed n % len.
        side: The agent's side, 1 or 2.
        opponent: Who plays the other side. None keeps the scenario's own; a string or a mapping is a policy or
            strategy as in a scenario; a function gets the other side's observation and returns its action.
        render_mode: "ansi" tells the battle so far, "rgb_array" draws it.
        strict: Whether an illegal action is an error; else the first legal one is played.
        version: Of observations: 1, or 2, which also describes abilities and how long things last.

    Raises:
        InputError: a scenario or opponent that does not load.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012  # Gymnasium's own form

    def __init__(
        self,
        ruleset: str,
        scenario: ScenarioSource | Sequence[ScenarioSource] | None = None,
        side: int = 1,
        opponent: Any | Chooser = None,
        render_mode: str | None = None,
        strict: bool = False,
        version: int = 1,
    ) -> None:
        EzPickle.__init__(self, ruleset, scenario, side, opponent, render_mode, strict, version)
        own = side_of(side) - 1
        self._chooser: Chooser | None = opponent if callable(opponent) else None
        policy = None if self._chooser else Opponent(1 - own, opponent)
        agents = (0, 1) if self._chooser else (own,)
        scenarios = scenarios_of(ruleset, scenario, policy, (own,))
        self._match = Match(scenarios, agents, render_mode, strict=strict, version=version)
        self._own = agents.index(own)
        self.render_mode = render_mode
        self._actions = self._match.batch.interface.actions
        self.observation_space: gymnasium.Space[Any] = observation_space(self._match.batch.features, self._actions)
        self.action_space = spaces.Discrete(self._actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the next battle; with a seed, battle 0 of that seed.

        options: `stream`, the number of the battle to play; others are not read.

        Raises:
            UsageError: a stream that is none, or no battle in which the agent has a decision.
        """
        super().reset(seed=seed)
        self._match.begin(seed, options)
        self._let_opponent_decide()
        tries = 1
        while self._match.is_over:
            if tries == MOST_STREAMS:
                raise UsageError.of(
                    "scenario", f"is decided before an agent has anything to choose, in {tries} battles in a row"
                )
            self._match.begin(None, None)
            self._let_opponent_decide()
            tries += 1
        return self._match.seen_by(self._own), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the agent's decision, and play on to its next one.

        An illegal action counts as the first legal one; `info["was_legal"]` is then false. In a strict environment it
        is an error, and nothing is played.

        Raises:
            UsageError: the battle has not begun or is over, an action that is no whole number, or an illegal one if
                that is an error.
        """
        match, own = self._match, self._own
        was_legal = match.play(self._decisions(action_of(action, self._actions)))[own]
        if self._chooser is not None:
            self._let_opponent_decide()
        return match.seen_by(own), float(match.batch.rewards[0, own]), match.is_over, False, {"was_legal": was_legal}

    def _decisions(self, action: int) -> list[int]:
        """What both decide, the agent's action in its place."""
        if self._chooser is None:
            return [action]
        other = 1 - self._own
        asked = int(self._chooser(self._match.seen_by(other))) if other in self._match.deciding() else 0
        return [asked, action] if self._own else [action, asked]

    def _let_opponent_decide(self) -> None:
        """Play on while only the other side has something to decide."""
        while not self._match.is_over and self._own not in self._match.deciding():
            self._match.play(self._decisions(0))

    def _info(self) -> dict[str, Any]:
        return {"actions": self._match.action_names(self._own), "seed": self._match.seed, "stream": self._match.stream}

    def action_names(self) -> list[str]:
        """What the actions are called in this battle, by number; empty for those that it does not have."""
        return self._match.action_names(self._own)

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Which actions are legal now, (actions,) bool: the method that masked agents of other libraries look for."""
        masks: np.ndarray[Any, Any] = self._match.batch.masks[0, self._own].astype(bool)
        return masks

    def battle(self) -> Battle:
        """The battle that was played, to save, tell and verify; see `Match.battle`."""
        return self._match.battle()

    def snapshot(self) -> Snapshot:
        """The battle as it stands, to go back to; it holds no dice."""
        return self._match.snapshot()

    def restore(self, snapshot: Snapshot) -> Observation:
        """Go back to a snapshot of this battle; what the agent sees there.

        Raises:
            UsageError: the snapshot is of another battle, or its decisions cannot be played.
        """
        self._match.restore(snapshot)
        return self._match.seen_by(self._own)

    def search(self, copies: int = 1) -> Search:
        """Copies of the battle as it stands, which can be stepped; their dice are never the battle's own.

        Raises:
            UsageError: no battle is under way, or a number of copies outside 1 to 65,536.
        """
        return self._match.search(self._own, copies, self._chooser)

    def children(self, action: int, samples: int = 1) -> Search:
        """Where an action may lead: so many copies of the battle, one step on.

        Raises:
            UsageError: no battle is under way, an illegal action, or a number of samples outside 1 to 65,536.
        """
        chosen = action_of(action, self._actions)
        samples = whole_number("samples", samples, 1, MOST_COPIES)
        if not self._match.is_over and not self._match.batch.masks[0, self._own][chosen : chosen + 1].any():
            raise illegal("action", chosen, self._match.batch.masks[0, self._own])
        found = self.search(samples)
        found.step(np.full(samples, chosen))
        return found

    def render(self) -> Any:
        """The battle so far: a text for "ansi", a (120, 320, 3) picture for "rgb_array"."""
        return self._match.render(self._own)
