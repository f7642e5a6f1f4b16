"""What agents are worth, as Markdown tables and drawn learning curves, from the measurements in examples/envs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).parent.parent / "examples" / "envs"
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 240, 56, 34, 16, 44
BINS = 24
PAPER, INK, FAINT, LINE = "#ffffff", "#24292f", "#8b949e", "#0969da"


def is_measured(ruleset: str) -> bool:
    """Whether `fracas agents strength` was run for a ruleset, and its result kept."""
    return (MEASURED / "strength" / f"{ruleset}.json").exists()


def strength_page(ruleset: str) -> str:
    """All players of a ruleset against all others, with half of the 95% interval of each score."""
    table = json.loads((MEASURED / "strength" / f"{ruleset}.json").read_text())
    names = [entry["player"] for entry in table["players"]]
    numbers = {name: str(place) for place, name in enumerate(names, 1)}
    met = {(each["player"], each["against"]): each for each in table["meetings"]}
    header = ["", "player", "all", *numbers.values()]
    rows = [
        [
            numbers[entry["player"]],
            f"**{entry['player']}**" if entry["player"] == "trained" else entry["player"],
            _cell(entry),
            *("" if name == entry["player"] else _cell(met[entry["player"], name]) for name in names),
        ]
        for entry in table["players"]
    ]
    battles = f"{table['battles_per_pair']:,} battles of each pair"
    drafts = f", {table['drafts']} builds of each for each side" if "drafts" in table else ""
    lines = [f"`{table['scenario']}`, {battles}{drafts}, seed `{table['seed']}`; scores in per cent.", ""]
    lines += [f"| {' | '.join(header)} |", f"| {' | '.join(['---'] * len(header))} |"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _cell(entry: dict[str, Any]) -> str:
    low, high = entry["interval"]
    return f"{100 * entry['score']:.0f} ± {50 * (high - low):.0f}"


def curve_picture(ruleset: str) -> str:
    """A learning curve: the mean score over the battles played so far, as SVG."""
    curve = json.loads((MEASURED / "curves" / f"{ruleset}.json").read_text())
    points = curve["points"]
    bins = min(BINS, len(points))
    ends = [len(points) * (number + 1) // bins for number in range(bins)]
    starts = [0, *ends[:-1]]
    most = points[-1]["battles"]
    means = [
        (points[end - 1]["battles"], sum(point["score"] for point in points[start:end]) / (end - start))
        for start, end in zip(starts, ends, strict=True)
    ]
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    path = " ".join(f"{LEFT + across * x / most:.1f},{TOP + down * (1 - y):.1f}" for x, y in means)
    against = ", ".join(curve["opponents"])
    marks = "\n".join(
        f'<text x="{LEFT - 8}" y="{TOP + down * (1 - share) + 4:.1f}" text-anchor="end">{share * 100:.0f}%</text>\n'
        f'<path d="M{LEFT} {TOP + down * (1 - share):.1f}h{across}" stroke="{FAINT}" stroke-width="0.5"/>'
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">
<title>{ruleset}: the score in training rises from {means[0][1]:.2f} to {means[-1][1]:.2f}</title>
<style>text {{ font: 13px system-ui, sans-serif; fill: {INK}; }}</style>
<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{PAPER}"/>
<text x="{LEFT}" y="20">{ruleset}: score while it learns, against {against}</text>
{marks}
<polyline points="{path}" fill="none" stroke="{LINE}" stroke-width="2"/>
<text x="{LEFT}" y="{HEIGHT - 14}">0 battles</text>
<text x="{WIDTH - RIGHT}" y="{HEIGHT - 14}" text-anchor="end">{most:,} battles</text>
</svg>
"""
