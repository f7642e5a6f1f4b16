"""Ratings as a league's days carry them on: each begins where the account's last rated match left it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from fracas.server.arena.proofs.day_file import Differs, FileMatch, FileSide, same
from fracas.server.arena.ratings import Rating, folded, outcome, with_new_version
from fracas.server_models.arena import Outcome


@dataclass(frozen=True)
class Reached:
    """What an account has reached in a season, after its last rated match."""

    season: int
    n: int
    rating: Rating
    version: tuple[str, int]
    """The entry and its version."""
    outcomes: Counter[Outcome]
    """How often it won, drew and lost, as far as the matches were given."""
    is_stale: bool = False
    """Whether the account may have fought since then on a day that was not given."""


@dataclass
class CarriedRatings:
    """What is known of each account's rating, in the order of the matches; `next_day` comes before those of a day."""

    has_all_days: bool = False
    """Whether no day is missing between those that are given: so it is in a server's own database."""
    believed: set[str] = field(default_factory=set)
    """Accounts with a rating that no match before it says, so that it could only be believed."""
    ended: dict[tuple[int, str], Reached] = field(default_factory=dict)
    """What each account reached in each season, by season and account."""
    _latest: dict[str, Reached] = field(default_factory=dict)
    _day: date | None = None

    def next_day(self, day: str) -> None:
        """Go on with another day. Where days in between are missing, accounts may have fought there.

        Raises:
            ValueError: it is no day.
        """
        following = date.fromisoformat(day)
        if not self.has_all_days and self._day is not None and following != self._day + timedelta(days=1):
            self._latest = {account: replace(latest, is_stale=True) for account, latest in self._latest.items()}
        self._day = following

    def check(self, match: FileMatch, name: str) -> None:
        """Check that both ratings before a match are what the matches before it say.

        Raises:
            Differs: one is not.
        """
        is_rated = any(side.rated for side in match.sides)
        for number, side in enumerate(match.sides, 1):
            if is_rated and side.before is None:
                raise Differs(f"{name}: a side of a rated match has no rating")
            if side.rated:
                self._check_rated(match, number, side, name)
            else:
                self._check_unrated(match, side, f"{name}: the rating of place {number}, which is unrated,")

    def _check_unrated(self, match: FileMatch, side: FileSide, what: str) -> None:
        """An unrated match leaves a rating as it is."""
        same(f"{what} afterwards", side.after, side.before)
        if side.n is not None:
            raise Differs(f"{what} counts as a rated match")
        latest = self._latest.get(side.account)
        if latest is not None and latest.season == match.season and not latest.is_stale:
            same(f"{what} before it", side.before, latest.rating.as_hex())

    def _check_rated(self, match: FileMatch, index: int, side: FileSide, name: str) -> None:
        if side.n is None or side.after is None or side.before is None:
            raise Differs(f"{name}: a rated side has no number or no rating")
        latest, version = self._latest.get(side.account), (side.entry, side.version)
        number, expected = _following(latest, match.season, version)
        if self._can_tell(latest, match, side):
            if latest is not None and match.season < latest.season:
                raise Differs(f"{name}: the season of {side.entry} is over")
            same(f"{name}: the number of a rated match of {side.entry}", side.n, number)
            same(f"{name}: the rating of {side.entry} before it", side.before, expected.as_hex())
        else:
            self.believed.add(side.account)
        outcomes = Counter((outcome(match.score[index - 1], match.score[2 - index]),))
        if latest is not None and latest.season == match.season:
            outcomes += latest.outcomes
        reached = Reached(match.season, side.n, Rating.of_hex(*side.after), version, outcomes)
        self._latest[side.account] = self.ended[match.season, side.account] = reached

    @staticmethod
    def _can_tell(latest: Reached | None, match: FileMatch, side: FileSide) -> bool:
        """Whether the matches before it say what an account's rating must be."""
        if latest is None:
            # Whoever begins in a later season with another rating than a newcomer's has fought before.
            return side.n == 1 and (match.season == 1 or side.before == Rating().as_hex())
        has_skipped = side.n is not None and (match.season, side.n) > (latest.season, latest.n + 1)
        return not (latest.is_stale and has_skipped)


def _following(latest: Reached | None, season: int, version: tuple[str, int]) -> tuple[int, Rating]:
    """The number of an account's next rated match, and its rating before it."""
    if latest is None:
        return 1, Rating()
    number, rating = latest.n + 1, latest.rating
    for _ in range(season - latest.season):
        number, before, rating = 1, rating, folded(rating)
        if rating == before:
            break
    return number, rating if version == latest.version else with_new_version(rating)
