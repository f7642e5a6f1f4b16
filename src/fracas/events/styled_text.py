"""Styled text: lines of narration as spans of text with roles. Terminals and pages decide how a role looks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

# A role says what a span is, not how it looks.
PLAIN, SIDE_1, SIDE_2, HARM, HELP, EMPHASIS, ASIDE, HEADING = (
    "plain",
    "side1",
    "side2",
    "harm",
    "help",
    "emphasis",
    "aside",
    "heading",
)
ROLES = (PLAIN, SIDE_1, SIDE_2, HARM, HELP, EMPHASIS, ASIDE, HEADING)

Span = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Line:
    """One line: (text, role) spans from left to right, and the tick it belongs to."""

    tick: int
    spans: tuple[Span, ...] = ()
    event: int = field(default=-1, compare=False)
    """Place in the log of the event that it tells, from 0; -1 if it tells none. A player goes there."""

    @property
    def text(self) -> str:
        """The text without roles."""
        return "".join(text for text, _ in self.spans).rstrip()


def bar(value: int, most: int, width: int = 10) -> str:
    """A bar of blocks, never empty above 0 and never full below the maximum."""
    if most <= 0:
        return " " * width
    filled = min(width, value * width // most)
    if 0 < value < most:
        filled = min(max(filled, 1), width - 1)
    return "█" * filled + "░" * (width - filled)


def clipped(text: str, width: int) -> str:
    """A text cut to at most `width` characters; a mark shows the cut."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def plain_text(lines: Iterable[Line]) -> str:
    """All lines as plain text, without roles."""
    return "\n".join(line.text for line in lines)
