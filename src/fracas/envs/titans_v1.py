"""Titans for agents on both sides, who choose at once. For one agent: `gymnasium.make("fracas/Titans-v1")`."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.envs.scenarios import ScenarioSource
from fracas.envs.two_players import ParallelBattleEnv


def parallel_env(
    scenario: ScenarioSource | Sequence[ScenarioSource] | None = None, render_mode: str | None = None
) -> ParallelBattleEnv:
    """A duel of titans in which agents play both sides; see `fracas.envs.single.BattleEnv` for the parameters."""
    return ParallelBattleEnv("titans", scenario, render_mode)
