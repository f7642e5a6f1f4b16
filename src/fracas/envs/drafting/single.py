"""A draft before a battle, as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle

from fracas.engine.battle import Battle
from fracas.envs.arguments import action_of, illegal, shown, side_of, whole_number
from fracas.envs.battles.match import MOST_COPIES, RENDER_MODES, Observation
from fracas.envs.battles.rendering import bars
from fracas.envs.descriptions import observation_space
from fracas.envs.drafting.match import DraftMatch, DraftSearch, DraftSnapshot
from fracas.envs.scenarios import Opponent, ScenarioSource, scenarios_of
from fracas.errors import UsageError


class DraftEnv(gymnasium.Env[Observation, np.int64], EzPickle):
    """A side's build is drafted by the agent; the battle against the other side's build is the reward.

    A step takes, places or leaves what is offered. The last one plays the battle: the reward is 1 for a win, -1 for a
    defeat, 0 for a draw; of several battles their mean. `reset(seed=N)` begins draft 0 of the seed text "N"; further
    resets begin drafts 1, 2, 3... Draft n plays battle n of the seed, or battles n * battles to (n + 1) * battles - 1.

    Args:
        ruleset: The ruleset's name.
        scenario: As for a single environment of battles. The agent's fighter says how many places there are.
        side: The agent's side, 1 or 2.
        opponent: What the other side wears, as in a build file; None is what the scenario says.
        battles: How many battles are played for the reward, 1 to 65,536.
        render_mode: "ansi" tells the draft, then the battle; "rgb_array" draws how full the places are.
        strict: Whether an illegal action is an error; else the first legal one is taken.
        version: Of observations: 1, or 2, which describes what pieces do.

    Raises:
        InputError: a scenario or opponent that does not load, or a scenario in which there is nothing to draft.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012  # Gymnasium's own form

    def __init__(
        self,
        ruleset: str,
        scenario: ScenarioSource | Sequence[ScenarioSource] | None = None,
        side: int = 1,
        opponent: Any = None,
        battles: int = 1,
        render_mode: str | None = None,
        strict: bool = False,
        version: int = 1,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise UsageError.of("render_mode", f"is {shown(render_mode)}; take ansi or rgb_array")
        EzPickle.__init__(self, ruleset, scenario, side, opponent, battles, render_mode, strict, version)
        scenarios = scenarios_of(ruleset, scenario, Opponent(2 - side_of(side), opponent))
        self._match = DraftMatch(scenarios, side, battles, strict=strict, version=version)
        self.render_mode = render_mode
        self.observation_space: gymnasium.Space[Any] = observation_space(
            self._match.spaces.features, self._match.spaces.actions
        )
        self.action_space = spaces.Discrete(self._match.spaces.actions)

    def beside(self, place: int) -> DraftEnv:
        """Another one with the same content, as environment `place` of a batch, which has an own seed by default."""
        other = copy(self)
        other._match = self._match.copy(place)
        return other

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the next draft; with a seed, draft 0 of that seed.

        options: `stream`, the number of the draft to begin; others are not read.

        Raises:
            UsageError: a stream that is none.
        """
        super().reset(seed=seed)
        self._match.begin(seed, options)
        return self._match.seen(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take, place or leave. An action that is not legal counts as the first that is; `info["was_legal"]` says so.

        Raises:
            UsageError: the draft has not begun or is over.
        """
        was_legal = self._match.play(action_of(action, self._match.spaces.actions))
        info = {**self._info(), "was_legal": was_legal}
        return self._match.seen(), self._match.reward, self._match.is_over, False, info

    def _info(self) -> dict[str, Any]:
        names = self._match.draft.action_names(self._match.current_state())
        return {"actions": names, "seed": self._match.seed, "stream": self._match.stream}

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Which actions are legal now, (actions,) bool."""
        return self._match.mask().astype(bool)

    def battle(self) -> Battle:
        """The battle that the draft ended in, to save, tell and verify; see `DraftMatch.battle`."""
        return self._match.battle()

    def snapshot(self) -> DraftSnapshot:
        """The draft as it stands, to go back to; it holds no dice."""
        return self._match.snapshot()

    def restore(self, snapshot: DraftSnapshot) -> Observation:
        """Go back to a snapshot of this draft; what the agent sees there."""
        self._match.restore(snapshot)
        return self._match.seen()

    def search(self, copies: int = 1) -> DraftSearch:
        """Copies of the draft as it stands, which can be stepped; offers and battles have dice of their own."""
        return self._match.search(copies)

    def children(self, action: int, samples: int = 1) -> DraftSearch:
        """Where an action may lead: so many copies of the draft, one step on."""
        chosen = action_of(action, self._match.spaces.actions)
        samples = whole_number("samples", samples, 1, MOST_COPIES)
        if not self._match.is_over and not self._match.mask()[chosen : chosen + 1].any():
            raise illegal("action", chosen, self._match.mask())
        found = self.search(samples)
        found.step(np.full(samples, chosen))
        return found

    def render(self) -> Any:
        """A text for "ansi", a (120, 320, 3) picture for "rgb_array"."""
        state, draft = self._match.current_state(), self._match.draft
        if self.render_mode == "ansi":
            offer = "\n".join(draft.lines(state))
            return f"{offer}\n\n{self._match.battle().story()}" if self._match.is_over else offer
        if self.render_mode == "rgb_array":
            return bars(draft.places_filled(state), 1.0, float(self._match.is_over))
        return None
