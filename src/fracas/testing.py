"""Tests for the rules of your game, with pytest, whose plug-in this is. A test of everything is three lines.

    from fracas.testing import check_game

    def test_pets(): check_game("pets.py")

It is a fixture too, which needs no import: `def test_pets(check_game): check_game("pets.py")`. Relative paths start in
the folder of the test.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from fracas.gamecheck.report import Report

__all__ = ["check_game"]

# A short check: enough to find a mistake in every rule that is played, in seconds.
SCENARIOS = 30
OPTION = "--game-scenarios"


def check_game(file: str | Path, n: int | None = None, *, module: bool = False) -> Report:
    """Check the game of a file like `fracas game check`, and fail the test with the table if anything does not hold.

    Args:
        file: the game's file; a relative path starts in the folder of the test.
        n: how many random scenarios; by default 30, or what `pytest --game-scenarios N` says.
        module: whether to build and compare the WebAssembly module too.

    Returns:
        What was checked.

    Raises:
        AssertionError: a check failed; the message is the table.
        InputError: the file is wrong.
    """
    __tracebackhide__ = True
    return _checked(_beside(Path(file), Path(sys._getframe(1).f_code.co_filename).parent), n, module)


def _beside(file: Path, folder: Path) -> Path:
    return file if file.is_absolute() else folder / file


def _checked(file: Path, n: int | None, module: bool) -> Report:
    from fracas.gamecheck.run import check_file

    __tracebackhide__ = True
    report = check_file(file, _settings[OPTION] if n is None else n, module=module)
    if report.failed:
        pytest.fail(str(report), pytrace=False)
    return report


_settings = {OPTION: SCENARIOS}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for longer checks."""
    group = parser.getgroup("fracas", "games of one's own")
    help = f"how many random scenarios check_game plays (default: {SCENARIOS})"
    group.addoption(OPTION, type=int, default=SCENARIOS, metavar="N", help=help)


def pytest_configure(config: pytest.Config) -> None:
    """Note what the option says."""
    _settings[OPTION] = config.getoption(OPTION)


@pytest.fixture(name="check_game")
def _check_game(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """`check_game`, for files beside the test."""

    def check(file: str | Path, n: int | None = None, *, module: bool = False) -> Report:
        __tracebackhide__ = True
        return _checked(_beside(Path(file), request.path.parent), n, module)

    return check
