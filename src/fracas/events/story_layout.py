"""The layout of narration in all rulesets: widths, asides, headings, the summary table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from fracas.events.styled_text import ASIDE, EMPHASIS, HEADING, PLAIN, Line, Span, bar
from fracas.kernel.event_protocol import Event

# The longest line, and the length of the rules behind headings.
LINE_WIDTH, RULE_WIDTH = 80, 78
MARGIN, ASIDE_MARGIN = "  ", "      "


class NarratorBase(ABC):
    """The base class of narrators, which turn one battle's events into text in order."""

    place = 0
    """Place of the event that is being told; lines that were held back are told at that of their first event."""

    @abstractmethod
    def lines(self, event: Event) -> Iterator[list[Span]]:
        """The lines of one event at the chosen detail."""

    def tell(self, events: Sequence[Event]) -> Iterator[Line]:
        """All lines, in order."""
        for index, event in enumerate(events):
            self.place = index
            for spans in self.lines(event):
                yield Line(event.tick, tuple(spans), self.place)


def whole_story(lines: Iterable[Line], summary: Iterable[list[Span]], events: Sequence[Event]) -> list[Line]:
    """All lines, followed by a summary at the last tick; nothing if nothing happened."""
    if not events:
        return []
    last = len(events) - 1
    return [*lines, *(Line(events[-1].tick, tuple(spans), last) for spans in summary)]


def aside(words: str) -> list[Span]:
    """A line with reasons or arithmetic, for readers who want them."""
    return [(ASIDE_MARGIN + words, ASIDE)]


def asides(texts: Iterable[str]) -> Iterator[list[Span]]:
    """Remarks below the narration, wrapped if too long."""
    for text in texts:
        yield from map(aside, wrap(text, LINE_WIDTH - len(ASIDE_MARGIN), subsequent_indent="  "))


def heading(title: str, note: str = "", role: str = ASIDE, width: int = RULE_WIDTH) -> list[Span]:
    """A title with a rule behind it, and an optional note at the end."""
    return [(title, HEADING), ("─" * max(4, width - len(title) - len(note)), ASIDE), (note, role)]


def hp_bar(hp: int, most: int, role: str, bar_width: int, room: int) -> list[Span]:
    """The HP of a unit as a bar in the colour of its side, and in figures, filled up to `room` characters."""
    return [(f"  {bar(hp, most, bar_width)} ", role), (f"{hp}/{most}".ljust(room), ASIDE)]


def ending(winner: Span | None, words: str) -> list[Span]:
    """Who won, or that nobody did; `words` say when and why, with the space before them."""
    if winner is None:
        return [(f"A draw{words}", EMPHASIS)]
    return [("Victory for ", EMPHASIS), winner, (words, EMPHASIS)]


# A row of a summary: a name, a number for each column, and a remark.
SummaryRow = tuple[Span, Sequence[int | str], Sequence[Span]]


def summary_table(heads: Sequence[str], rows: Sequence[SummaryRow], gap: int = 2) -> Iterator[list[Span]]:
    """An empty line, the column heads, and a line for each row; names and numbers are `gap` further apart."""
    width = max(len(name) for (name, _), *_ in rows) + gap

    def numbers(cells: Sequence[int | str]) -> str:
        return "".join(f"{cell:>{len(head) + 2}}" for head, cell in zip(heads, cells, strict=True))

    yield []
    yield [(f"{'':{len(MARGIN) + width}}{numbers(heads)}", HEADING)]
    for (name, role), cells, notes in rows:
        yield [(f"{MARGIN}{name:{width}}", role), (numbers(cells), PLAIN), *notes]
