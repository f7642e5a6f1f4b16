"""`fracas game check`: exit statuses, both formats, and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.gamecheck.planted import planted
from tests.helpers.commands import BAD_INPUT, DONE, Command, Ended

from fracas.kit import load


@pytest.fixture
def check(fracas_cli: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ended]:
    """`fracas game check` in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def checked(*arguments: str) -> Ended:
        with load.fresh():
            return fracas_cli("game check", *arguments)

    return checked


def test_all_passed(check: Callable[..., Ended], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without compiled code and without a module, which tests/gamecheck/test_examples.py checks."""
    monkeypatch.setenv("FRACAS_JIT", "0")
    planted(tmp_path, "duel")
    ended = check("duel.py", "-n", "2", "--no-module", "--format", "json")
    assert ended.status == DONE, ended.err
    found = ended.json
    assert (found["game"], found["passed"], found["scenarios"], len(found["checks"])) == ("duel", True, 2, 17)


def test_a_check_failed(tmp_path: Path) -> None:
    """In a process of its own, as CI calls it."""
    heat = "    battle.sides[me.side].heat += 1\n"
    planted(tmp_path, "duel", (heat, "    enemy = battle.sides[0].units[me.hp + 3]\n" + heat))
    run = subprocess.run(
        [sys.executable, "-P", "-m", "fracas", "game", "check", "duel.py", "-n", "2"],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 1
    assert "failed   rules raise nothing" in run.stdout
    assert "duel.py:79: hit: there is no place " in run.stdout
    assert "Traceback" not in run.stdout + run.stderr


def test_a_file_that_is_wrong(check: Callable[..., Ended], tmp_path: Path) -> None:
    planted(tmp_path, "duel", ("enemy.hp = max(", "enemy.hpp = max("))
    ended = check("duel.py")
    assert (ended.status, ended.out) == (BAD_INPUT, "")
    assert ended.err == 'error: duel.py:78: hit: Fighter has no field hpp (did you mean "hp"?)\n'
    assert check("none.py").err == "error: none.py: there is no such file\n"


def test_a_number_out_of_range(check: Callable[..., Ended], tmp_path: Path) -> None:
    planted(tmp_path, "duel")
    ended = check("duel.py", "-n", "0")
    assert (ended.status, ended.err) == (BAD_INPUT, "error: -n: 0 is out of range: 1 to 10,000\n")
