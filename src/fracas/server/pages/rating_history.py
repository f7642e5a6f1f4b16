"""An account's rating over a season: what it was after each match, and a drawing of it."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from sqlalchemy import Connection, select

from fracas.server.arena.ratings import Rating
from fracas.server.database.tables import match_side

# Enough for a picture; older matches of a long season are left out.
MOST_POINTS = 400
WIDTH, HEIGHT = 640, 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 8, 14, 26


def rating_history(connection: Connection, league: str, season: int, whom: str) -> list[Rating]:
    """The ratings of an account after its rated matches in a season, the oldest first: the last 400."""
    rows = connection.execute(
        select(match_side.c.mu1, match_side.c.sigma1)
        .where(
            match_side.c.account == whom,
            match_side.c.mu1.is_not(None),
            match_side.c.rated == 1,
            match_side.c.league == league,
            match_side.c.season == season,
        )
        .order_by(match_side.c.n.desc())
        .limit(MOST_POINTS)
    ).all()
    return [Rating.of_hex(row.mu1, row.sigma1) for row in reversed(rows)]


def chart(history: Sequence[Rating]) -> Markup:
    """Draw a rating and its uncertainty as SVG. All of it is numbers, so it needs no escaping."""
    if len(history) < 2:
        return Markup("")
    low = min(each.shown - each.doubt for each in history)
    high = max(each.shown + each.doubt for each in history)
    span = max(1, high - low)

    def x(place: int) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * place / (len(history) - 1), 1)

    def y(value: float) -> float:
        return round(_TOP + (HEIGHT - _TOP - _BOTTOM) * (high - value) / span, 1)

    upper = [f"{x(place)},{y(each.shown + each.doubt)}" for place, each in enumerate(history)]
    lower = [f"{x(place)},{y(each.shown - each.doubt)}" for place, each in enumerate(history)]
    line = [f"{x(place)},{y(each.shown)}" for place, each in enumerate(history)]
    steps = _steps(low, high)
    grid = "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y(each)}" y2="{y(each)}"/>'
        f'<text x="{_LEFT - 6}" y="{y(each) + 4}" text-anchor="end">{each}</text>'
        for each in steps
    )
    last = history[-1]
    description = f"Rating over {len(history)} matches, from {history[0].shown} to {last.shown} ± {last.doubt}"
    # Safe: only numbers of this function are filled in.
    return Markup(
        f'<svg class="rating-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{description}">'
        f'<title>{description}</title>{grid}<polygon class="band" points="{" ".join([*upper, *reversed(lower)])}"/>'
        f'<polyline class="line" points="{" ".join(line)}"/>'
        f'<text x="{_LEFT}" y="{HEIGHT - 6}">match 1</text>'
        f'<text x="{WIDTH - _RIGHT}" y="{HEIGHT - 6}" text-anchor="end">match {len(history)}</text></svg>'
    )


def _steps(low: int, high: int) -> list[int]:
    """Two to six round numbers between two values."""
    for size in (10, 20, 50, 100, 200, 500, 1000):
        found = [each for each in range((low // size) * size, high + 1, size) if each >= low]
        if len(found) <= 6:
            return found
    return [low, high]
