"""What commands of the lab print: what their documents say, in sentences and tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fracas.cli.shared.results import BAR_WIDTH, MOST_ROWS, document_lines
from fracas.errors.suggestions import visible
from fracas.events.styled_text import HARM, HELP, PLAIN, SIDE_1, SIDE_2
from fracas.lab.presentation.data_frames import cells_of
from fracas.lab.presentation.documents import document_of
from fracas.lab.presentation.notebook import Document
from fracas.lab.presentation.types import CellKind, Column, Table

SAMPLES = sorted((Path(__file__).parents[2] / "reports" / "samples").glob("*.json"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_terminal_prints_what_the_document_says(path):
    document = document_of(json.loads(path.read_text(encoding="utf-8")), path.name)
    text = " ".join(" ".join(line.text for line in document_lines(document, details=True)).split())
    for sentence in (*document.notes(), *document.findings()):
        assert " ".join(sentence.split()) in text
    for table in document.shown_tables():
        if not table.rows:
            continue
        assert " ".join(table.caption.split()) in text
        rows = cells_of(table).rows
        for row in [*([] if table.is_course else rows[:MOST_ROWS]), *(rows[-1:] if len(rows) <= MOST_ROWS else [])]:
            assert all(" ".join(visible(cell).split()) in text for cell in row), row


class Small(Document):
    """A document of one table."""

    rows: tuple[tuple[object, ...], ...] = ()
    names: tuple[str, str] = ("Red", "Blue")
    is_course: bool = False
    is_detail: bool = False

    def shown_tables(self) -> list[Table]:
        columns = (
            Column("who", "who"),
            Column("share", "share", CellKind.SHARE, is_drawn=True),
            Column("low", "95% from", CellKind.GAIN),
            Column("high", "to", CellKind.GAIN),
        )
        return [Table("small", "A table.", columns, self.rows, self.is_course, self.is_detail)]


GAINS = ((0.2, 0.1, 0.3), (0.1, -0.1, 0.3), (-0.1, -0.2, -0.05))


class OfTable(Document):
    """A document of any table."""

    shown: Table

    def shown_tables(self) -> list[Table]:
        return [self.shown]


def _printed(table, **options):
    return list(document_lines(OfTable(command="small", ruleset="squads", shown=table), **options))[3:]


def small(*rows, **options):
    return list(document_lines(Small(command="small", ruleset="squads", rows=rows, **options)))[3:]


def test_ends_of_an_interval_become_one_cell_and_shares_are_drawn():
    _, head, row, sure = (line.text.split() for line in small(("x", 0.5, -0.1, 0.2), ("y", 1.0, 0.1, 0.1)))
    assert head == ["who", "share", "95%", "interval"]
    assert row == ["x", "█" * (BAR_WIDTH // 2) + "░" * (BAR_WIDTH // 2), "50.00%", "-10.00", "to", "+20.00"]
    assert sure[-1] == "certain"


def test_a_row_has_the_colour_of_its_gain_or_its_side():
    rows = [("x", 0.5, 0.1, 0.2), ("y", 0.5, -0.2, -0.1), ("Red", 0.5, None, None), ("Blue", 0.5, None, None)]
    assert [line.spans[0][1] for line in small(*rows)[2:]] == [HELP, HARM, SIDE_1, SIDE_2]


def test_only_gains_that_are_sure_are_drawn():
    columns = (Column("gain", "gain", CellKind.GAIN, is_drawn=True), Column("low", "95% from", CellKind.GAIN))
    table = Table("gains", "Gains.", (*columns, Column("high", "to", CellKind.GAIN)), GAINS)
    _, _, best, open_, worst = (line.text for line in _printed(table))
    assert (best.count("█"), best.count("░")) == (BAR_WIDTH, 0)
    assert "█" not in open_
    assert worst.count("█") == BAR_WIDTH // 2


def test_cells_have_the_colour_of_their_sign():
    columns = (Column("who", "who"), *(Column(key, key, CellKind.WHOLE_SHARE) for key in "abc"))
    table = Table("matrix", "A matrix.", columns, (("x 5", 0.7, 0.05, None),), signs=((0, 1, -1, 0),))
    *_, row = _printed(table)
    assert row.text == "  x 5 70 5"
    assert {text.strip(): role for text, role in row.spans if text.strip()} == {"x 5": PLAIN, "70": HELP, "5": HARM}


def test_details_are_printed_if_asked_for_and_tiny_chances_are_not_zero():
    columns = (Column("who", "who"), Column("p", "p", CellKind.CHANCE), Column("path", "where", is_detail=True))
    table = Table("tests", "Tests.", columns, (("x", 0.0004, "a.b"), ("y", 0.25, "c.d")))
    assert [line.text.split() for line in _printed(table)[1:]] == [["who", "p"], ["x", "<0.001"], ["y", "0.250"]]
    assert _printed(table, details=True)[-1].text.split() == ["y", "0.250", "c.d"]


def test_long_tables_end_early_and_courses_are_thinned():
    rows = [(str(number), 0.5, None, None) for number in range(100)]
    first = [line.text.split() for line in small(*rows)]
    assert [row[0] for row in first[2:-1]] == [str(number) for number in range(MOST_ROWS)]
    assert " ".join(first[-1]) == "and 76 more; --format json lists all"
    thinned = [line.text.split()[0] for line in small(*rows, is_course=True)[2:-1]]
    assert (thinned[:3], thinned[-1]) == (["0", "5", "10"], "99")
    assert len(thinned) <= MOST_ROWS


def test_columns_that_are_empty_and_long_tables_are_left_out():
    assert small(("x", None, None, None))[1].text.split() == ["who"]
    assert small(("x", 0.5, None, None), is_detail=True) == []
