"""Commands to try next: they repeat the options that say which battle is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from fracas.cli.shared.games import use_games
from fracas.cli.shared.scenario_options import command_line


def test_a_command_is_told_as_it_would_be_typed():
    use_games([])
    told = command_line(
        ["report", Path("my file.toml")],
        [("-n", 5), ("--seed", None), ("--set", ["a=1", "b=2"]), ("--strict", True), ("--out", Path("out.html"))],
    )
    assert told == "fracas report 'my file.toml' -n 5 --set a=1 --set b=2 --strict --out out.html"


def test_a_command_names_the_games_of_this_command_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("fracas.kit.load.use", lambda file: None)
    use_games([Path("my pets.py")])
    try:
        assert command_line(["verify", "a.json"]) == "fracas verify a.json --game 'my pets.py'"
    finally:
        use_games([])
    assert command_line(["verify", "a.json"]) == "fracas verify a.json"
