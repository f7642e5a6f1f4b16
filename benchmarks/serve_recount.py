"""Reads the database of a server beside it, and computes all ratings again from its matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from blake3 import blake3
from sqlalchemy import text

from fracas.server.arena.ratings import Rating, after_match, with_new_version
from fracas.server.database.engine import open_database


class Counted:
    """The database of the server, read beside it."""

    def __init__(self, where: str) -> None:
        self._database = open_database(where, shared=True)

    def rows(self, statement: str, **values: Any) -> Sequence[Any]:
        """The rows of a query."""
        with self._database.reading.connect() as connection:
            return connection.execute(text(statement), values).all()

    def count(self, table: str) -> int:
        """The number of rows of a table."""
        return int(self.rows(f"SELECT count(*) FROM {table}")[0][0])

    def checksum(self) -> str:
        """A hash of all heads of the chain and all ratings, which depend on every match before them."""
        found = blake3()
        for query in (
            "SELECT day, no, chain FROM match WHERE no IS NOT NULL ORDER BY day, no",
            "SELECT account, n, mu, sigma FROM rating ORDER BY account",
        ):
            for values in self.rows(query):
                found.update(repr(tuple(bytes(v) if isinstance(v, memoryview) else v for v in values)).encode())
        return found.hexdigest()[:16]

    def close(self) -> None:
        """Close the connections."""
        self._database.close()


def recount(database: Counted) -> tuple[int, int]:
    """Compute all ratings again from their matches, in order; how many were compared, and how many differ."""
    # The rating after the last rated match, and the entry's version that fought it.
    ratings: dict[str, tuple[Rating, Any]] = {}
    compared = differing = 0
    sides: dict[str, list[Any]] = {}
    for side in database.rows("SELECT * FROM match_side ORDER BY match, place"):
        sides.setdefault(side.match, []).append(side)
    matches = database.rows("SELECT id, score_a, score_b FROM match WHERE no IS NOT NULL ORDER BY day, no")
    for match in matches:
        both = sides[match.id]
        before = [_before(side, ratings) for side in both]
        after = after_match(before[0], before[1], (match.score_a, match.score_b))
        for side, old, new in zip(both, before, after, strict=True):
            if not side.rated:
                continue
            compared += 1
            differing += old.as_hex() != (side.mu0, side.sigma0) or new.as_hex() != (side.mu1, side.sigma1)
            ratings[side.account] = new, (side.entry, side.version)
    return compared, differing


def _before(side: Any, ratings: Mapping[str, tuple[Rating, Any]]) -> Rating:
    """A rating before a match; less is known about a version that has not fought before."""
    if side.account not in ratings:
        return Rating.of_hex(side.mu0, side.sigma0)
    rating, version = ratings[side.account]
    return rating if version == (side.entry, side.version) else with_new_version(rating)
