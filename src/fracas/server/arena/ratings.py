"""Ratings: openskill's BradleyTerryFull for two players, with uncertainty, draws, new versions and season folds.

Numbers are kept as `float.hex`, so that a recount in the order of the matches compares exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

from fracas.server_models.arena import Outcome

MU = 25.0
SIGMA = MU / 3
# A rating is provisional above this sigma.
PROVISIONAL = 4.0
# What a new version, and a new season, add to sigma (as variances are added).
OF_A_VERSION = 2.0
OF_A_SEASON = 3.0
FOLD = 0.75
SHOWN_BASE, SHOWN_SCALE, SHOWN_DOUBT = 1500, 40, 80
MILLION = 1_000_000
WIN: Outcome = "win"
DRAW: Outcome = "draw"
LOSS: Outcome = "loss"


@dataclass(frozen=True)
class Rating:
    """A strength with its uncertainty."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def score(self) -> int:
        """Mu - 3 sigma in millionths: what tables are sorted by."""
        return round((self.mu - 3 * self.sigma) * MILLION)

    @property
    def shown(self) -> int:
        """The number that people see; 1500 is average."""
        return round(SHOWN_BASE + SHOWN_SCALE * (self.mu - MU))

    @property
    def doubt(self) -> int:
        """The +- of the shown number."""
        return round(SHOWN_DOUBT * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to rely on it."""
        return self.sigma > PROVISIONAL

    def as_json(self) -> dict[str, Any]:
        """The values of the model of answers."""
        return {
            "rating": self.shown,
            "uncertainty": self.doubt,
            "provisional": self.is_provisional,
            "mu": self.mu,
            "sigma": self.sigma,
        }

    def as_hex(self) -> tuple[str, str]:
        """Mu and sigma as the texts that are stored."""
        return self.mu.hex(), self.sigma.hex()

    @classmethod
    def of_hex(cls, mu: str, sigma: str) -> Rating:
        """The rating of stored texts."""
        return cls(float.fromhex(mu), float.fromhex(sigma))


def with_new_version(rating: Rating) -> Rating:
    """The rating of an account whose entry has changed: less is known about it."""
    return Rating(rating.mu, min(SIGMA, math.sqrt(rating.sigma**2 + OF_A_VERSION**2)))


def folded(rating: Rating) -> Rating:
    """The rating with which an account begins the next season."""
    return Rating(MU + FOLD * (rating.mu - MU), min(SIGMA, math.sqrt(rating.sigma**2 + OF_A_SEASON**2)))


def after_match(first: Rating, second: Rating, scores: tuple[int, int]) -> tuple[Rating, Rating]:
    """Both ratings after a match, given the points of both places."""
    model = _model()
    teams = [[model.create_rating([each.mu, each.sigma])] for each in (first, second)]
    ranks = [int(scores[0] < scores[1]), int(scores[1] < scores[0])]
    (one,), (other,) = model.rate(teams, ranks=ranks)
    return Rating(float(one.mu), float(one.sigma)), Rating(float(other.mu), float(other.sigma))


def outcome(own: int, other: int) -> Outcome:
    """What a match was for a side: win, draw or loss."""
    return WIN if own > other else DRAW if own == other else LOSS


@cache
def _model() -> Any:
    from openskill.models import BradleyTerryFull

    return BradleyTerryFull(mu=MU, sigma=SIGMA)


@cache
def model_version() -> str:
    """The rating model with the version of its library, as a season records it."""
    from importlib.metadata import version

    return f"openskill {version('openskill')} BradleyTerryFull"
