"""Delve for agents on both sides, in turns. For one agent: `gymnasium.make("fracas/Delve-v1")`."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.envs.scenarios import ScenarioSource
from fracas.envs.two_players import TurnBattleEnv


def env(
    scenario: ScenarioSource | Sequence[ScenarioSource] | None = None, render_mode: str | None = None
) -> TurnBattleEnv:
    """A fight of delve in which agents play both sides; see `fracas.envs.single.BattleEnv` for the parameters."""
    return TurnBattleEnv("delve", scenario, render_mode)
