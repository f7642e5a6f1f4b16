"""What the stories of all rulesets are laid out with: widths, asides, headings, the table of the summary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from fracas.events.protocol import Event
from fracas.events.styled_text import ASIDE, HEADING, PLAIN, Line, Span

# How wide a line may be, and how far the rules behind headings go.
LINE_WIDTH, RULE_WIDTH = 80, 78
MARGIN, ASIDE_MARGIN = "  ", "      "


class NarratorBase(ABC):
    """Tells the events of one battle, in their order."""

    place = 0
    """Place of the event that is being told; lines that were held back are told at that of their first event."""

    @abstractmethod
    def lines(self, event: Event) -> Iterator[list[Span]]:
        """The lines of one event at the chosen detail."""

    def tell(self, events: Sequence[Event]) -> Iterator[Line]:
        """All lines, in order."""
        for place, event in enumerate(events):
            self.place = place
            for spans in self.lines(event):
                yield Line(event.tick, tuple(spans), self.place)


def whole_story(lines: Iterable[Line], summary: Iterable[list[Span]], events: Sequence[Event]) -> list[Line]:
    """All lines, and at the last tick those of a summary; nothing if nothing happened."""
    if not events:
        return []
    last = len(events) - 1
    return [*lines, *(Line(events[-1].tick, tuple(spans), last) for spans in summary)]


def aside(words: str) -> list[Span]:
    """A line for those who want reasons or arithmetic."""
    return [(ASIDE_MARGIN + words, ASIDE)]


def asides(texts: Iterable[str]) -> Iterator[list[Span]]:
    """Remarks below the story, broken where they are too long."""
    for text in texts:
        yield from map(aside, wrap(text, LINE_WIDTH - len(ASIDE_MARGIN), subsequent_indent="  "))


def heading(title: str, note: str = "", role: str = ASIDE) -> list[Span]:
    """A title with a rule behind it, and at the rule's end a note."""
    return [(title, HEADING), ("─" * max(4, RULE_WIDTH - len(title) - len(note)), ASIDE), (note, role)]


# A row of a summary: a name, a number for each head, and what is said besides.
SummaryRow = tuple[Span, Sequence[int | str], Sequence[Span]]


def summary_table(heads: Sequence[str], rows: Sequence[SummaryRow], gap: int = 2) -> Iterator[list[Span]]:
    """An empty line, the heads of columns, and a line for each row; names and numbers are `gap` further apart."""
    width = max(len(name) for (name, _), *_ in rows) + gap

    def numbers(cells: Sequence[int | str]) -> str:
        return "".join(f"{cell:>{len(head) + 2}}" for head, cell in zip(heads, cells, strict=True))

    yield []
    yield [(f"{'':{len(MARGIN) + width}}{numbers(heads)}", HEADING)]
    for (name, role), cells, notes in rows:
        yield [(f"{MARGIN}{name:{width}}", role), (numbers(cells), PLAIN), *notes]
