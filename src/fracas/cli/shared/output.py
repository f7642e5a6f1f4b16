"""Print results to stdout, in colour on a terminal, and notices, warnings and errors to stderr."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, redirect_stdout, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TextIO, TypeVar

from fracas.errors import Problem
from fracas.errors.suggestions import visible
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HEADING, HELP, PLAIN, SIDE_1, SIDE_2, Line, bar

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario


class _HasJson(Protocol):
    def as_json(self) -> dict[str, Any]: ...


Result = TypeVar("Result", bound=_HasJson)

STYLES = {
    PLAIN: "",
    SIDE_1: "cyan",
    SIDE_2: "yellow",
    HARM: "red",
    HELP: "green",
    EMPHASIS: "bold",
    ASIDE: "bright_black",
    HEADING: "bold",
}


# A row of a table that does not fit a narrow terminal goes on below, this far to the right.
FOLD = "\n" + 8 * " "
# What bars and histograms are drawn with.
DRAWN = frozenset("█░ ▁▂▃▄▅▆▇")
SHORTEST_BAR = 8
# Of what goes on below, so that nothing that a user wrote begins a line.
LEAST_INDENT = 4


def say(*lines: str) -> None:
    """Print lines of a result to stdout, with control characters escaped, as `print_lines` does."""
    print_lines(Line(0, ((line, PLAIN),)) for line in lines)


def _visible(text: str) -> str:
    """Escape control characters, but let folded rows be."""
    return FOLD.join(map(visible, text.split(FOLD)))


def print_lines(lines: Iterable[Line]) -> None:
    """Print styled lines to stdout; on a terminal in colour, with long lines broken between words."""
    if not sys.stdout.isatty():
        for line in lines:
            print(_visible(line.text))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in lines:
        text = Text.assemble(*((_visible(text), STYLES[role]) for text, role in line.spans))
        for part in text.split("\n", allow_blank=True):
            indent = len(part.plain) - len(part.plain.lstrip())
            if part.cell_len <= width():
                console.print(part, soft_wrap=True)
                continue
            bare = part[indent:]
            # What stands below a column far to the right would have no room there.
            indent = indent if indent <= width() // 2 else LEAST_INDENT
            first, *others = bare.wrap(console, width() - indent - 2)
            console.print(Text(" " * indent) + first, soft_wrap=True)
            for other in others:
                console.print(Text(" " * (indent + 2)) + other, soft_wrap=True)


def width() -> int:
    """The width of stdout in characters: the terminal's, or else 80."""
    return max(40, shutil.get_terminal_size((80, 24)).columns) if sys.stdout.isatty() else 80


def print_json(document: Any) -> None:
    """Print one JSON document to stdout; escape non-ASCII characters unless the stream is UTF-8."""
    is_utf8 = codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"
    print(escaped(json.dumps(document, ensure_ascii=not is_utf8)))


def print_result(result: Result, format: str, lines: Callable[[Result], Iterable[Line]]) -> None:
    """Print a result to stdout, as one JSON document or as the lines that `lines` makes of it."""
    if format == "json":
        print_json(result.as_json())
    else:
        print_lines(lines(result))


def escaped(text: str) -> str:
    """Escape characters in JSON text that would move a terminal's cursor or reverse text; the value is the same."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in text)


def results_only() -> AbstractContextManager[Any]:
    """Send the output of plug-ins to stderr while they may run, so that stdout carries only the result."""
    return redirect_stdout(sys.stderr)


def notice(text: str) -> None:
    """Print a notice to stderr; ignore failure, because there is nowhere left to report it."""
    try:
        print("\n".join(visible(line) for line in text.split("\n")), file=sys.stderr, flush=True)
    except OSError:
        # What is left in the buffer would fail again when the program ends, and Python would change the exit status.
        with suppress(OSError):
            discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Discard what a stream still holds and everything that is printed to it later."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def print_warnings(warnings: Iterable[Problem]) -> None:
    """Print warnings to stderr."""
    for warning in warnings:
        notice(f"warning: {_on_its_line(warning)}")


def print_errors(problems: Sequence[Problem], *, as_json: bool) -> None:
    """Print errors to stderr, and as a JSON document to stdout if `as_json`."""
    for problem in problems:
        notice(f"error: {_on_its_line(problem)}")
    if as_json:
        print_json({"errors": [problem.as_json() for problem in problems]})


def _on_its_line(problem: Problem) -> str:
    """A problem as text. Line breaks in a file's name are escaped; those in the message stay."""
    return str(replace(problem, where=visible(problem.where)))


def headline(scenario: Scenario) -> str:
    """Describe a scenario in one line."""
    return f'{scenario.id}: {scenario.ruleset.name}, profile {scenario.profile}, seed "{scenario.seed}"'


def count(number: int, noun: str) -> str:
    """Format a number with its noun: `1 battle`, `10,000 battles`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), indent: int = 4, gap: int = 2) -> list[str]:
    """Align rows in columns, one string for each, `gap` apart; the columns numbered in `right` are right-aligned.

    On a terminal that is too narrow for the rows, which stand `indent` from its edge, bars become shorter; if that is
    not enough, bars and histograms are left out; and if that is not enough, each row goes on in further lines
    (`FOLD`), whose cells are aligned as well.
    """
    if not rows:
        return []
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    places = list(range(len(widths)))
    excess = _width_of(places, widths, gap) - width() + indent if sys.stdout.isatty() else 0
    barred = next((place for place in places if _has_bars(place, rows)), None)
    if excess > 0 and barred is not None and widths[barred] - excess >= SHORTEST_BAR:
        widths[barred] -= excess
        rows = [[*row[:barred], _shorter_bar(row[barred], widths[barred]), *row[barred + 1 :]] for row in rows]
        excess = 0
    written = [place for place in places if not _is_drawing(place, rows)]
    groups = [places] if excess <= 0 else _folded(written, widths, indent, gap)
    return [
        FOLD.join(
            (" " * gap)
            .join(
                row[place].rjust(widths[place]) if place in right else row[place].ljust(widths[place])
                for place in group
            )
            .rstrip()
            for group in groups
        )
        for row in rows
    ]


def _width_of(places: Sequence[int], widths: Sequence[int], gap: int) -> int:
    return sum(widths[place] + gap for place in places) - gap


def _has_bars(index: int, rows: Sequence[Sequence[str]]) -> bool:
    """Whether a column has nothing but bars of the same length."""
    cells = [row[index] for row in rows if row[index]]
    return bool(cells) and len(set(map(len, cells))) == 1 and all({"█", "░"}.issuperset(cell) for cell in cells)


def _shorter_bar(cell: str, length: int) -> str:
    return bar(cell.count("█"), len(cell), length) if cell else cell


def _is_drawing(index: int, rows: Sequence[Sequence[str]]) -> bool:
    """Whether a column has nothing but bars or histograms below its head."""
    cells = [row[index] for row in rows[1:]]
    return any(cells) and all(DRAWN.issuperset(cell) for cell in cells)


def _folded(places: Sequence[int], widths: Sequence[int], indent: int, gap: int) -> list[list[int]]:
    """Distribute columns over lines: as many in each as fit."""
    groups: list[list[int]] = [[]]
    for place in places:
        room = width() - (indent if len(groups) == 1 else len(FOLD))
        if groups[-1] and _width_of([*groups[-1], place], widths, gap) > room:
            groups.append([])
        groups[-1].append(place)
    return groups
