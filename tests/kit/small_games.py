"""Small games as strangers would write them, in `games/`: one for each shape of play, two with plans in their files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

import fracas
from fracas.engine.scenario import Scenario
from fracas.kit import Game

FOLDER = Path(__file__).parent / "games"
SHAPES = ("line", "guess", "brawl", "race")
PLANNED = ("camp", "bids")


def text_of(name: str) -> str:
    """A game's file."""
    return (FOLDER / f"{name}.py").read_text(encoding="utf-8")


def scenario_text(name: str) -> str:
    """A game's scenario."""
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def document_of(name: str) -> dict[str, Any]:
    """A game's scenario, read."""
    return tomllib.loads(scenario_text(name))


def used(folder: Path, name: str, change: tuple[str, str] = ("", "")) -> Game:
    """One of the games, perhaps with a piece of its text replaced, in a folder; scenarios may name it from now on."""
    text = text_of(name)
    assert change[0] in text
    file = folder / f"{name}.py"
    file.write_text(text.replace(*change) if change[0] else text)
    game = fracas.use(file)
    assert isinstance(game, Game)
    return game


def rows_of(scenario: Scenario, play: Any, stream: int, *, logged: bool = True) -> tuple[bytes, list[Any]]:
    """The result and the rows of one battle, played by an entry point."""
    kernels = scenario.ruleset.kernels
    results, log = np.zeros(1, kernels.result_type), np.zeros(1, kernels.log_type)
    play(scenario.compiled.own_record(), stream, results, log if logged else None, None)
    assert not results["fault"].any()
    return results.tobytes(), log[0].rows[: log[0].count].tolist()
