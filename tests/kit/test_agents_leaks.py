"""Hidden state does not show in what the other side sees or may do; planted leaks are found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.kit.choosing import CHOOSING, random_actions, used
from tests.kit.leaks import leaks

from fracas.envs.batch import BattleBatch
from fracas.kernel.stepping import SAME_STEP
from fracas.kit import Game


@pytest.fixture(autouse=True)
def plain(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python, without compiling."""
    monkeypatch.setenv("FRACAS_JIT", "0")


def found(folder: Path, name: str, *changes: tuple[str, str]) -> set[str]:
    """Everything that leaks in some steps of battles played at random."""
    scenario = used(folder, name, *changes)
    game = scenario.ruleset
    assert isinstance(game, Game)
    batch = BattleBatch([scenario], (0, 1), 1, keeps_finals=True)
    rng = np.random.default_rng(4)
    batch.begin()
    told: set[str] = set()
    for _ in range(12):
        told |= set(leaks(batch, game, rng))
        batch.step(random_actions(batch, rng), SAME_STEP)
    return told


@pytest.mark.parametrize("name", CHOOSING)
def test_nothing_leaks(name: str, tmp_path: Path) -> None:
    assert found(tmp_path / name, name) == set()


PEEK = """

class Seen(NamedTuple):
    hand: float


@rule
def observation(battle: Duel, me: Player) -> Seen:
    return Seen(battle.sides[1 - me.number].hand[0] / 24)


game = Game("""


def test_a_view_that_peeks_is_found(tmp_path: Path) -> None:
    typed = ("from enum import IntEnum\n", "from enum import IntEnum\nfrom typing import NamedTuple\n")
    told = found(tmp_path / "cards", "cards", typed, ("\n\ngame = Game(", PEEK))
    assert told == {"the observation of side 1", "the observation of side 2"}


def test_a_rule_that_peeks_is_found(tmp_path: Path) -> None:
    legal = "    return choice == Do.END or (me.hand[place] != EMPTY"
    told = found(tmp_path / "cards", "cards", (legal, f"{legal} and battle.sides[1 - me.number].hand[0] != 2"))
    assert {each.partition(" of")[0] for each in told} == {"the mask"}
