"""Looks for hidden state in what the other side sees, may do and chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fracas.envs.batch import BattleBatch
from fracas.kit import Game
from fracas.kit.derive.agents import AgentKernels, agent_kernels
from fracas.kit.derive.shape import Plan, Shape


def leaks(batch: BattleBatch, game: Game, rng: np.random.Generator) -> Iterator[str]:
    """What changes for a side when only the other's hidden words change, in the first battle of a batch."""
    kernels = agent_kernels(game.agent_parts)
    for side in range(2):
        record = batch.battles[:1].copy()
        cursor = batch.cursors[0].copy()
        before = _view(kernels, batch, record[0], side, cursor)
        _scramble(game.built.shape, record[0].sides[1 - side], game.built.shape.side, rng)
        after = _view(kernels, batch, record[0], side, cursor)
        for what, one, other in zip(("observation", "mask"), before, after, strict=True):
            if not np.array_equal(one, other):
                yield f"the {what} of side {side + 1}"


def _view(kernels: AgentKernels, batch: BattleBatch, battle: Any, side: int, cursor: Any) -> tuple[Any, Any]:
    interface = batch.interface
    seen, masks = np.zeros((1, len(interface.features)), np.float32), np.zeros((1, interface.actions), np.int8)
    kernels.observe(battle, np.array([side]), cursor, seen, masks, True)
    return seen, masks


def _scramble(shape: Shape, record: Any, plan: Plan, rng: np.random.Generator) -> None:
    """Put other small numbers into all hidden words of a side and its units."""
    for each in plan.states:
        if each.spec.is_hidden:
            record[each.name] = rng.integers(1, 4, each.length) if each.is_list else int(rng.integers(1, 4))
    if plan is shape.side and shape.units is not None:
        for unit in record[shape.units.name]:
            _scramble(shape, unit, shape.unit, rng)
