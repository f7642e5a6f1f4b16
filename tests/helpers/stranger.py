"""A stranger's game: a file with rules, a scenario beside it, and commands that are told of it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.helpers.commands import Ended, call

from fracas.kit import load

GAME = """\
from enum import IntEnum

from fracas.kit import Battle, Content, Game, Log, Options, Side, d100, draw, event, number, percent, rule, state, win


class Coin(Content, kind="coins"):
    \"\"\"A coin.\"\"\"

    heads: int = percent()


class Rules(Options):
    heads: int = number(1, 1000, default=5)


class Player(Side):
    coin: Coin
    count: int = state()


class Coins(Battle[Player, Rules]):
    pass


class End(IntEnum):
    HEADS = 1
    BOTH = 2


@event("{actor}: {roll}, heads up to {percent}; {count} so far")
def flip(actor: Player, roll: int, percent: int, count: int) -> None:
    \"\"\"A side flips its coin.\"\"\"


@rule
def play_round(battle: Coins, log: Log | None) -> None:
    for side in battle.sides:
        roll = d100(battle, side.coin.heads)
        if roll <= side.coin.heads:
            side.count += 1
        flip(battle, log, side, roll, side.coin.heads, side.count)
    first = battle.sides[0].count >= battle.options.heads
    second = battle.sides[1].count >= battle.options.heads
    if first and second:
        draw(battle, End.BOTH)
    elif first or second:
        win(battle, 0 if first else 1, End.HEADS)


game = Game("coins", version=1, battle=Coins, reasons=End)
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

    def command(self, capsys: Any, *arguments: str) -> Ended:
        """Call a command in this folder, as a process that knows no game would; the caller sets FRACAS_JIT."""
        with contextlib.chdir(self.folder), load.fresh():
            return call(capsys, *arguments)

    def fracas(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run the program in this folder, playing plain Python."""
        return subprocess.run(
            [sys.executable, "-P", "-m", "fracas", *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, "FRACAS_JIT": "0"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
