"""Six declarations that nobody wrote play the same in plain Python and compiled, two of them as modules.

`scripts/soak/random_games.py` does it with two hundred, all of them as modules too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.gamecheck.random_check import failures
from tests.helpers.random_games import SHAPES, random_game

from fracas.portable.build import can_build

# Two of the shape with choices in turns, one of every other; with a module: one with units and one without. Among those
# of their shape they are compiled in the least time.
FIXED = (0, 1, 42, 3, 4, 7)
WITH_MODULE = (1, 42)


def test_numbers_give_the_same_games_of_every_shape() -> None:
    assert random_game(3) == random_game(3) != random_game(8)
    assert {number % len(SHAPES) for number in FIXED} == set(range(len(SHAPES)))


@pytest.mark.parametrize("number", FIXED)
def test_a_random_game(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_module = number in WITH_MODULE and can_build()
    assert failures(number, tmp_path, scenarios=3, with_module=with_module) == []
