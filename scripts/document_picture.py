"""Draws the README's picture of a battle's log: the real log in a terminal's colours, as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

import fracas
from fracas.cli.shared.output import headline
from fracas.content.packs import examples_folder
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HEADING, HELP, PLAIN, SIDE_1, SIDE_2, Line

COLUMN, ROW, MARGIN, TITLE = 8.4, 19, 16, 38
PAPER, INK, FAINT = "#0d1117", "#d3dae2", "#8b949e"
COLOURS = {
    PLAIN: INK,
    HEADING: INK,
    EMPHASIS: INK,
    ASIDE: FAINT,
    SIDE_1: "#6cc7ee",
    SIDE_2: "#e8bd6a",
    HARM: "#ff7b72",
    HELP: "#7ee787",
}
BOLD = (HEADING, EMPHASIS)
# Only installed fonts: a picture that downloaded one would reveal its readers to a third party.
FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace"
FULL, EMPTY, RULE = "█", "░", "─"
# Blocks drawn as shapes, and text between gaps: every piece has its own position, so that columns stay aligned.
PIECE = re.compile(rf"{FULL}+|{EMPTY}+|{RULE}+|[^\s{FULL}{EMPTY}{RULE}]+(?: [^\s{FULL}{EMPTY}{RULE}]+)*")


def battle_picture() -> str:
    """The first battle's log: its first round, its last round and its summary."""
    battle = fracas.run(examples_folder() / "squads" / "first-battle.toml")
    lines = [Line(0, ((f"{headline(battle.scenario)}, battle 0", ASIDE),)), *_shortened(battle)]
    width = round(max(len(line.text) for line in lines) * COLUMN + 2 * MARGIN)
    height = TITLE + len(lines) * ROW + MARGIN
    body = "\n".join(_line(line, TITLE + ROW * place) for place, line in enumerate(lines, 1) if line.text)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<title>What fracas run prints for the first battle, rounds 2 to {battle.rounds - 1} left out</title>
<style>
text {{ font: 14px {FONTS}; fill: {INK}; }}
{_rules()}
</style>
<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>
<text x="{MARGIN}" y="{MARGIN + 11}" class="aside">$ fracas run examples/squads/first-battle.toml</text>
{body}
</svg>
"""


def _shortened(battle: fracas.Battle) -> Iterator[Line]:
    """The first and the last round, with a line about the rounds left out between them."""
    last = battle.rounds
    told_gap = False
    for line in battle.lines():
        if line.tick <= 1 or line.tick >= last:
            yield line
        elif not told_gap:
            yield Line(line.tick)
            yield Line(line.tick, ((f"… rounds 2 to {last - 1} are left out here …", ASIDE),))
            told_gap = True


def _rules() -> str:
    """The style of each role; its bars have its colour."""
    rules = [f".{role} {{ fill: {colour}; }}" for role, colour in COLOURS.items()]
    return "\n".join([*rules, *(f"text.{role} {{ font-weight: bold; }}" for role in BOLD)])


def _line(line: Line, baseline: int) -> str:
    shapes: list[str] = []
    column = 0
    for text, role in line.spans:
        shapes += _shapes(text, role, column, baseline)
        column += len(text)
    return "".join(shapes)


def _shapes(text: str, role: str, column: int, baseline: int) -> Sequence[str]:
    return [
        _shape(found[0], role, MARGIN + (column + found.start()) * COLUMN, baseline) for found in PIECE.finditer(text)
    ]


def _shape(piece: str, role: str, x: float, baseline: int) -> str:
    length = round(len(piece) * COLUMN, 1)
    place = f'class="{role}" x="{round(x, 1)}"'
    if piece[0] in (FULL, EMPTY):
        faint = ' opacity="0.25"' if piece[0] == EMPTY else ""
        return f'<rect {place} y="{baseline - 11}" width="{length}" height="13"{faint}/>'
    if piece[0] == RULE:
        return f'<rect {place} y="{baseline - 5}" width="{length}" height="1"/>'
    return f'<text {place} y="{baseline}" textLength="{length}" lengthAdjust="spacingAndGlyphs">{escape(piece)}</text>'
