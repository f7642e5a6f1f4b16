"""Parse and format the numbers in tables that several commands print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fracas.errors import InputError

if TYPE_CHECKING:
    from fracas.lab.execution.tally import Tally


def estimate(tally: Tally) -> str:
    """Format a tally's shares of wins with their half-width."""
    first, second = (tally.winners[side] / tally.battles for side in (1, 2))
    return f"{first:.2%} : {second:.2%} ±{tally.half_width():.2%}"


def parse_precision(text: str, option: str = "--precision") -> float:
    """Parse `0.25` or `0.25%` as percentage points.

    Raises:
        InputError: it is neither.
    """
    match = re.fullmatch(r"\s*(\d+(\.\d*)?|\.\d+)\s*%?\s*", text)
    if match is None:
        raise InputError.of(option, f'"{text.strip()}" is not a number of percentage points', "write 0.25 or 0.25%")
    return float(match[1])


def parse_cost(text: str, what: str, example: str) -> tuple[str, float]:
    """Parse `attack=3` as a name and its cost. Error messages use `what` for the name and show the example.

    Raises:
        InputError: it has another form.
    """
    name, _, number = text.partition("=")
    try:
        return name.strip(), float(number)
    except ValueError:
        raise InputError.of(f"--cost {text}", f"is not of the form {what}=POINTS", f"write {example}") from None
