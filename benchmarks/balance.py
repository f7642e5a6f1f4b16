"""Measures the balance of the rulesets: what their pages on balance publish, and nothing else.

    python benchmarks/balance.py [RULESET] [-n N] [--write]

Prints Markdown. The same N gives the same figures on every machine; --write puts them into the pages that publish
them. What is measured, and on what, the modules beside this file say: balance_RULESET.py.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).resolve().parent.parent
RULESETS = ("squads", "delve", "stacks", "relics")


class Measured(Protocol):
    """What a module of a ruleset's measurements has."""

    BATTLES: int
    MARK: str
    PAGES: Sequence[Path]
    report: Callable[[int], Iterator[str]]


def measurements(ruleset: str) -> Measured:
    """The measurements of a ruleset."""
    module: Measured = import_module(f"benchmarks.balance_{ruleset}")
    return module


def main() -> None:
    """Measure, print, and perhaps publish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset", nargs="?", choices=RULESETS, help="whose balance; absent: all of them")
    parser.add_argument("-n", type=int, metavar="N", help="battles a fight; absent: as many as the pages say")
    parser.add_argument("--write", action="store_true", help="put the figures into the pages that publish them")
    arguments = parser.parse_args()
    # Started as a file, this folder is on the path and its parent is not.
    sys.path.insert(0, str(ROOT))
    figures = import_module("benchmarks.figures")
    for ruleset in [arguments.ruleset] if arguments.ruleset else RULESETS:
        measured = measurements(ruleset)
        parts = []
        for part in measured.report(arguments.n or measured.BATTLES):
            parts.append(part)
            print(part, end="\n\n", flush=True)
        if arguments.write:
            figures.write("\n\n".join(parts), measured.MARK, measured.PAGES)


if __name__ == "__main__":
    main()
