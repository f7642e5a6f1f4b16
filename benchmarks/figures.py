"""Helpers for balance measurements: shares with intervals, Markdown tables, pages that publish them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from fracas.lab.statistics.intervals import wilson_interval

ROOT = Path(__file__).resolve().parent.parent


def share(count: int, total: int) -> str:
    """A share in per cent with its 95% Wilson interval."""
    low, high = wilson_interval(count, total)
    return f"{100 * count / total:.1f} ({100 * low:.1f}–{100 * high:.1f})"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table with right-aligned figures."""
    marks = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, marks, *rows))


def marked(mark: str) -> re.Pattern[str]:
    """The place of figures on a page: between a comment that names their program, and the end."""
    return re.compile(rf"(<!-- {re.escape(mark)} -->\n).*?(<!-- end -->)", re.DOTALL)


def write(body: str, mark: str, pages: Iterable[Path]) -> None:
    """Write figures to the pages that publish them."""
    place = marked(mark)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if not place.search(text):
            raise SystemExit(f"{page.relative_to(ROOT)} has no place for the figures")
        page.write_text(place.sub(lambda found: f"{found[1]}{body}\n{found[2]}", text), encoding="utf-8")
        print(f"written: {page.relative_to(ROOT)}", file=sys.stderr)
