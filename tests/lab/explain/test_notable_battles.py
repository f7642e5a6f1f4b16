"""Battles worth watching: the typical one, and wins against the odds."""

from __future__ import annotations

import numpy as np
import pytest
from tests.helpers import soak

import fracas
from fracas.content.packs import examples_folder
from fracas.lab.explain.notable_battles import MOST_WINS, luckiest_win, typical_battle
from fracas.lab.explain.rollout_scores import win_probability
from fracas.lab.explain.rollouts import RolloutRunner, rollout_from

FIELDS = np.dtype([("winner", "i8"), ("rounds", "i8"), ("hp_left", "i8", (2,))])


def results(*told: tuple[int, int, int, int]) -> np.ndarray:
    return np.array([(winner, rounds, (first, second)) for winner, rounds, first, second in told], FIELDS)


def test_the_typical_battle_ends_as_most_do_in_the_middle_by_rounds_and_hp():
    rows = results((2, 5, 0, 9), (1, 3, 10, 0), (1, 5, 30, 0), (1, 9, 20, 0), (1, 4, 21, 0), (1, 6, 5, 0))
    # Wins of side 1 take 3, 4, 5, 6, 9 rounds and leave 5, 10, 20, 21, 30 HP: both 5 and 20 are in the middle.
    rows[3]["rounds"] = 5
    rows[2]["rounds"] = 9
    assert typical_battle(rows) == 3
    assert typical_battle(rows[:1]) == 0
    assert typical_battle(results((0, 3, 1, 1), (0, 3, 1, 1), (1, 3, 1, 1))) == 0
    assert typical_battle(results((1, 3, 1, 1), (2, 3, 1, 1))) == 0


@pytest.fixture(scope="module")
def standard():
    return fracas.load(examples_folder() / "titans" / "standard.toml")


@pytest.fixture(scope="module")
def wins(standard):
    """The first wins of each side."""
    winners = [fracas.run(standard, stream=stream).winner for stream in range(40)]
    return {side: [stream for stream, winner in enumerate(winners) if winner == side] for side in (1, 2)}


def odds_of(scenario, stream: int, side: int) -> dict[int, float]:
    """A side's odds at the start of each round, by dice that the search does not use."""
    runner = RolloutRunner(scenario, planned=512, threads=1, notice=None)
    points = scenario.ruleset.analysis.decision_points(scenario.compiled, scenario.document, stream)
    starts = [point for point in points if point.decision is None]
    outcomes = runner.all_outcomes([rollout_from(scenario, point) for point in starts], 5_000, 5_512)
    return {point.tick: win_probability(each, side).value for point, each in zip(starts, outcomes, strict=True)}


@pytest.mark.parametrize("side", soak.some([1, 2], 1))
def test_the_luckiest_win_is_one_against_lower_odds_than_others(standard, wins, side):
    found = luckiest_win(standard, side, wins[side])
    assert found is not None
    assert (found.side, found.tried) == (side, min(len(wins[side]), MOST_WINS))
    assert found.stream in wins[side][:MOST_WINS]
    assert odds_of(standard, found.stream, side)[found.tick] == pytest.approx(found.odds.value, abs=0.1)
    lowest = [min(odds_of(standard, stream, side).values()) for stream in wins[side][: soak.times(2)]]
    assert found.odds.value <= min(lowest) + 0.12
    assert luckiest_win(standard, side, wins[side]) == found


def test_nobody_who_never_wins_and_no_battle_without_luck_has_a_luckiest_win(standard):
    assert luckiest_win(standard, 1, []) is None
    certain = fracas.load(examples_folder() / "relics" / "first-duel.toml")
    assert luckiest_win(certain, 1, [0, 1]) is None
