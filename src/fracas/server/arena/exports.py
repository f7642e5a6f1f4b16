"""Leaderboards and histories as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence

from fracas.server.arena.store.leaderboards import Row
from fracas.server.arena.store.matches import MatchView, SideView

LEADERBOARD: dict[str, Callable[[Row], object]] = {
    "rank": lambda row: row.rank,
    "handle": lambda row: row.account.handle,
    "name": lambda row: row.account.name,
    "rating": lambda row: row.rating,
    "uncertainty": lambda row: row.uncertainty,
    "mu": lambda row: row.mu,
    "sigma": lambda row: row.sigma,
    "matches": lambda row: row.matches,
    "wins": lambda row: row.wins,
    "draws": lambda row: row.draws,
    "losses": lambda row: row.losses,
}
HISTORY: dict[str, Callable[[MatchView, SideView, SideView], object]] = {
    "match": lambda match, one, two: match.id,
    "played_at": lambda match, one, two: match.played_at,
    "league": lambda match, one, two: match.league,
    "season": lambda match, one, two: match.season,
    "kind": lambda match, one, two: match.kind,
    "handle_1": lambda match, one, two: one.account.handle,
    "entry_1": lambda match, one, two: one.code,
    "version_1": lambda match, one, two: one.version,
    "handle_2": lambda match, one, two: two.account.handle,
    "entry_2": lambda match, one, two: two.code,
    "version_2": lambda match, one, two: two.version,
    "score_1": lambda match, one, two: one.score,
    "score_2": lambda match, one, two: two.score,
    "rated_1": lambda match, one, two: int(one.rated),
    "rating_1_before": lambda match, one, two: one.before.rating if one.rated and one.before else "",
    "rating_1_after": lambda match, one, two: one.after.rating if one.rated and one.after else "",
    "rated_2": lambda match, one, two: int(two.rated),
    "rating_2_before": lambda match, one, two: two.before.rating if two.rated and two.before else "",
    "rating_2_after": lambda match, one, two: two.after.rating if two.rated and two.after else "",
}
# Spreadsheets run cells that begin so as formulas.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def leaderboard_csv(rows: Iterable[Row]) -> str:
    """A leaderboard as CSV with a header; `rating` is the shown number and `uncertainty` its +-."""
    return _csv([*LEADERBOARD], ([value(row) for value in LEADERBOARD.values()] for row in rows))


def history_csv(matches: Iterable[MatchView]) -> str:
    """Matches as CSV with a header; ratings are shown numbers, empty where a match changed none."""
    return _csv([*HISTORY], ([value(match, *match.sides) for value in HISTORY.values()] for match in matches))


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([_harmless(cell) for cell in row])
    return file.getvalue()


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
