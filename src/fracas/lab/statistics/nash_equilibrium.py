"""The Nash equilibrium of a round robin: a mix of entrants that no entrant beats, and whether there are others."""

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


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """How often an equilibrium plays each choice of a symmetric game, and what each choice gains against it."""

    shares: Rows
    """They add up to 1."""
    gains: Rows
    """Each choice's mean gain against the mix: never above 0, and 0 for every choice in the mix."""
    is_only_one: bool
    """False if there are other equilibria or it is unknown whether there are."""

    @property
    def best_reply(self) -> float:
        """What the best reply gains against the mix, measured on the mix itself: 0 except for rounding."""
        return float(self.gains.max(initial=0.0))


def equilibrium_of(advantages: Any) -> Equilibrium:
    """Find an equilibrium mix of a symmetric zero-sum game that plays every choice that any equilibrium plays.

    `advantages[i][j]` is what i gains against j, and the negative of what j gains against i. The result is checked: no
    choice gains more than 1e-6 of the largest advantage against it.

    Raises:
        InputError: scipy is not installed; names the extra that brings it.
        FaultError: no mix passed the check.
    """
    game = np.asarray(advantages, np.float64)
    scale = float(np.abs(game).max(initial=0.0))
    count = len(game)
    if not scale:
        return Equilibrium(np.full(count, 1 / max(count, 1)), np.zeros(count), count < 2)
    game = game / scale
    game[np.abs(game) < TINY] = 0.0
    weights = _weights(game)
    if weights is not None:
        played = np.flatnonzero(weights > -(game @ weights))
        is_only_one = _is_only_one(game[np.ix_(played, played)])
        mixes = [_only_mix(game, played)] if is_only_one else []
        for mix in [*mixes, np.where(np.isin(np.arange(count), played), weights, 0.0)]:
            found = _checked(mix, game, scale, is_only_one)
            if found is not None:
                return found
    found = _checked(_any_mix(game), game, scale, False)
    if found is None:
        raise FaultError("no equilibrium of the meta-game was found; please report the shares")
    return found


def _checked(mix: Rows | None, game: Rows, scale: float, is_only_one: bool) -> Equilibrium | None:
    """A mix, scaled to add up to 1; None if it is not one, or if a choice gains against it."""
    if mix is None or mix.min() < -MOST_GAIN or mix.sum() <= 0:
        return None
    shares = mix / mix.sum()
    shares = np.where(shares < NONE_AT_ALL, 0.0, shares)
    shares = shares / shares.sum()
    gains = game @ shares
    return Equilibrium(shares, gains * scale, is_only_one) if gains.max() <= MOST_GAIN else None


def _weights(game: Rows) -> Rows | None:
    """How much an equilibrium plays each choice, at least 1 of each that any equilibrium plays.

    Every symmetric game has weights x >= 0 with game @ x <= 0 in which each choice is either played or loses: x is
    above 0 exactly where game @ x is not below 0 (A. W. Tucker, 1956, "Dual systems of homogeneous linear relations").
    Weights can be scaled, so "above 0" becomes "at least 1", and no tolerance decides which choices are played. None if
    the solver fails, which happens only with payoffs that differ by many orders of magnitude.
    """
    count = len(game)
    rows = np.vstack([game, game - np.eye(count)])
    ends = np.concatenate([np.zeros(count), -np.ones(count)])
    return _solved(np.ones(count), rows, ends)


def _is_only_one(among: Rows) -> bool:
    """Whether an equilibrium that plays all of these choices cannot move and stay one.

    `among` holds the payoffs of the choices that some equilibrium plays. All of them gain 0 there, so a move keeps
    every gain and the sum of the shares unchanged.
    """
    sizes = np.linalg.svd(np.vstack([among, np.ones(len(among))]), compute_uv=False)
    return int((sizes > NO_DIRECTION * sizes[0]).sum()) == len(among)


def _only_mix(game: Rows, played: Rows) -> Rows:
    """The only mix of these choices against which each of them gains 0, solved as equations."""
    both = np.vstack([game[np.ix_(played, played)], np.ones(len(played))])
    wanted = np.zeros(len(both))
    wanted[-1] = 1.0
    mix = np.zeros(len(game))
    mix[played] = np.linalg.lstsq(both, wanted, rcond=None)[0]
    return mix


def _any_mix(game: Rows) -> Rows | None:
    """An equilibrium, if the solver cannot tell which choices all of them play together."""
    count = len(game)
    return _solved(np.zeros(count), game, np.full(count, MOST_GAIN / 2), np.ones((1, count)), [1.0])


def _solved(costs: Rows, rows: Rows, ends: Rows, sums: Any = None, totals: Any = None) -> Rows | None:
    """The cheapest x >= 0 with rows @ x <= ends and sums @ x = totals; None if the solver fails."""
    program = scipy_optimize().linprog(costs, rows, ends, sums, totals, bounds=(0.0, None), method="highs")
    return np.asarray(program.x) if program.status == 0 else None


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
