"""Names that no file system can hold are a user's slip, wherever a command takes the name of a file."""

from __future__ import annotations

import pytest
from tests.helpers.commands import BAD_INPUT

LONG = "x" * 300
BATTLE = "examples/squads/first-battle.toml"
COMMANDS = (
    ("run", LONG),
    ("run", BATTLE, "--save", LONG),
    ("run", BATTLE, "--plugin", LONG),
    ("run", BATTLE, "--content", LONG),
    ("simulate", BATTLE, "-n", 10, "--out", f"{LONG}.parquet"),
    ("simulate", BATTLE, "-n", 10, "--out", f"{LONG}.json", "--resume"),
    ("lab", "sweep", BATTLE, "left.units.0.attack=1:2:1", "--resume", LONG),
    ("optimise", BATTLE, "--save", f"{LONG}.toml"),
    ("report", BATTLE, "--out", f"{LONG}.html"),
    ("duel", "examples/titans/ada-and-bo.toml", "--player", "Bo", "--against", "greedy", "--out", f"{LONG}.json"),
    ("duel", "--resume", LONG),
    ("new", "squads", f"{LONG}.toml"),
    ("publish", "share", LONG),
    ("lab", "replay", LONG),
    ("verify", LONG),
    ("why", LONG),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: f"{words[0]}-{words[-2]}"[:24])
def test_a_name_that_is_too_long_is_bad_input(words, fracas_cli):
    ended = fracas_cli(*words)
    assert ended.status == BAD_INPUT
    assert "fault" not in ended.err
