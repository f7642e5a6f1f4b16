"""Leaderboards and histories as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from fracas.server.arena.store.leaderboards import Row
from fracas.server.arena.store.matches import MatchView

LEADERBOARD = ("rank", "handle", "name", "rating", "uncertainty", "mu", "sigma", "matches", "wins", "draws", "losses")
HISTORY = (
    "match",
    "played_at",
    "league",
    "season",
    "kind",
    "handle_1",
    "entry_1",
    "version_1",
    "handle_2",
    "entry_2",
    "version_2",
    "score_1",
    "score_2",
    "rated_1",
    "rating_1_before",
    "rating_1_after",
    "rated_2",
    "rating_2_before",
    "rating_2_after",
)
# Spreadsheets run cells that begin so as formulas.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def leaderboard_csv(rows: Iterable[Row]) -> str:
    """A leaderboard as CSV with a header; `rating` is the shown number and `uncertainty` its +-."""
    return _csv(
        LEADERBOARD,
        (
            (
                row.rank,
                row.account.handle,
                row.account.name,
                row.rating,
                row.uncertainty,
                row.mu,
                row.sigma,
                row.matches,
                row.wins,
                row.draws,
                row.losses,
            )
            for row in rows
        ),
    )


def history_csv(matches: Iterable[MatchView]) -> str:
    """Matches as CSV with a header; ratings are shown numbers, empty where a match changed none."""
    return _csv(HISTORY, map(_match, matches))


def _match(found: MatchView) -> Sequence[object]:
    first, second = found.sides
    sides = [part for side in (first, second) for part in (side.account.handle, side.code, side.version)]
    ratings = [
        part
        for side in (first, second)
        for part in (
            int(side.rated),
            side.before.rating if side.before is not None and side.rated else "",
            side.after.rating if side.after is not None and side.rated else "",
        )
    ]
    head = (found.id, found.played_at, found.league, found.season, found.kind)
    return (*head, *sides, first.score, second.score, *ratings)


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([_harmless(cell) for cell in row])
    return file.getvalue()


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
