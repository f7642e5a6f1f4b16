"""Titans for agents on both sides, who choose at once. For one agent: `gymnasium.make("fracas/Titans-v1")`."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.envs.battles.two_players import ParallelBattleEnv
from fracas.envs.scenarios import ScenarioSource


def parallel_env(
    scenario: ScenarioSource | Sequence[ScenarioSource] | None = None, render_mode: str | None = None
) -> ParallelBattleEnv:
    """A duel of titans in which agents play both sides; parameters as for `fracas.envs.battles.single.BattleEnv`."""
    return ParallelBattleEnv("titans", scenario, render_mode)
