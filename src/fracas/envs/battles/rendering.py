"""A plain picture of what an agent sees: HP of both sides, and how far the battle has come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fracas.rulesets.contract.agents import Feature

Pixels = np.ndarray[Any, np.dtype[np.uint8]]

HEIGHT, WIDTH, MARGIN = 120, 320, 16
BACKGROUND, GROOVE, OWN, ENEMY, PROGRESS = (24, 26, 32), (52, 56, 66), (86, 176, 120), (214, 106, 92), (120, 140, 190)


def drawing(features: Sequence[Feature], seen: np.ndarray[Any, Any]) -> Pixels:
    """A (120, 320, 3) picture of what an agent sees: HP of both sides and the round, as bars."""
    values = {feature.name: float(value) for feature, value in zip(features, seen, strict=True)}
    vitals = {feature.name: values[feature.name] for feature in features if feature.is_vital}
    if vitals:
        shares = [[value for name, value in vitals.items() if name.startswith(who)] for who in ("own", "enemy")]
        own, enemy = (sum(each) / max(len([value for value in each if value > 0]), 1) for each in shares)
        return bars(own, enemy, float(seen[0]))
    return bars(_mean(values, is_own=True), _mean(values, is_own=False), float(seen[0]))


def bars(own: float, enemy: float, progress: float) -> Pixels:
    """A (120, 320, 3) picture of three shares, 0 to 1."""
    pixels = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:] = BACKGROUND
    shares = [own, enemy, progress]
    top = MARGIN
    for share, colour, height in zip(shares, (OWN, ENEMY, PROGRESS), (30, 30, 8), strict=True):
        length = WIDTH - 2 * MARGIN
        pixels[top : top + height, MARGIN : MARGIN + length] = GROOVE
        pixels[top : top + height, MARGIN : MARGIN + round(length * min(max(share, 0.0), 1.0))] = colour
        top += height + 10
    return pixels


def _mean(values: dict[str, float], *, is_own: bool) -> float:
    """The mean share of HP of a side's living units, as far as an agent sees them."""
    shares = [value for name, value in values.items() if value > 0 and _is_hp_of(values, name, is_own=is_own)]
    return sum(shares) / max(len(shares), 1)


def _is_hp_of(values: dict[str, float], name: str, *, is_own: bool) -> bool:
    """Whether an entry is the share of HP of a unit of a side."""
    unit, _, what = name.rpartition(".")
    if what == "health" and f"{unit}.side" in values:
        return values[f"{unit}.side"] == (1 if is_own else -1)
    return what == "hp" and name.startswith("own" if is_own else "enemy")
