"""The mix of a round robin that nobody does better against: its Nash equilibrium, the most even one of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.errors import FaultError, UsageError
from fracas.rulesets.shapes import Records

# What the programs below leave over is smaller than this, for payoffs of at most 1.
TINY = 1e-9
# A share of a mix that is smaller than this is none.
NONE_AT_ALL = 1e-7


@dataclass(frozen=True, eq=False)
class Mix:
    """How often each of a symmetric game's choices is played in equilibrium, and what each gains against that."""

    shares: Records
    """They add up to 1."""
    gains: Records
    """What each choice gains against the mix on average; none gains anything, and those in it lose nothing."""
    is_only_one: bool
    """False if there are other equilibria; this one is then the most even of them."""


def most_even_mix(advantages: Any) -> Mix:
    """The equilibrium mix of a symmetric zero-sum game that has the greatest entropy.

    `advantages[i][j]` is what i gains against j, and the negative of what j gains against i. All equilibria together
    are the optima of a linear program, of which the one with the greatest entropy treats like choices alike.

    Raises:
        InputError: scipy is not installed; names the extra that brings it.
        FaultError: a program that always has a solution was not solved.
    """
    game = np.asarray(advantages, np.float64)
    scale = float(np.abs(game).max(initial=0.0))
    count = len(game)
    if not scale:
        return Mix(np.full(count, 1 / max(count, 1)), np.zeros(count), count < 2)
    game = game / scale
    corners = _corners(game)
    middle = corners.mean(axis=0)
    is_only_one = bool(np.ptp(corners, axis=0).max() < NONE_AT_ALL)
    shares = middle if is_only_one else _levelled(game, middle)
    shares = np.where(shares < NONE_AT_ALL, 0.0, shares)
    shares /= shares.sum()
    return Mix(shares, game @ shares * scale, is_only_one)


def _solved(program: Any) -> Any:
    if program.status != 0:
        raise FaultError(f"the linear program of the meta-game was not solved: {program.message}")
    return program


def _corners(game: Records) -> Records:
    """For each choice an equilibrium in which it is played as often as in any: a row of shares each.

    Their mean plays whatever any equilibrium plays.
    """
    optimise = scipy_optimize()
    count = len(game)
    # First the value v: the mix x and v with x @ game >= v in every column. It is 0 but for rounding.
    rows = np.hstack([-game.T, np.ones((count, 1))])
    sums = np.array([[1.0] * count + [0.0]])
    limits = [(0.0, 1.0)] * count + [(None, None)]
    best = _solved(optimise.linprog([0.0] * count + [-1.0], rows, np.zeros(count), sums, [1.0], limits, method="highs"))
    floor = min(0.0, float(best.x[-1])) - TINY
    found = []
    for place in range(count):
        wish = np.zeros(count)
        wish[place] = -1.0
        program = optimise.linprog(wish, -game.T, np.full(count, -floor), sums[:, :count], [1.0], limits[:count])
        found.append(_solved(program).x)
    corners: Records = np.clip(np.array(found), 0.0, 1.0)
    return corners


def _levelled(game: Records, middle: Records) -> Records:
    """The most even of all equilibria; `middle` is one that plays whatever any of them plays.

    What is played in some equilibrium gains exactly nothing against any of them; the others must only not gain. The
    greatest entropy under such conditions is that of shares exp(conditions @ weights), and the weights minimise the
    logarithm of their sum, without any limits on those that belong to equations.
    """
    optimise = scipy_optimize()
    played = np.flatnonzero(middle > NONE_AT_ALL)
    gains = game[:, played].T
    is_equation = np.isin(np.arange(len(game)), played)
    bounds = [(None, None) if equal else (None, 0.0) for equal in is_equation]

    def entropy_bound(weights: Records) -> tuple[float, Records]:
        exponents = gains @ weights
        highest = exponents.max()
        parts = np.exp(exponents - highest)
        shares = parts / parts.sum()
        return float(highest + np.log(parts.sum())), np.asarray(gains.T @ shares)

    found = optimise.minimize(
        entropy_bound,
        np.zeros(len(game)),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 20_000, "maxfun": 100_000, "maxcor": 30, "ftol": 1e-16, "gtol": 1e-10},
    )
    exponents = gains @ found.x
    parts = np.exp(exponents - exponents.max())
    shares = np.zeros(len(game))
    shares[played] = parts / parts.sum()
    return shares


def scipy_optimize() -> Any:
    """The optimisers of scipy, imported when they are needed.

    Raises:
        InputError: scipy is not installed.
    """
    try:
        from scipy import optimize
    except ImportError:
        raise UsageError.of("the meta-game mix", "needs scipy", "pip install 'fracas[lab]'") from None
    return optimize
