"""The Nash equilibrium of a round robin: the mix of entrants that no entrant beats, the most even one of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.errors import FaultError, UsageError
from fracas.rulesets.contract.types import Rows

# Payoffs are scaled so that the largest is 1; smaller ones than this count as 0.
TINY = 1e-9
# A mix is an equilibrium only if no choice gains more than this against it, with the largest payoff scaled to 1.
MOST_GAIN = 1e-6
# A share of a mix below this counts as 0.
NONE_AT_ALL = 1e-9
# A singular value below this share of the largest one counts as 0.
NO_DIRECTION = 1e-10

# The search for the most even mix: its distance from the best, as an entropy; steps in all and for one barrier.
NEAR_ENOUGH = 1e-11
MOST_STEPS = 50
BARRIER_FALLS = 0.05
# A step goes on along its direction while it gains at least this part of what its slope promises.
ENOUGH_OF_SLOPE = 0.1


@dataclass(frozen=True, eq=False)
class Mix:
    """How often an equilibrium plays each choice of a symmetric game, and what each choice gains against it."""

    shares: Rows
    """They add up to 1."""
    gains: Rows
    """Each choice's mean gain against the mix: never above 0, and 0 for every choice in the mix."""
    is_only_one: bool
    """False if there are other equilibria or it is unknown whether there are."""
    is_most_even: bool = True
    """True if it is the most even equilibrium; False if that one could not be confirmed and this is another one."""

    @property
    def best_reply(self) -> float:
        """What the best reply gains against the mix, measured on the mix itself: 0 except for rounding."""
        return float(self.gains.max(initial=0.0))


def most_even_mix(advantages: Any) -> Mix:
    """Find the equilibrium mix of a symmetric zero-sum game that has the greatest entropy.

    `advantages[i][j]` is what i gains against j, and the negative of what j gains against i. The equilibrium with the
    greatest entropy treats equal choices equally. The result is checked: no choice gains more than 1e-6 of the largest
    advantage against it. If the most even mix fails that check, you get the middle of the equilibria that a linear
    program finds, and `is_most_even` is False.

    Raises:
        InputError: scipy is not installed; names the extra that brings it.
        FaultError: no mix passed the check.
    """
    game = np.asarray(advantages, np.float64)
    scale = float(np.abs(game).max(initial=0.0))
    count = len(game)
    if not scale:
        return Mix(np.full(count, 1 / max(count, 1)), np.zeros(count), count < 2)
    game = game / scale
    game[np.abs(game) < TINY] = 0.0
    inner = _inner_mix(game)
    if inner is not None:
        played, shares = inner
        freedom = _directions(game[np.ix_(played, played)])
        if not freedom.shape[1]:
            return _checked([_only_mix(game, played, shares), _middle(game)], game, scale, True)
        return _checked([_levelled(game, played, shares, freedom), _middle(game)], game, scale, False)
    return _checked([None, _middle(game)], game, scale, False)


def _checked(mixes: list[Rows | None], game: Rows, scale: float, is_only_one: bool) -> Mix:
    """The first of some mixes against which no choice gains; the first mix is the most even one.

    Raises:
        FaultError: none of them is an equilibrium.
    """
    for place, mix in enumerate(mixes):
        if mix is None:
            continue
        shares = np.where(mix < NONE_AT_ALL, 0.0, mix)
        shares = shares / shares.sum()
        gains = game @ shares
        if np.isfinite(shares).all() and gains.max() <= MOST_GAIN:
            return Mix(shares, gains * scale, is_only_one, is_most_even=place == 0)
    raise FaultError("no equilibrium of the meta-game was found; please report the shares")


def _inner_mix(game: Rows) -> tuple[Rows, Rows] | None:
    """The choices that some equilibrium plays, and an equilibrium that plays all of them.

    Every symmetric game has weights x >= 0 with game @ x <= 0 in which each choice is either played or loses: x is
    above 0 exactly where game @ x is not below 0 (A. W. Tucker, 1956, "Dual systems of homogeneous linear relations").
    Weights can be scaled, so "above 0" becomes "at least 1", and no tolerance decides which choices are played. None if
    the solver fails, which happens only with payoffs that differ by many orders of magnitude.
    """
    count = len(game)
    rows = np.vstack([game, game - np.eye(count)])
    ends = np.concatenate([np.zeros(count), -np.ones(count)])
    program = scipy_optimize().linprog(np.ones(count), rows, ends, bounds=(0.0, None), method="highs")
    if program.status != 0:
        return None
    weights = np.asarray(program.x)
    played = np.flatnonzero(weights > -(game @ weights))
    shares = weights[played] / weights[played].sum()
    return played, shares


def _directions(among: Rows) -> Rows:
    """The directions in which an equilibrium that plays all of these choices can move and stay one, a column each.

    `among` holds the payoffs of the choices that some equilibrium plays. All of them gain 0 there, so a direction keeps
    every gain and the sum of the shares unchanged.
    """
    both = np.vstack([among, np.ones(len(among))])
    _, sizes, axes = np.linalg.svd(both)
    rank = int((sizes > NO_DIRECTION * sizes[0]).sum())
    directions: Rows = axes[rank:].T
    return directions


def _only_mix(game: Rows, played: Rows, shares: Rows) -> Rows:
    """The only mix of these choices against which each of them gains 0, solved as equations."""
    both = np.vstack([game[np.ix_(played, played)], np.ones(len(played))])
    wanted = np.zeros(len(both))
    wanted[-1] = 1.0
    solved = np.linalg.lstsq(both, wanted, rcond=None)[0]
    mix = np.zeros(len(game))
    mix[played] = solved if (solved > 0).all() else shares
    return mix


def _levelled(game: Rows, played: Rows, shares: Rows, freedom: Rows) -> Rows | None:
    """The most even equilibrium, found by Newton steps among the equilibria; None if they do not converge.

    The first mix plays every choice that some equilibrium plays, and all other choices lose against it. Each step stays
    an equilibrium: shares move only along `freedom`, and a logarithmic barrier, lowered to 0, keeps played shares above
    0 and the other choices from gaining.
    """
    others = np.delete(game[:, played], played, axis=0)
    slopes = others @ freedom

    def cost(mix: Rows, barrier: float) -> float:
        left = -(others @ mix)
        if mix.min() <= 0 or (len(left) and left.min() <= 0):
            return float("inf")
        return float((mix - barrier) @ np.log(mix) - barrier * np.log(left).sum())

    mix, barrier, limits = shares, 1.0, len(game)
    while barrier * limits > NEAR_ENOUGH:
        barrier *= BARRIER_FALLS
        promised = float("inf")
        for _ in range(MOST_STEPS):
            left = -(others @ mix)
            slope = freedom.T @ (np.log(mix) + 1 - barrier / mix) + barrier * (slopes.T @ (1 / left))
            bend = (freedom.T * (1 / mix + barrier / mix**2)) @ freedom + barrier * ((slopes.T / left**2) @ slopes)
            try:
                step = -np.linalg.solve(bend, slope)
            except np.linalg.LinAlgError:
                return None
            promised = -float(slope @ step)
            if promised <= NEAR_ENOUGH:
                break
            size, here, move = 1.0, cost(mix, barrier), freedom @ step
            while size > TINY and not cost(mix + size * move, barrier) <= here - ENOUGH_OF_SLOPE * size * promised:
                size /= 2
            if size <= TINY:
                break
            mix = mix + size * move
        if not promised <= MOST_GAIN:
            return None
    whole = np.zeros(len(game))
    whole[played] = mix
    return whole


def _solved(program: Any) -> Any:
    if program.status != 0:
        raise FaultError(f"the linear program of the meta-game was not solved: {program.message}")
    return program


def _middle(game: Rows) -> Rows:
    """The mean of equilibria, each of which plays another choice as often as any equilibrium does."""
    optimise = scipy_optimize()
    count = len(game)
    sums, limits = np.ones((1, count)), [(0.0, 1.0)] * count
    ends = np.full(count, MOST_GAIN / 2)
    corners = [
        _solved(optimise.linprog(-wish, game, ends, sums, [1.0], limits, method="highs")).x for wish in np.eye(count)
    ]
    middle: Rows = np.clip(np.mean(corners, axis=0), 0.0, 1.0)
    return middle


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
