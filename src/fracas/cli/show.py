"""How results look: in a terminal with colour, elsewhere as plain text. Results go to stdout, all else to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from fracas.errors import Problem
from fracas.events.narration import ASIDE, EMPHASIS, HARM, HEADING, HELP, PLAIN, SIDE_1, SIDE_2, Line

if TYPE_CHECKING:
    from fracas.replay.scenario import Scenario

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


def print_lines(lines: Iterable[Line]) -> None:
    """Lines to stdout, in colour where that is a terminal."""
    if not sys.stdout.isatty():
        for line in lines:
            print(line.text)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in lines:
        console.print(Text.assemble(*((text, STYLES[role]) for text, role in line.spans)), soft_wrap=True)


def print_json(document: Any) -> None:
    """One JSON document to stdout."""
    print(json.dumps(document, ensure_ascii=False))


def notice(text: str) -> None:
    """A remark to stderr."""
    print(text, file=sys.stderr, flush=True)


def print_warnings(warnings: Iterable[Problem]) -> None:
    """Warnings to stderr."""
    for warning in warnings:
        notice(f"warning: {warning}")


def print_errors(problems: Sequence[Problem], *, as_json: bool) -> None:
    """Errors to stderr, and as a document to stdout if JSON was asked for."""
    for problem in problems:
        notice(f"error: {problem}")
    if as_json:
        print_json({"errors": [problem_json(problem) for problem in problems]})


def problem_json(problem: Problem) -> dict[str, Any]:
    """A problem as plain values."""
    return {"where": problem.where, "message": problem.message, "suggestion": problem.suggestion}


def headline(scenario: Scenario) -> str:
    """A scenario in one line."""
    return f'{scenario.id}: {scenario.ruleset.name}, profile {scenario.profile}, seed "{scenario.seed}"'


def side_names(scenario: Scenario) -> list[str]:
    """What the two sides are called."""
    sides = scenario.document.get("sides", [])
    return [str(side["name"]) for side in sides] if len(sides) == 2 else ["Side 1", "Side 2"]


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Rows as aligned lines; the columns numbered in `right` are set to the right."""
    if not rows:
        return []
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(widths[place]) if place in right else cell.ljust(widths[place]) for place, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]
