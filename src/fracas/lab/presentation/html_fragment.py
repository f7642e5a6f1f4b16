"""Renders a result for a notebook: its main figure and main table, without scripts or requests, on light or dark."""

from __future__ import annotations

import html
import importlib.util
from collections.abc import Callable, Sequence

from fracas.errors.suggestions import visible
from fracas.lab.presentation.data_frames import cells_of
from fracas.lab.presentation.svg_charts import WIDE, can_draw, page_theme, svg
from fracas.lab.presentation.types import Chart, Table, Theme

MOST_ROWS = 20
_STYLE = """<style>
.fracas-shown{font:13px/1.45 system-ui,sans-serif;max-width:760px}
.fracas-shown table{border-collapse:collapse;margin:.4em 0}
.fracas-shown td,.fracas-shown th{padding:.15em .8em;text-align:left;border-bottom:1px solid #8a8f9855}
.fracas-shown .n{text-align:right;font-variant-numeric:tabular-nums}
.fracas-shown svg{overflow:visible}.fracas-shown svg text{font-family:"Liberation Sans",Arial,Helvetica,sans-serif}
</style>"""


def fragment(findings: Sequence[str], figures: Callable[[Theme], Sequence[Chart]], tables: Sequence[Table]) -> str:
    """The first findings, the first figure if the drawing libraries are installed, and the first table."""
    parts = [f"<p>{escape(finding)}</p>" for finding in findings[:2]]
    if all(importlib.util.find_spec(library) for library in ("altair", "vl_convert")) and can_draw():
        look = page_theme(WIDE)
        parts += [svg(figure.chart, look, figure.title) for figure in figures(look)[:1]]
    parts += [table_html(table) for table in tables[:1]]
    return f'{_STYLE}<div class="fracas-shown">{"".join(parts)}</div>'


def table_html(table: Table) -> str:
    """The first rows of a table."""
    cells = cells_of(table, MOST_ROWS)
    ends = [' class="n"' if is_number else "" for is_number in cells.numbers]

    def row_html(tag: str, row: Sequence[str]) -> str:
        return "".join(f"<{tag}{end}>{escape(cell)}</{tag}>" for end, cell in zip(ends, row, strict=True))

    head = row_html("th", cells.headings).replace("<th></th>", "<td></td>").replace('<th class="n"></th>', "<td></td>")
    body = "".join(f"<tr>{row_html('td', row)}</tr>" for row in cells.rows)
    rest = len(table.rows) - MOST_ROWS
    more = f"<p>and {rest:,} more rows in .table()</p>" if rest > 0 else ""
    return f"<table><caption>{escape(table.caption)}</caption><tr>{head}</tr>{body}</table>{more}"


def escape(text: str) -> str:
    """Text for an HTML page, without markup or characters that change the direction of what follows."""
    return html.escape(visible(text))
