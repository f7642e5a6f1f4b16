"""The plug-in for pytest: a line checks a game, and a failure shows the table and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

from tests.gamecheck.planted import planted
from tests.helpers import soak

# Imported and as a fixture.
# pytest says more where it thinks that nobody looks.
OUTSIDE = {name: value for name, value in os.environ.items() if name != "CI"}
TESTS = """
from fracas.testing import check_game as imported

def test_imported(): assert imported("duel.py").scenarios == 2

def test_fixture(check_game): assert check_game("duel.py").scenarios == 2
"""
BAD = "    enemy = battle.sides[0].units[2 + me.hp]\n"
HEAT = "    battle.sides[me.side].heat += 1\n"


def pytest_in(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_duel.py").write_text(text)
    # From another folder: the game lies beside the test, not where pytest was started.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "fracas.testing", "-p", "no:xdist", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, "--game-scenarios", "2", "--rootdir", str(folder), str(folder / "test_duel.py")],
        cwd="/", env=OUTSIDE, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@soak.only
def test_a_sound_game_passes(tmp_path: Path) -> None:
    """In the check, test_examples.py asks an example."""
    planted(tmp_path, "duel")
    run = pytest_in(tmp_path, TESTS)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_fault_fails_with_the_table(tmp_path: Path) -> None:
    # No battle comes to its end, so nothing is compiled.
    planted(tmp_path, "duel", (HEAT, BAD + HEAT))
    run = pytest_in(tmp_path, TESTS)
    assert run.returncode == 1
    assert run.stdout.count("failed   rules raise nothing") == 2
    assert "duel.py:79: hit: there is no place" in run.stdout
    assert "Traceback" not in run.stdout


def test_pytest_finds_the_plug_in() -> None:
    """Once the package is installed with this version's metadata."""
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert '[project.entry-points.pytest11]\n"fracas.testing" = "fracas.testing"\n' in text
    for each in entry_points(group="pytest11", name="fracas.testing"):
        assert each.value == "fracas.testing"
