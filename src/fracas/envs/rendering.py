"""Pictures of a battle: its story as text, and a plain drawing of both sides' HP as pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fracas.engine.battle import Battle
from fracas.rulesets.contract.agents import Feature

Pixels = np.ndarray[Any, np.dtype[np.uint8]]

HEIGHT, WIDTH, MARGIN = 120, 320, 16
BACKGROUND, TROUGH, OWN, ENEMY, PROGRESS = (24, 26, 32), (52, 56, 66), (86, 176, 120), (214, 106, 92), (120, 140, 190)


def story_until(battle: Battle, tick: int) -> str:
    """The story of a battle up to a tick that is not told any more."""
    return "\n".join(line.text for line in battle.lines() if line.tick < tick)


def drawing(features: Sequence[Feature], seen: np.ndarray[Any, Any]) -> Pixels:
    """A (120, 320, 3) picture of what an agent sees: HP of both sides and the round, as bars."""
    pixels = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:] = BACKGROUND
    values = {feature.name: float(value) for feature, value in zip(features, seen, strict=True)}
    bars = ((values["own.hp"], OWN, 30), (values["enemy.hp"], ENEMY, 30), (values["round"], PROGRESS, 8))
    top = MARGIN
    for share, colour, height in bars:
        length = WIDTH - 2 * MARGIN
        pixels[top : top + height, MARGIN : MARGIN + length] = TROUGH
        pixels[top : top + height, MARGIN : MARGIN + round(length * min(max(share, 0.0), 1.0))] = colour
        top += height + 10
    return pixels
