"""What a page shows of a result of the lab: its sentences, tables and courses, as plain values."""

from __future__ import annotations

from typing import Any

from fracas.lab.presentation.data_frames import cells_of, few, lengths, row_sign
from fracas.lab.presentation.notebook import Document
from fracas.lab.presentation.types import Table

# More rows than this are not shown.
MOST_ROWS = 24


def document_json(document: Document) -> dict[str, Any]:
    """A result of any study for the page.

    Returns:
        `findings` and `notes`, sentences; `tables`, each with a `caption`, `heads` (`text`, `is_number`), `rows` and
        how many rows are `left` out. A row has its `cells`; a `sign`, 1 or -1 if its gain is sure; a `bar` from 0 to
        1, or null; and an `edit` that it proposes (`path`, `value`), or null. A table of a course has its values, from
        0 to 1, as `course`; others have none.
    """
    tables = [table for table in document.shown_tables() if table.rows and not table.is_detail]
    return {
        "findings": list(document.findings()),
        "notes": list(document.notes()),
        # What can be changed comes first.
        "tables": [_table_json(table) for table in sorted(tables, key=lambda table: not table.edits)],
    }


def _table_json(table: Table) -> dict[str, Any]:
    shown = few(table, MOST_ROWS)
    cells = cells_of(shown)
    used = [
        number
        for number, place in enumerate(cells.places)
        if not table.columns[place].is_detail and any(row[number] for row in cells.rows)
    ]
    drawn = next((place for place, column in enumerate(table.columns) if column.is_drawn), None)
    bars = [None] * len(shown.rows) if drawn is None or table.is_course else lengths(shown, drawn)
    edits: list[Any] = [{"path": edit.path.split("."), "value": edit.value} for edit in table.edits]
    edits = edits or [None] * len(shown.rows)
    return {
        "caption": table.caption,
        "heads": [{"text": cells.headings[number], "is_number": cells.numbers[number]} for number in used],
        "rows": [
            {
                "cells": [texts[number] for number in used],
                "sign": row_sign(table, row),
                "bar": None if bar is None else bar[0] / bar[1],
                "edit": edit,
            }
            for texts, row, bar, edit in zip(cells.rows, shown.rows, bars, edits[: len(shown.rows)], strict=True)
        ],
        "left": len(table.rows) - len(shown.rows),
        "course": [row[drawn] for row in table.rows] if table.is_course and drawn is not None else [],
    }
