"""The example games in which sides choose, as agents play them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

import fracas
from fracas.engine.scenario import Scenario
from fracas.envs.batch import BattleBatch

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
CHOOSING = ("roshambo", "skirmish", "cards")
# Agents replace the plans of a skirmish, so that these tests need no conditions.
PLANS = ("    plan: Strategy = strategy()\n", "Strategy, ", "strategy, ")


def game_file(folder: Path, name: str, *changes: tuple[str, str]) -> Path:
    """An example game in a folder, with pieces of its text replaced."""
    source = EXAMPLES / name
    text = (source / f"{name}.py").read_text()
    if name == "skirmish":
        changes = (*((piece, "") for piece in PLANS), *changes)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.py"
    file.write_text(text)
    for content in source.glob("content/*.toml"):
        (folder / "content").mkdir(exist_ok=True)
        (folder / "content" / content.name).write_text(content.read_text())
    return file


def document_of(name: str) -> dict[str, Any]:
    """The first scenario of an example game."""
    document = tomllib.loads((EXAMPLES / name / "scenarios" / "first.toml").read_text())
    for side in document["sides"]:
        side.pop("plan", None)
    return document


def used(folder: Path, name: str, *changes: tuple[str, str]) -> Scenario:
    """The first scenario of an example game, whose file is used from now on."""
    fracas.use(game_file(folder, name, *changes))
    return fracas.load(document_of(name))


def random_actions(batch: BattleBatch, rng: np.random.Generator) -> Any:
    """A random legal action for every agent, 0 where there is none."""
    return (rng.random(batch.masks.shape) * (batch.masks != 0)).argmax(axis=2)
