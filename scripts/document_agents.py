"""What agents are worth, as Markdown tables and drawn learning curves, from the measurements in examples/envs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from agent_tables import COMMANDS

from fracas.envs.names import RULESETS
from fracas.rulesets import registry

MEASURED = Path(__file__).parent.parent / "examples" / "envs"
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 240, 56, 34, 16, 44
BINS = 24
PAPER, INK, FAINT, LINE = "#ffffff", "#24292f", "#8b949e", "#0969da"


def measured() -> dict[str, str]:
    """The generated parts of the page about agents: cards, tables, exploitability."""
    found = {}
    for name, command in COMMANDS.items():
        folder, _, stem = name.partition("/")
        page, section = {
            "cards": (card_page, f"card of {stem}"),
            "strength": (strength_page, f"strength in {stem}"),
        }[folder]
        if stem == "exploitability":
            page, section = exploitability_page, stem
        file = MEASURED / f"{name}.json"
        found[section] = page(file) if file.exists() else f"`{command}` plays it; it is not kept in this release."
    return found


def readings() -> str:
    """What trained policies of version 2 read, by ruleset."""
    rows = []
    for ruleset in RULESETS:
        reading = registry.get(ruleset).agent_interface().trained(ruleset, 2)
        sizes = (len(reading.common), reading.shape.places, reading.width, reading.deeds.shape[1], reading.inputs)
        rows.append([ruleset, *map(str, sizes)])
    return "\n".join(_table(["ruleset", "common", "places", "block", "what an action does", "inputs"], rows))


def _command(file: Path) -> str:
    """The command that prints a kept table."""
    return COMMANDS[f"{file.parent.name}/{file.stem}"]


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table."""
    return [f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)]


def card_page(file: Path) -> str:
    """The published pool of a ruleset: numbers with their parts, and the scores of all against all."""
    card = json.loads(file.read_text(encoding="utf-8"))
    parts = list(card["items"])
    rows = [
        [
            entry["player"],
            f"**{_cell(entry)}**",
            *(_cell(entry["parts"][part]) for part in parts),
            *(f"{100 * entry['against'][name]:.0f}" if name in entry["against"] else "" for name in card["pool"]),
        ]
        for entry in card["players"]
    ]
    items = ", ".join(f"{count} {part}" for part, count in card["items"].items())
    title = f"`{_command(file)}`: {items} battles, {card['battles_per_pair']} battles of each pair."
    return "\n".join([title, "", *_table(["player", "score", *parts, *card["pool"]], rows)])


def exploitability_page(file: Path) -> str:
    """How far the trained policy of titans can be exploited, with the error of the grid."""
    found = json.loads(file.read_text(encoding="utf-8"))
    fine, coarse = found["states"]
    figures = zip(found["players"], found["exploitability"], found["exploitability_error"], strict=True)
    rows = [[player["name"], f"{gain:.1%}", f"{error:.1%}"] for player, gain, error in figures]
    title = f"`{_command(file)}`: the errors are the differences between grids of {fine:,} and {coarse:,} states."
    table = _table(["played by", "its best opponent wins more than the value", "error of that, about"], rows)
    value = f"The value of the duel is {found['value']:.1%}, with an error of about {found['value_error']:.1%}."
    return "\n".join([title, "", *table, "", value])


def strength_page(file: Path) -> str:
    """All players of a ruleset against all others, with half of the 95% interval of each score."""
    table = json.loads(file.read_text(encoding="utf-8"))
    names = [entry["player"] for entry in table["players"]]
    numbers = {name: str(place) for place, name in enumerate(names, 1)}
    met = {(each["player"], each["against"]): each for each in table["meetings"]}
    rows = [
        [
            numbers[entry["player"]],
            f"**{entry['player']}**" if entry["player"] == "trained" else entry["player"],
            _cell(entry),
            *("" if name == entry["player"] else _cell(met[entry["player"], name]) for name in names),
        ]
        for entry in table["players"]
    ]
    title = f"`{_command(file)}`: `{table['scenario']}`, {table['battles_per_pair']:,} battles of each pair."
    return "\n".join([title, "", *_table(["", "player", "all", *numbers.values()], rows)])


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
