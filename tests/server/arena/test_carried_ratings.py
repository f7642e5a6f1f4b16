"""The proof of a later season: ratings begin folded, once for each season since the account's last rated match."""

from __future__ import annotations

import pytest

from fracas.server.arena.proofs.carried_ratings import CarriedRatings
from fracas.server.arena.proofs.day_file import Differs, FileMatch, FileSide
from fracas.server.arena.ratings import Rating, after_match, folded

SCORES = (4, 0)


def fought(season: int, before: tuple[Rating, Rating]) -> FileMatch:
    """The first rated match of the season between two accounts with these ratings, which the first one wins."""
    after = after_match(*before, SCORES)
    first, second = (
        FileSide(name, f"entry of {name}", 1, "", "", True, 1, old.as_hex(), new.as_hex())
        for name, old, new in zip(("ann", "zoe"), before, after, strict=True)
    )
    return FileMatch(1, season, "standing", "none", "", (first, second), [], SCORES, "", "")


@pytest.mark.parametrize("folds", [0, 1, 2, 3])
def test_a_season_begins_with_ratings_folded_once_for_each_season(folds: int):
    """The account skipped the second season."""
    carried = CarriedRatings()
    carried.next_day("2026-11-22")
    carried.check(fought(1, (Rating(), Rating())), "match 1")
    one, other = after_match(Rating(), Rating(), SCORES)
    for _ in range(folds):
        one, other = folded(one), folded(other)
    carried.next_day("2026-11-23")
    if folds == 2:
        carried.check(fought(3, (one, other)), "match 2")
        assert not carried.believed
    else:
        with pytest.raises(Differs, match="match 2: the rating of entry of ann before it differs"):
            carried.check(fought(3, (one, other)), "match 2")
