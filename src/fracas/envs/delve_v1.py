"""Delve for agents on both sides, in turns. For one agent: `gymnasium.make("fracas/Delve-v1")`."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.envs.battles.two_players import TurnBattleEnv
from fracas.envs.scenarios import ScenarioSource


def env(
    scenario: ScenarioSource | Sequence[ScenarioSource] | None = None, render_mode: str | None = None
) -> TurnBattleEnv:
    """A fight of delve in which agents play both sides; parameters as for `fracas.envs.battles.single.BattleEnv`."""
    return TurnBattleEnv("delve", scenario, render_mode)
