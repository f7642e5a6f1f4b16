"""Measures the balance of the rulesets, as published on their balance pages.

    python benchmarks/balance.py [RULESET] [-n N] [--write]

Prints Markdown. The same N gives the same figures on every machine; --write updates the pages that publish them. The
modules balance_RULESET.py in this folder define the measurements.
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
    """The interface of a ruleset's measurements module."""

    BATTLES: int
    MARK: str
    PAGES: Sequence[Path]
    report: Callable[[int], Iterator[str]]


def measurements(ruleset: str) -> Measured:
    """The measurements module of a ruleset."""
    module: Measured = import_module(f"benchmarks.balance_{ruleset}")
    return module


def main() -> None:
    """Measure, print, and publish with --write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset", nargs="?", choices=RULESETS, help="ruleset to measure; default: all of them")
    parser.add_argument("-n", type=int, metavar="N", help="battles per fight; default: as published")
    parser.add_argument("--write", action="store_true", help="write the figures to the pages that publish them")
    arguments = parser.parse_args()
    # When run as a script, this folder is on the path but its parent is not.
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
