"""Measures the cost of loading in a warm process: processor time of all shipped examples, by ruleset.

    python benchmarks/loading.py

`again` is a file loaded before, `match` a resolved mapping loaded before but with a new seed, `new` a mapping not
loaded before, although its content is. The slowest example of each ruleset is shown, by the median of several loads.
Only this thread's processor time counts, which reduces the influence of other programs.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from figures import table

import fracas
from fracas.content.packs import examples_folder
from fracas.rulesets import registry

TIMES = 25


def milliseconds(load: Callable[[], Any]) -> float:
    """The median processor time of several calls, after a first one that does not count."""
    load()
    spent = []
    for _ in range(TIMES):
        started = time.thread_time()
        load()
        spent.append((time.thread_time() - started) * 1000)
    return statistics.median(spent)


def measured(file: Path, numbers: count[int]) -> tuple[float, float, float]:
    """A file again, its resolved document with another seed, and the same with another name."""
    document = fracas.load(file).document
    again = milliseconds(lambda: fracas.load(file))
    match = milliseconds(lambda: fracas.load(document, seed=f"match-{next(numbers)}"))
    new = milliseconds(lambda: fracas.load({**document, "id": f"match-{next(numbers)}"}))
    return again, match, new


def main() -> None:
    """Print a row for each ruleset."""
    numbers, rows = count(), []
    for name in registry.NAMES:
        files = sorted((examples_folder() / name).glob("*.toml"))
        print(f"{name}: {len(files)} examples", file=sys.stderr)
        worst = [max(column) for column in zip(*(measured(file, numbers) for file in files), strict=True)]
        rows.append((name, *(f"{value:.2f}" for value in worst)))
    print(table(("ms, slowest example", "again", "match", "new"), rows))


if __name__ == "__main__":
    main()
