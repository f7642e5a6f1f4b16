"""Titans for agents on both sides, who choose at once. For one agent: `gymnasium.make("fracas/Titans-v1")`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.conversions import parallel_to_aec

from fracas.envs.battles.two_players import ParallelBattleEnv
from fracas.envs.scenarios import ScenarioSource


def parallel_env(
    scenario: ScenarioSource | Sequence[ScenarioSource] | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> ParallelBattleEnv:
    """A duel of titans in which agents play both sides; see `fracas.envs.battles.two_players.ParallelBattleEnv`."""
    return ParallelBattleEnv("titans", scenario, render_mode, max_cycles)


def env(
    scenario: ScenarioSource | Sequence[ScenarioSource] | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> AECEnv[Any, Any, Any]:
    """The same for libraries that let agents choose one after the other: neither sees what the other has chosen."""
    return parallel_to_aec(parallel_env(scenario, render_mode, max_cycles))
