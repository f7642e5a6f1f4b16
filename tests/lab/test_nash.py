"""The mix that nobody does better against, checked on games whose answer is known."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.optimize import minimize

from fracas.errors import InputError
from fracas.lab.nash import most_even_mix

ROCK_PAPER_SCISSORS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float)


def repeated(game, *choices):
    """A game in which choices stand several times."""
    return game[np.ix_(choices, choices)]


def beside(first, second, between=0.0):
    """Two games in one; each choice of the first gains so much against each of the second."""
    count = len(first)
    whole = np.zeros((count + len(second),) * 2)
    whole[:count, :count], whole[count:, count:] = first, second
    whole[:count, count:], whole[count:, :count] = between, -between
    return whole


@pytest.mark.parametrize(
    ("game", "shares"),
    [
        (ROCK_PAPER_SCISSORS, [1 / 3] * 3),
        (ROCK_PAPER_SCISSORS * 0.003, [1 / 3] * 3),
        ([[0, -1, 3], [1, 0, -1], [-3, 1, 0]], [0.2, 0.6, 0.2]),
        (repeated(ROCK_PAPER_SCISSORS, 0, 0, 1, 2), [1 / 6, 1 / 6, 1 / 3, 1 / 3]),
        (repeated(ROCK_PAPER_SCISSORS, 0, 0, 1, 1, 1, 2), [1 / 6, 1 / 6, 1 / 9, 1 / 9, 1 / 9, 1 / 3]),
        (beside(ROCK_PAPER_SCISSORS, np.zeros((1, 1)), 0.1), [1 / 3] * 3 + [0]),
        (beside(ROCK_PAPER_SCISSORS, ROCK_PAPER_SCISSORS * 0.01), [1 / 6] * 6),
        (np.zeros((5, 5)), [0.2] * 5),
        (np.zeros((1, 1)), [1]),
        ([[0, 0.02], [-0.02, 0]], [1, 0]),
        ([[0, 0, 1], [0, 0, 0], [-1, 0, 0]], [0.5, 0.5, 0]),
    ],
)
def test_the_mix_of_games_whose_answer_is_known(game, shares):
    mix = most_even_mix(game)
    assert mix.shares == pytest.approx(shares, abs=1e-6)
    assert mix.gains.max() <= 1e-6


@pytest.mark.parametrize(
    ("game", "is_only_one"),
    [(ROCK_PAPER_SCISSORS, True), (repeated(ROCK_PAPER_SCISSORS, 0, 0, 1, 2), False), (np.zeros((2, 2)), False)],
)
def test_it_says_whether_there_are_others(game, is_only_one):
    assert most_even_mix(game).is_only_one is is_only_one


def random_game(seed, count, filled):
    """A game of wins, losses and many ties, which usually has more than one equilibrium."""
    numbers = np.random.default_rng(seed)
    above = np.triu(np.sign(numbers.normal(size=(count, count))), 1) * (numbers.random((count, count)) < filled)
    return above - above.T


@pytest.mark.parametrize("seed", range(12))
def test_no_choice_gains_against_it_and_no_other_equilibrium_is_more_even(seed):
    game = random_game(seed, 7, 0.4)
    mix = most_even_mix(game)
    assert mix.shares.sum() == pytest.approx(1)
    assert mix.gains.max() <= 1e-6

    def less_even(shares):
        return float((shares * np.log(np.maximum(shares, 1e-300))).sum())

    conditions = [
        {"type": "eq", "fun": lambda shares: shares.sum() - 1},
        {"type": "ineq", "fun": lambda shares: shares @ game},
    ]
    other = minimize(
        less_even, np.full(7, 1 / 7), method="SLSQP", bounds=[(0, 1)] * 7, constraints=conditions,
        options={"maxiter": 500, "ftol": 1e-13},
    )  # fmt: skip
    assert less_even(mix.shares) <= less_even(other.x) + 1e-5


def test_like_choices_are_treated_alike_wherever_they_stand():
    order = [3, 0, 2, 1]
    game = repeated(ROCK_PAPER_SCISSORS, 0, 0, 1, 2)
    assert most_even_mix(game[np.ix_(order, order)]).shares == pytest.approx(
        most_even_mix(game).shares[order], abs=1e-6
    )


def test_without_scipy_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.delitem(sys.modules, "scipy.optimize", raising=False)
    with pytest.raises(InputError) as refused:
        most_even_mix(ROCK_PAPER_SCISSORS)
    assert refused.value.problems[0].suggestion == "pip install 'fracas[lab]'"
