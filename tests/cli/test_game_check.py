"""`fracas game check`: exit statuses, both formats, and no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.gamecheck.planted import planted


def check(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "fracas", "game", "check", *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_all_passed(tmp_path: Path) -> None:
    planted(tmp_path, "duel")
    run = check(tmp_path, "duel.py", "-n", "2", "--no-module", "--format", "json")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert (found["game"], found["passed"], found["scenarios"], len(found["checks"])) == ("duel", True, 2, 17)


def test_a_check_failed(tmp_path: Path) -> None:
    heat = "    battle.sides[me.side].heat += 1\n"
    planted(tmp_path, "duel", (heat, "    enemy = battle.sides[0].units[me.hp + 3]\n" + heat))
    run = check(tmp_path, "duel.py", "-n", "2")
    assert run.returncode == 1
    assert "failed   rules raise nothing" in run.stdout
    assert "duel.py:79: hit: there is no place " in run.stdout
    assert "Traceback" not in run.stdout + run.stderr


def test_a_file_that_is_wrong(tmp_path: Path) -> None:
    planted(tmp_path, "duel", ("enemy.hp = max(", "enemy.hpp = max("))
    run = check(tmp_path, "duel.py")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == 'error: duel.py:78: hit: Fighter has no field hpp (did you mean "hp"?)\n'
    assert check(tmp_path, "none.py").stderr == "error: none.py: there is no such file\n"


def test_a_number_out_of_range(tmp_path: Path) -> None:
    planted(tmp_path, "duel")
    run = check(tmp_path, "duel.py", "-n", "0")
    assert (run.returncode, run.stderr) == (2, "error: -n: 0 is out of range: 1 to 10,000\n")
