"""A fight in a terminal of 80 x 24: every picture fits, and the last one tells the result."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console
from tests.helpers import soak
from tests.helpers.scenarios import STANDARD

import fracas
from fracas.cli.play.terminal_stage import COLUMNS, ROWS, pictures
from fracas.content.packs import examples_folder
from fracas.engine.battle import Battle
from fracas.kit import load
from fracas.rulesets import registry

GAMES = Path(__file__).parents[2] / "examples" / "games"


# One without bars, and one whose units call others.
@pytest.mark.parametrize("name", soak.some([*registry.NAMES, "coins", "pets"], 4))
def test_every_picture_fits_and_the_last_tells_the_result(name: str) -> None:
    if name in registry.NAMES:
        every_picture_of(fracas.run(fracas.load(examples_folder() / name / f"{STANDARD[name]}.toml")))
        return
    with load.fresh():
        fracas.use(GAMES / name / f"{name}.py")
        every_picture_of(fracas.run(fracas.load(GAMES / name / "scenarios" / "first.toml")))


def every_picture_of(battle: Battle) -> None:
    console = Console(width=COLUMNS, height=ROWS, color_system=None)
    every = [picture for picture, _ in pictures(battle)]
    assert len(every) > 10
    shown = [console.render_lines(picture, pad=False) for picture in (*every[:-1:15], every[-1])]
    for lines in shown:
        assert len(lines) == ROWS
        assert all(sum(segment.cell_length for segment in line) <= COLUMNS for line in lines)
    texts = ["".join(segment.text for segment in line) for lines in shown for line in lines]
    assert any("▀" in text for text in texts)
    assert not any("newcomer" in text for text in texts)
    told = [line for line in battle.lines() if line.text.strip()]
    result = next(line for line in told if line.event == max(each.event for each in told))
    assert any(result.text.strip()[:40] in text for text in texts[-ROWS:])
