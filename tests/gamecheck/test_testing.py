"""The plug-in for pytest: three lines check a game, and a failure shows the table and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

from tests.gamecheck.planted import planted
from tests.helpers import soak

THREE_LINES = 'from fracas.testing import check_game\n\ndef test_duel(): check_game("duel.py")\n'
FIXTURE = 'def test_duel(check_game):\n    assert check_game("duel.py").scenarios == 2\n'
BAD = "    enemy = battle.sides[0].units[2 + me.hp]\n"
HEAT = "    battle.sides[me.side].heat += 1\n"


def pytest_in(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_duel.py").write_text(text)
    # From another folder: the game lies beside the test, not where pytest was started.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "fracas.testing", "-p", "no:xdist", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, "--game-scenarios", "2", "--rootdir", str(folder), str(folder / "test_duel.py")],
        cwd="/", env=os.environ, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@soak.only
def test_three_lines_pass(tmp_path: Path) -> None:
    planted(tmp_path, "duel")
    run = pytest_in(tmp_path, THREE_LINES)
    assert run.returncode == 0, run.stdout + run.stderr


def test_three_lines_fail_with_the_table(tmp_path: Path) -> None:
    # No battle comes to its end, so nothing is compiled.
    planted(tmp_path, "duel", (HEAT, BAD + HEAT))
    run = pytest_in(tmp_path, THREE_LINES)
    assert run.returncode == 1
    assert "failed   rules raise nothing" in run.stdout
    assert "duel.py:79: hit: there is no place" in run.stdout
    assert "Traceback" not in run.stdout


def test_the_fixture_needs_no_import(tmp_path: Path) -> None:
    planted(tmp_path, "duel")
    run = pytest_in(tmp_path, FIXTURE)
    assert run.returncode == 0, run.stdout + run.stderr


def test_pytest_finds_the_plug_in() -> None:
    """Once the package is installed with this version's metadata."""
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert '[project.entry-points.pytest11]\n"fracas.testing" = "fracas.testing"\n' in text
    for each in entry_points(group="pytest11", name="fracas.testing"):
        assert each.value == "fracas.testing"
