"""Makes what the modules `titans_v1` to `stacks_v2` hold: PettingZoo environments of a ruleset, for both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pettingzoo.utils.conversions import parallel_to_aec

from fracas.envs.battles.two_players import ParallelBattleEnv, TurnBattleEnv
from fracas.envs.scenarios import ScenarioSource

Scenarios = ScenarioSource | Sequence[ScenarioSource] | None


class BothSides:
    """The environments of a ruleset in which agents play both sides."""

    def __init__(self, ruleset: str, version: int, *, at_once: bool = False) -> None:
        self._ruleset, self._version, self._at_once = ruleset, version, at_once

    def parallel_env(
        self,
        scenario: Scenarios = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        strict: bool = False,
    ) -> ParallelBattleEnv:
        """A battle in which both sides are asked at each step; see `ParallelBattleEnv`.

        Where sides take turns, the mask of the one who has nothing to decide is all 0, and its action is not read.
        """
        return ParallelBattleEnv(self._ruleset, scenario, render_mode, max_cycles, strict, self._version)

    def env(
        self,
        scenario: Scenarios = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        strict: bool = False,
    ) -> Any:
        """A battle in which agents choose one after the other: an `AECEnv`, which keeps no type of what it adds.

        Where sides take turns, see `TurnBattleEnv`. Where they decide at once, neither sees what the other has chosen.
        """
        if self._at_once:
            return parallel_to_aec(self.parallel_env(scenario, render_mode, max_cycles, strict))
        return TurnBattleEnv(self._ruleset, scenario, render_mode, max_cycles, strict, self._version)
