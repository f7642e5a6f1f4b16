"""An account's rating over a season: what it was after each match, and a drawing of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape
from sqlalchemy import Connection, select

from fracas.server.arena.ratings import Rating
from fracas.server.clock import iso
from fracas.server.database.tables import account, match, match_side

# Enough for a picture; older matches of a long season are left out.
MOST_POINTS = 400
WIDTH, HEIGHT = 640, 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 8, 14, 26


@dataclass(frozen=True)
class RatedMatch:
    """A rated match of an account, and its rating afterwards."""

    match: str
    n: int
    """The number of the account's rated matches in the season up to this one."""
    played_at: int
    outcome: str
    """`won`, `drew` or `lost`."""
    opponent: str
    """Whom the other account shows itself as."""
    rating: Rating

    @property
    def told(self) -> str:
        """The match in a sentence."""
        against = f"{self.outcome} against {self.opponent}"
        return f"{iso(self.played_at)[:10]}, match {self.n}: {against}; {self.rating.shown} ± {self.rating.doubt}"


def rating_history(connection: Connection, league: str, season: int, whom: str) -> list[RatedMatch]:
    """The rated matches of an account in a season, the oldest first: the last 400."""
    other = match_side.alias()
    own_score, their_score = match.c.score_a, match.c.score_b
    rows = connection.execute(
        select(
            match_side.c.match, match_side.c.n, match_side.c.place, match_side.c.mu1, match_side.c.sigma1,
            match.c.played_at, own_score, their_score, account.c.handle, account.c.display_name,
        )
        .join(match, match.c.id == match_side.c.match)
        .join(other, (other.c.match == match_side.c.match) & (other.c.place != match_side.c.place))
        .join(account, account.c.id == other.c.account)
        .where(
            match_side.c.account == whom,
            match_side.c.mu1.is_not(None),
            match_side.c.rated == 1,
            match_side.c.league == league,
            match_side.c.season == season,
        )
        .order_by(match_side.c.n.desc())
        .limit(MOST_POINTS)
    ).all()  # fmt: skip
    found = []
    for row in reversed(rows):
        lead = (row.score_a - row.score_b) * (1 if row.place == 1 else -1)
        outcome = "won" if lead > 0 else "lost" if lead < 0 else "drew"
        rating = Rating.of_hex(row.mu1, row.sigma1)
        opponent = row.display_name or row.handle
        found.append(RatedMatch(row.match, row.n, row.played_at, outcome, opponent, rating))
    return found


def chart(history: Sequence[RatedMatch]) -> Markup:
    """Draw a rating and its uncertainty as SVG; each match is a link that says when, against whom and how it ended."""
    if len(history) < 2:
        return Markup("")
    ratings = [each.rating for each in history]
    low = min(each.shown - each.doubt for each in ratings)
    high = max(each.shown + each.doubt for each in ratings)
    span = max(1, high - low)

    def x(index: int) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * index / (len(history) - 1), 1)

    def y(value: float) -> float:
        return round(_TOP + (HEIGHT - _TOP - _BOTTOM) * (high - value) / span, 1)

    upper = [f"{x(index)},{y(each.shown + each.doubt)}" for index, each in enumerate(ratings)]
    lower = [f"{x(index)},{y(each.shown - each.doubt)}" for index, each in enumerate(ratings)]
    line = [f"{x(index)},{y(each.shown)}" for index, each in enumerate(ratings)]
    grid = "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y(each)}" y2="{y(each)}"/>'
        f'<text x="{_LEFT - 6}" y="{y(each) + 4}" text-anchor="end">{each}</text>'
        for each in _steps(low, high)
    )
    points = Markup("").join(
        Markup('<a href="/m/{}" aria-label="{}"><circle cx="{}" cy="{}" r="4"><title>{}</title></circle></a>').format(
            each.match, each.told, x(index), y(each.rating.shown), each.told
        )
        for index, each in enumerate(history)
    )
    first, last = history[0], history[-1]
    reached = f"to {last.rating.shown} ± {last.rating.doubt}"
    description = f"Rating over {len(history)} matches, from {first.rating.shown} {reached}"
    # Safe: numbers of this function and text that was escaped.
    return Markup(
        f'<svg class="rating-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="{escape(description)}">'
        f'{grid}<polygon class="band" points="{" ".join([*upper, *reversed(lower)])}"/>'
        f'<polyline class="line" points="{" ".join(line)}"/>{points}'
        f'<text x="{_LEFT}" y="{HEIGHT - 6}">{_end(first)}</text>'
        f'<text x="{WIDTH - _RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{_end(last)}</text>'
        "</svg>"
    )


def _end(rated: RatedMatch) -> str:
    return f"match {rated.n}, {iso(rated.played_at)[:10]}"


def _steps(low: int, high: int) -> list[int]:
    """Two to six round numbers between two values."""
    for size in (10, 20, 50, 100, 200, 500, 1000):
        found = [each for each in range((low // size) * size, high + 1, size) if each >= low]
        if len(found) <= 6:
            return found
    return [low, high]
