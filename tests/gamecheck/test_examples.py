"""Example games pass their check, in its short form, some with their modules; in a soak all of them do."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.helpers import soak

from fracas.gamecheck.report import FAILED
from fracas.portable.build import can_build
from fracas.testing import check_game

GAMES = Path(__file__).parents[2] / "examples" / "games"
ALL = ("coins", "pets", "roshambo", "skirmish", "cards", "hexes")
WITH_MODULE = ("coins", "roshambo")
# Both choose at once. test_planted_faults.py asks of cards what it does not need compiled code for.
SOME = ("roshambo",)


def test_these_are_all_games() -> None:
    assert {each.name for each in GAMES.iterdir() if each.is_dir()} == set(ALL)


@pytest.mark.parametrize("name", ALL if soak.is_on() else SOME)
def test_an_example_passes(name: str) -> None:
    with_module = name in WITH_MODULE and can_build()
    report = check_game(GAMES / name / f"{name}.py", 9, module=with_module)
    assert not report.failed, str(report)
    status = {each.name: each.status for each in report.checks}
    # What every game has, so that a check which silently looks at nothing is noticed.
    always = {
        "scenarios",
        "plays",
        "ends",
        "addresses",
        "numbers",
        "compiled",
        "indices",
        "snapshots",
        "keys",
        "stories",
    }
    assert {status[each] for each in always} == {"passed"}
    assert status["module"] == ("passed" if with_module else "skipped")
    assert report.scenarios >= 5
    assert FAILED not in status.values()
