"""Parse and format the numbers in tables that several commands print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fracas.cli.shared.output import columns
from fracas.errors import InputError
from fracas.events.styled_text import ASIDE, HARM, HEADING, HELP, PLAIN, Span

if TYPE_CHECKING:
    from fracas.lab.studies.paired_battles import Outcome

if TYPE_CHECKING:
    from fracas.lab.execution.tally import Tally
    from fracas.rulesets.contract.measures import Statistic


def estimate(tally: Tally) -> str:
    """Format a tally's shares of wins with their half-width."""
    first, second = (tally.winners[side] / tally.battles for side in (1, 2))
    return f"{first:.2%} : {second:.2%} ±{tally.half_width():.2%}"


def parse_precision(text: str, option: str = "--precision") -> float:
    """Parse `0.25` or `0.25%` as percentage points.

    Raises:
        InputError: it is neither.
    """
    found = re.fullmatch(r"\s*(\d+(\.\d*)?|\.\d+)\s*%?\s*", text)
    if found is None:
        raise InputError.of(option, f'"{text.strip()}" is not a number of percentage points', "write 0.25 or 0.25%")
    return float(found[1])


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


def statistic_lines(statistic: Statistic) -> list[list[Span]]:
    """Format one of the ruleset's own statistics as a table."""
    from fracas.lab.simulation.statistic_rows import statistic_cells

    cells, numbers = statistic_cells(statistic)
    header, *rows = columns(cells, right=numbers)
    return [
        [],
        [(f"  {statistic.title}", HEADING)],
        [(f"    {header}", ASIDE)],
        *([(f"    {row}", PLAIN)] for row in rows),
    ]


def gain_cells(outcome: Outcome) -> tuple[str, str]:
    """Format the gain over the unchanged scenario, in percentage points, with its interval."""
    from fracas.lab.simulation.statistic_rows import CERTAIN

    low, high = outcome.gain95
    if outcome.is_base:
        return "", ""
    return f"{100 * outcome.gain:+.1f}", CERTAIN if low == high else f"{100 * low:+.1f} to {100 * high:+.1f}"


def outcome_role(outcome: Outcome) -> str:
    """Choose a line's colour: surely better than the unchanged scenario, surely worse, or neither."""
    low, high = outcome.gain95
    return HELP if low > 0 else HARM if high < 0 else PLAIN
