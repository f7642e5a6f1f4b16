"""Every command that reads a scenario, with a game of one file: it works, or says in one line why it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.helpers.commands import COMMANDS

GAMES = Path(__file__).parents[2] / "examples" / "games"
NAMES = ("coins", "pets")
VARIANTS = """\
[[variants]]
name = "longer"
set = { "options.round_cap" = 60 }
"""
# What follows the command's name; words in capitals are files. None of them takes more than a few battles.
WORKS = {
    "run": "FIRST --save battle.json --format json",
    "replay": "SAVED",
    "verify": "SAVED",
    "validate": "FIRST",
    "lint": "FIRST",
    "watch": "FIRST --out battle.html",
    "simulate": "FIRST -n 3 --contributions 3 --format json",
    "find": "FIRST rounds>0 --limit 5",
    "compare": "FIRST SECOND -n 4",
    "odds": "FIRST -n 5",
    "sensitivity": "FIRST -n 2",
    "sweep": "FIRST options.round_cap=50:60:10 -n 2",
    "variants": "FIRST variants.toml -n 4",
    "swaps": "FIRST -n 2 --limit 2",
    "matchups": "FIRST SECOND -n 2",
    "optimise": "FIRST --trials 2 --budget 20 --pairs 4",
    "why": "FIRST",
    "content": "list NAME",
    "new": "NAME --out new.toml",
    "game": "list",
    "site": "pages --only NAME",
}
CANNOT = {
    "ladder": ("FIRST -n 2", "has no opponents for a ladder"),
    "campaign": ("FIRST", "has no campaigns"),
    "commit": ("SAVED", "has no campaigns"),
    "share": ("FIRST", "has no share codes"),
    "explain": ("FIRST --unit 1.nobody", "has no conditions"),
    "bench": ("NAME", "ships no benchmark"),
    "solve": ("FIRST", "has no hidden choices"),
    "duel": ("FIRST", "has no hidden choices"),
    "strength": ("NAME", "has no decisions for agents"),
}
# These read no scenario, or belong to one ruleset, or have tests of their own: pack in test_modules.py, report below.
OTHERS = {"pack", "report", "studio", "merge"}


@pytest.fixture(scope="module", params=NAMES)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A game's name, and a folder with a saved battle."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "variants.toml").write_text(VARIANTS)
    run = called(request.param, folder, "run", "FIRST --save saved.json")
    assert run.returncode == 0, run.stderr
    return request.param, folder


def called(name: str, folder: Path, command: str, words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, in plain Python and without a linker."""
    scenarios = sorted((GAMES / name / "scenarios").glob("*.toml"), key=lambda each: each.name != "first.toml")
    files = {"FIRST": str(scenarios[0]), "SECOND": str(scenarios[1]), "SAVED": "saved.json", "NAME": name}
    asked = [files.get(word, word) for word in words.split()]
    return subprocess.run(
        [sys.executable, "-P", "-m", "fracas", command, *asked, "--game", str(GAMES / name / f"{name}.py")],
        cwd=folder,
        env={**os.environ, "FRACAS_JIT": "0", "FRACAS_CACHE_DIR": str(folder / "cache"), "FRACAS_GAMES": ""},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("command", WORKS)
def test_a_command_works_with_a_game(game: tuple[str, Path], command: str) -> None:
    name, folder = game
    run = called(name, folder, command, WORKS[command])
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("command", CANNOT)
def test_a_command_that_cannot_says_why_in_one_line(game: tuple[str, Path], command: str) -> None:
    name, folder = game
    words, why = CANNOT[command]
    run = called(name, folder, command, words)
    assert run.returncode == 2, run.stdout
    assert why in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


def test_the_timeline_follows_bars_and_says_where_there_are_none(game: tuple[str, Path]) -> None:
    name, folder = game
    run = called(name, folder, "simulate", "FIRST -n 3 --timeline 3")
    if name == "pets":
        assert run.returncode == 0, run.stderr
        assert "HP by round" in run.stdout
    else:
        assert run.returncode == 2
        assert run.stderr.startswith("error: timeline: coins has no bars to draw")


def test_no_command_is_forgotten() -> None:
    read_no_scenario = set(COMMANDS) - set(WORKS) - set(CANNOT) - OTHERS
    assert read_no_scenario <= set(
        "loot enhance modifiers envs examples serve admin server doctor compile scheduler worker help version".split()
    )
