"""Asking a person who plays in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from fracas.cli.shared.output import print_lines
from fracas.events.styled_text import ASIDE, SIDE_1, SIDE_2, Line, Span

SIDES = (SIDE_1, SIDE_2)
BAR_WIDTH = 20


class Quit(Exception):
    """The person quits before the duel is over."""


def ask(question: str) -> str:
    """Ask for a line of input. Piped input is echoed, so that the output reads as if it was typed.

    Raises:
        EOFError: the input has ended.
    """
    if sys.stdin is not None and sys.stdin.isatty():
        return input(question)
    print(question, end="", flush=True)
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError
    print(line.rstrip("\n"))
    return line.rstrip("\n")


def ask_choice(
    who: str,
    choices: Sequence[str],
    *,
    explained: Callable[[], Iterable[str]],
    refusal: Callable[[str], str],
    spelled: Callable[[str], str] = str.casefold,
) -> int:
    """Ask until the answer is one of the choices, by number or as it is spelled; return its place.

    Raises:
        Quit: the person quits.
        EOFError: the input has ended.
    """
    places = {choice: place for place, choice in enumerate(choices)}
    while True:
        answer = ask(f"{who} chooses: ").strip()
        word = spelled(answer)
        if word in ("q", "quit", "exit"):
            raise Quit
        if word in ("?", "h", "help"):
            show(*([(line, ASIDE)] for line in explained()))
        elif answer.isdecimal() and 1 <= int(answer) <= len(choices):
            return int(answer) - 1
        elif word in places:
            return places[word]
        else:
            show([(refusal(answer), ASIDE)])


def show(*lines: Sequence[Span]) -> None:
    """Print lines of spans to stdout."""
    print_lines(Line(0, tuple(spans)) for spans in lines)
