"""Renders narration as HTML fragments for notebooks: no scripts, no requests, readable in light and dark."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from fracas.events.styled_text import PLAIN, Line

_STYLE = """<style>
.fracas{font:13px/1.45 ui-monospace,Menlo,Consolas,monospace;white-space:pre;overflow-x:auto}
.fracas .side1{color:light-dark(#0b62a8,#6bb5f5)}.fracas .side2{color:light-dark(#a8480b,#f5a96b)}
.fracas .harm{color:light-dark(#b3261e,#f2837c)}.fracas .help{color:light-dark(#1b7a3a,#7bd694)}
.fracas .aside{opacity:.65}.fracas .heading,.fracas .emphasis{font-weight:600}
</style>"""


def page_fragment(lines: Iterable[Line]) -> str:
    """Lines as a preformatted block in which every role has a CSS class."""
    body = "\n".join("".join(_span(text, role) for text, role in line.spans) for line in lines)
    return f'{_STYLE}<div class="fracas">{body}</div>'


def _span(text: str, role: str) -> str:
    return escape(text) if role == PLAIN else f'<span class="{role}">{escape(text)}</span>'
