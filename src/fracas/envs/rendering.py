"""A plain picture of what an agent sees: HP of both sides, and how far the battle has come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fracas.rulesets.contract.agents import Feature

Pixels = np.ndarray[Any, np.dtype[np.uint8]]

HEIGHT, WIDTH, MARGIN = 120, 320, 16
BACKGROUND, TROUGH, OWN, ENEMY, PROGRESS = (24, 26, 32), (52, 56, 66), (86, 176, 120), (214, 106, 92), (120, 140, 190)


def drawing(features: Sequence[Feature], seen: np.ndarray[Any, Any]) -> Pixels:
    """A (120, 320, 3) picture of what an agent sees: HP of both sides and the round, as bars."""
    pixels = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:] = BACKGROUND
    values = {feature.name: float(value) for feature, value in zip(features, seen, strict=True)}
    shares = [_mean(values, "own"), _mean(values, "enemy"), float(seen[0])]
    top = MARGIN
    for share, colour, height in zip(shares, (OWN, ENEMY, PROGRESS), (30, 30, 8), strict=True):
        length = WIDTH - 2 * MARGIN
        pixels[top : top + height, MARGIN : MARGIN + length] = TROUGH
        pixels[top : top + height, MARGIN : MARGIN + round(length * min(max(share, 0.0), 1.0))] = colour
        top += height + 10
    return pixels


def _mean(values: dict[str, float], whose: str) -> float:
    """The mean share of HP of a side's units, as far as an agent sees them."""
    shares = [value for name, value in values.items() if name.startswith(whose) and name.endswith((".hp", ".health"))]
    present = [share for share in shares if share > 0]
    return sum(present) / max(len(present), 1)
