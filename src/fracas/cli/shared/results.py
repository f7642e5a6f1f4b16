"""Print a result of the lab: as one JSON document, or as what its document says in sentences and tables."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fracas.cli.shared.output import columns, print_json, print_lines, width
from fracas.errors.suggestions import visible
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HEADING, HELP, PLAIN, SIDE_1, SIDE_2, Line, Span, bar

if TYPE_CHECKING:
    from fracas.lab.presentation.notebook import Document
    from fracas.lab.presentation.types import Table

# More rows than this are not printed unless they are asked for.
MOST_ROWS = 24
# Sentences wider than this are hard to read.
WIDEST_TEXT = 100
BAR_WIDTH = 20


def print_findings(result: Document, format: str, *, most: int = MOST_ROWS, details: bool = False) -> None:
    """Print a result to stdout. Tables end after `most` rows; `details` prints the long tables too."""
    if format == "json":
        print_json(result.as_json())
    else:
        print_lines(document_lines(result, most=most, details=details))


def document_lines(document: Document, *, most: int = MOST_ROWS, details: bool = False) -> Iterator[Line]:
    """A document as lines: what it is of, its findings, how they were made, and its tables."""
    yield _line(headline(document), HEADING)
    for note in document.notes():
        yield from _sentence(note, ASIDE)
    if document.interrupted:
        yield _line("interrupted: everything shown is complete, and the rest was not computed", ASIDE)
    yield _line("")
    for number, finding in enumerate(document.findings()):
        yield from _sentence(finding, PLAIN if number else EMPHASIS)
    for table in document.shown_tables():
        if table.rows and (details or not table.is_detail):
            yield _line("")
            yield from _sentence(table.caption, ASIDE)
            yield from _table_lines(table, getattr(document, "names", ()), most, details)


def headline(document: Document) -> str:
    """What a document is of, in one line."""
    parts = [document.ruleset]
    parts += [f"profile {document.profile}"] if document.profile else []
    parts += [f'seed "{document.seed}"'] if document.seed else []
    return f"{document.about}: {', '.join(parts)}"


def _line(text: str, role: str = PLAIN) -> Line:
    return Line(0, ((text, role),))


def _sentence(text: str, role: str) -> Iterator[Line]:
    for line in textwrap.wrap(text, min(width(), WIDEST_TEXT), break_long_words=False, break_on_hyphens=False):
        yield _line(line, role)


def _table_lines(table: Table, names: Sequence[str], most: int, details: bool) -> Iterator[Line]:
    """A table as aligned columns, without columns that are empty; a row's colour is that of its side or its gain."""
    from fracas.lab.presentation.data_frames import cells_of, few, lengths
    from fracas.lab.presentation.types import CellKind

    shown = few(table, most)
    cells = cells_of(shown)
    roles = [_role(table, row, names) for row in shown.rows]
    texts: list[list[str]] = [[] for _ in (cells.headings, *cells.rows)]
    right: list[int] = []
    for number, (heading, place) in enumerate(zip(cells.headings, cells.places, strict=True)):
        column = [row[number] for row in cells.rows]
        if not any(column) or (table.columns[place].is_detail and not details):
            continue
        if table.columns[place].is_drawn:
            bars = ["" if length is None else bar(*length, BAR_WIDTH) for length in lengths(shown, place)]
            texts = [[*row, drawn] for row, drawn in zip(texts, ("", *bars), strict=True)]
        if cells.numbers[number]:
            right.append(len(texts[0]))
        texts = [[*row, cell] for row, cell in zip(texts, (heading, *column), strict=True)]
    # The cells of a matrix stand closer, so that many fit.
    is_matrix = any(column.kind is CellKind.WHOLE_SHARE for column in table.columns)
    header, *lines = columns(texts, right=right, indent=2, gap=1 if is_matrix else 2)
    if header.strip():
        yield _line(f"  {header}", ASIDE)
    for number, (line, role) in enumerate(zip(lines, roles, strict=True)):
        if table.signs:
            signs = [table.signs[number][place] for place in cells.places]
            yield Line(0, tuple(_signed(f"  {line}", cells.rows[number], signs)))
        else:
            yield _line(f"  {line}", role)
    left = len(table.rows) - len(shown.rows)
    if left > 0:
        more = f"and {left:,} more" if not table.is_course else f"{len(shown.rows)} of {len(table.rows):,}"
        yield _line(f"  {more}; --format json lists all", ASIDE)


def _signed(line: str, cells: Sequence[str], signs: Sequence[int]) -> Iterator[Span]:
    """A line with each cell in the colour of its sign; the rest is plain."""
    end = 0
    for cell, sign in zip(cells, signs, strict=True):
        start = line.find(visible(cell), end)
        if cell and start >= 0:
            yield line[end:start], PLAIN
            end = start + len(visible(cell))
            yield line[start:end], HELP if sign > 0 else HARM if sign < 0 else PLAIN
    yield line[end:], PLAIN


def _role(table: Table, row: Sequence[Any], names: Sequence[str]) -> str:
    """The colour of a row: that of a gain that is surely above or below nothing, or a side's."""
    from fracas.lab.presentation.data_frames import row_sign

    sides = dict(zip(names, (SIDE_1, SIDE_2), strict=False))
    own = sides.get(row[0], PLAIN) if isinstance(row[0], str) else PLAIN
    return {1: HELP, -1: HARM}.get(row_sign(table, row), own)
