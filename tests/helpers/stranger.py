"""A stranger's game: a file with rules, a scenario beside it, and commands that are told of it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

GAME = """\
from tests.helpers.stand_in import Game, d100_within, flip, kernel, open_address


@kernel
def play_round(battle, log):
    for index in range(2):
        side = battle.sides[index]
        open_address(battle.dice, battle.tick, index)
        roll = d100_within(battle.dice, side.percent)
        if roll <= side.percent:
            side.count += 1
        flip(battle, log, index, roll)


game = Game("coins", version=1)
"""
SCENARIO = """\
ruleset = "coins"
id = "first"

[[sides]]
name = "Ada"
coin = { name = "Fair", heads = 50 }

[[sides]]
name = "Bo"
coin = { name = "Bent", heads = 45 }
"""
ROOT = Path(__file__).parents[2]


@dataclass
class Stranger:
    """A folder of somebody who has a game of their own."""

    folder: Path

    @property
    def file(self) -> Path:
        """The game."""
        return self.folder / "coins.py"

    @property
    def scenario(self) -> Path:
        """A battle of it."""
        return self.folder / "first.toml"

    def __post_init__(self) -> None:
        self.write()
        self.scenario.write_text(SCENARIO)

    def write(self, **changes: str) -> Path:
        """Write the game, with a text replaced: `old=..., new=...`."""
        text = GAME.replace(changes["old"], changes["new"]) if changes else GAME
        assert not changes or text != GAME
        self.file.write_text(text)
        return self.file

    def fracas(self, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the program in this folder, playing plain Python, with the tests importable for the stand-in."""
        return subprocess.run(
            [sys.executable, "-P", "-m", "fracas", *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, "FRACAS_JIT": "0", "PYTHONPATH": str(ROOT), **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
