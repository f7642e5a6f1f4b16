"""Asking a person who plays in the terminal."""

from __future__ import annotations

import sys

from fracas.events.styled_text import SIDE_1, SIDE_2

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
