"""A mix that nobody does better against, checked on games whose answer is known."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from tests.helpers import soak

from fracas.errors import FaultError, InputError
from fracas.lab.statistics import nash_equilibrium
from fracas.lab.statistics.nash_equilibrium import equilibrium_of

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
        (beside(ROCK_PAPER_SCISSORS, np.zeros((1, 1)), 0.1), [1 / 3] * 3 + [0]),
        (np.zeros((5, 5)), [0.2] * 5),
        (np.zeros((1, 1)), [1]),
        ([[0, 0.02], [-0.02, 0]], [1, 0]),
    ],
)
def test_the_mix_of_games_whose_answer_is_known(game, shares):
    mix = equilibrium_of(game)
    assert mix.shares == pytest.approx(shares, abs=1e-6)
    assert mix.gains.max() <= 1e-6


@pytest.mark.parametrize(
    ("game", "is_only_one"),
    [(ROCK_PAPER_SCISSORS, True), (repeated(ROCK_PAPER_SCISSORS, 0, 0, 1, 2), False), (np.zeros((2, 2)), False)],
)
def test_it_says_whether_there_are_others(game, is_only_one):
    assert equilibrium_of(game).is_only_one is is_only_one


def random_game(seed, count, filled):
    """A game of wins, losses and many ties, which usually has more than one equilibrium."""
    numbers = np.random.default_rng(seed)
    above = np.triu(np.sign(numbers.normal(size=(count, count))), 1) * (numbers.random((count, count)) < filled)
    return above - above.T


@pytest.mark.parametrize(
    ("game", "played"),
    [
        (repeated(ROCK_PAPER_SCISSORS, 0, 0, 1, 1, 1, 2), [0, 1, 2, 3, 4, 5]),
        (beside(ROCK_PAPER_SCISSORS, ROCK_PAPER_SCISSORS * 0.01), [0, 1, 2, 3, 4, 5]),
        (np.array([[0, 0, 1], [0, 0, 0], [-1, 0, 0]]), [0, 1]),
        *((random_game(seed, 7, 0.4), None) for seed in range(12)),
    ],
)
def test_of_several_it_is_one_that_plays_all_that_any_of_them_plays(game, played):
    mix = equilibrium_of(game)
    assert mix.shares.sum() == pytest.approx(1)
    assert mix.gains.max() <= 1e-6
    if played is not None:
        assert not mix.is_only_one
        assert np.flatnonzero(mix.shares).tolist() == played


def games_like_those_of_rosters(seeds):
    """Shares of a few or many battles between entrants of close or far strengths; many are all or nothing."""
    for seed in seeds:
        numbers = np.random.default_rng(seed)
        size, kind = int(numbers.integers(2, 22)), seed % 4
        strength = numbers.normal(size=size) * (1, 3, 10, 0)[kind]
        chances = 1 / (1 + np.exp(2 * (strength - strength[:, np.newaxis] + numbers.normal(size=(size, size)))))
        battles = (10_000, 100, 20_000, 4)[kind]
        above = np.triu(np.round((chances - 0.5) * battles) / battles, 1)
        game = above - above.T
        copies = numbers.integers(0, size, size)
        yield game[np.ix_(copies, copies)] if seed % 3 == 0 else game


def test_nothing_gains_against_the_mix_of_any_of_many_games():
    for game in games_like_those_of_rosters(range(180, 260)):
        mix = equilibrium_of(game)
        assert mix.best_reply <= 1e-9


def test_a_game_of_reals_has_only_one_mix():
    # Almost surely: two would need a sub-determinant that is 0.
    for seed in range(40):
        numbers = np.random.default_rng(seed)
        size = int(numbers.integers(2, 20))
        above = np.triu(numbers.normal(size=(size, size)), 1)
        assert equilibrium_of(above - above.T).is_only_one


def solved(rows, ends):
    """The only solution of equations in fractions; None if there is not exactly one."""
    table = [[Fraction(int(value)) for value in row] + [Fraction(end)] for row, end in zip(rows, ends, strict=True)]
    for place in range(len(table)):
        pivot = next((row for row in range(place, len(table)) if table[row][place]), None)
        if pivot is None:
            return None
        table[place], table[pivot] = table[pivot], table[place]
        table[place] = [value / table[place][place] for value in table[place]]
        for row in set(range(len(table))) - {place}:
            factor = table[row][place]
            table[row] = [value - factor * own for value, own in zip(table[row], table[place], strict=True)]
    return tuple(row[-1] for row in table)


def exact_corners(game):
    """All corners of the set of equilibria, in fractions."""
    count = len(game)
    limits = [*np.eye(count, dtype=int).tolist(), *(-game).tolist()]
    found = set()
    for tight in combinations(limits, count - 1):
        mix = solved([[1] * count, *tight], [1] + [0] * (count - 1))
        if mix and all(sum(map(lambda one, other: one * other, row, mix)) >= 0 for row in limits):
            found.add(mix)
    return found


def test_small_games_are_solved_as_in_fractions():
    for seed in range(soak.times(30)):
        numbers = np.random.default_rng(seed)
        size, most = int(numbers.integers(2, 5)), int(numbers.choice([1, 2, 5, 9]))
        above = np.triu(numbers.integers(-most, most + 1, size=(size, size)), 1)
        game = above - above.T
        corners = exact_corners(game)
        mix = equilibrium_of(game)
        assert mix.is_only_one is (len(corners) == 1)
        played = {place for corner in corners for place in range(size) if corner[place]}
        assert {*np.flatnonzero(mix.shares).tolist()} == played
        if len(corners) == 1:
            assert mix.shares == pytest.approx([float(share) for share in corners.pop()], abs=1e-9)


def spoiled(mix):
    """A stand-in for a step that should give a mix."""
    return lambda *_: None if mix is None else np.array(mix)


@pytest.mark.parametrize("weights", [None, [1.0, 0, 0, 0]])
def test_weights_that_fail_the_check_give_way_to_another_mix(monkeypatch, weights):
    monkeypatch.setattr(nash_equilibrium, "_weights", spoiled(weights))
    mix = equilibrium_of(repeated(ROCK_PAPER_SCISSORS, 0, 0, 1, 2))
    assert not mix.is_only_one
    assert mix.best_reply <= 1e-6
    assert mix.shares[:2].sum() == pytest.approx(1 / 3, abs=1e-5)


@pytest.mark.parametrize("mix", [None, [1.0, 0, 0, 0]])
def test_no_mix_is_shown_that_is_none(monkeypatch, mix):
    monkeypatch.setattr(nash_equilibrium, "_weights", spoiled(None))
    monkeypatch.setattr(nash_equilibrium, "_any_mix", spoiled(mix))
    with pytest.raises(FaultError, match="no equilibrium of the meta-game was found"):
        equilibrium_of(repeated(ROCK_PAPER_SCISSORS, 0, 0, 1, 2))


def test_without_scipy_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.delitem(sys.modules, "scipy.optimize", raising=False)
    with pytest.raises(InputError) as refused:
        equilibrium_of(ROCK_PAPER_SCISSORS)
    assert refused.value.problems[0].suggestion == "pip install 'fracas[lab]'"
