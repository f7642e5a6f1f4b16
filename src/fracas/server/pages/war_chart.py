"""Draw a war: how far the first guild was ahead, or behind, after each match."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from fracas.server.arena.wars.story import points
from fracas.server_models.guilds import War

WIDTH, HEIGHT = 640, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 8, 30, 30


def chart(war: War, names: Sequence[str]) -> Markup:
    """The lead over the matches as SVG: the first guild's above the line, the second's below.

    Args:
        war: with its matches.
        names: each match in a few words.
    """
    leads = [0, *(each.after[0] - each.after[1] for each in war.matches)]
    if len(leads) < 3:
        return Markup("")
    most = max(2, *(abs(each) for each in leads))

    def x(index: float) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * index / (len(leads) - 1), 1)

    def y(lead: float) -> float:
        return round(_TOP + (HEIGHT - _TOP - _BOTTOM) * (most - lead) / (2 * most), 1)

    line = " ".join(f"{x(index)},{y(lead)}" for index, lead in enumerate(leads))
    level = y(0)
    # The same area twice, each half cut off at the level: one colour for each guild's lead.
    area = f"{x(0)},{level} {line} {x(len(leads) - 1)},{level}"
    halves = "".join(
        f'<clipPath id="lead{side}"><rect x="0" y="{top}" width="{WIDTH}" height="{height}"/></clipPath>'
        f'<polygon class="side{side}" clip-path="url(#lead{side})" points="{area}"/>'
        for side, top, height in ((1, 0, level), (2, level, HEIGHT - level))
    )
    step = max(1, (most // 2) // 2) * 2
    grid = "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y(lead)}" y2="{y(lead)}"/>'
        f'<text x="{_LEFT - 6}" y="{y(lead) + 4}" text-anchor="end">{points(abs(lead))}</text>'
        for lead in range(-most // step * step, most + 1, step)
        if -most <= lead <= most
    )
    marks = Markup("").join(
        _mark(war, number, f"Match {number}: {name}; {_score(war, number)}", x(number), y(leads[number]))
        for number, name in enumerate(names, 1)
    )
    one, other = (side.name for side in war.sides)
    final = _score(war, len(war.matches))
    description = f"The lead over {len(war.matches)} matches of {one} against {other}: {final} at the end"
    # Safe: numbers of this function and text that was escaped.
    return Markup(
        f'<svg class="war-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="{escape(description)}">'
        f'{grid}{halves}<line class="level" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{level}" y2="{level}"/>'
        f'<polyline class="line" points="{line}"/>{marks}'
        f'<text x="{_LEFT}" y="{_TOP - 8}">{escape(one)} ahead</text>'
        f'<text x="{_LEFT}" y="{HEIGHT - 6}">{escape(other)} ahead</text>'
        f'<text x="{WIDTH - _RIGHT}" y="{HEIGHT - 6}" text-anchor="end">match {len(war.matches)}</text></svg>'
    )


def _mark(war: War, number: int, told: str, x: float, y: float) -> Markup:
    """A match on the line; a link if it was fought."""
    dot = Markup('<circle cx="{}" cy="{}" r="3"><title>{}</title></circle>').format(x, y, told)
    path = war.matches[number - 1].links.get("match")
    if path is None:
        return dot
    return Markup('<a href="/m/{}" aria-label="{}">{}</a>').format(path.rpartition("/")[2], told, dot)


def _score(war: War, number: int) -> str:
    first, second = war.matches[number - 1].after
    return f"{points(first)} : {points(second)}"
