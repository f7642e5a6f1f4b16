"""Measures the cost of loading in a warm process: processor time of all shipped examples, by ruleset.

    python benchmarks/loading.py [--least]

`again` is a file loaded before. The other columns are resolved mappings that were never loaded:

* `match`: known but for its seed;
* `changed`: known but for one value, the name of one unit, in a program that has loaded a few like it before;
* `new`: known but for its own name;
* `stranger`: every table with a name has a new one, so no unit, skill, item or encounter was seen before.

The slowest example of each ruleset is shown, by the median of several loads; with `--least`, by the fastest of them,
which other programs disturb least. Only this thread's processor time counts.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice, repeat
from pathlib import Path
from typing import Any

from figures import table

import fracas
from fracas.content.packs import examples_folder
from fracas.rulesets import registry

TIMES = 25
COLUMNS = ("again", "match", "changed", "new", "stranger")


def milliseconds(load: Callable[[Any], Any], given: Iterable[Any], middle: Callable[[list[float]], float]) -> float:
    """The processor time of several loads, after a few that do not count; what is given is made outside the clock."""
    spent = []
    for each in islice(given, TIMES + 3):
        started = time.thread_time()
        load(each)
        spent.append((time.thread_time() - started) * 1000)
    return middle(spent[3:])


def renamed(value: Any, mark: str, places: Iterator[bool]) -> Any:
    """A copy with a mark in the names of the tables that are chosen."""
    if isinstance(value, list):
        return [renamed(each, mark, places) for each in value]
    if not isinstance(value, dict):
        return value
    changed = {key: renamed(each, mark, places) for key, each in value.items()}
    if isinstance(value.get("name"), str) and next(places, False):
        changed["name"] = f"{value['name'][:60]} {mark}"
    return changed


def measured(file: Path, numbers: count[int], middle: Callable[[list[float]], float]) -> tuple[float, ...]:
    """The columns of one example."""
    document = fracas.load(file).document
    changed = (renamed(document, str(number), iter([True])) for number in numbers)
    stranger = (renamed(document, str(number), repeat(True)) for number in numbers)
    return (
        milliseconds(fracas.load, repeat(file), middle),
        milliseconds(lambda number: fracas.load(document, seed=f"match-{number}"), numbers, middle),
        milliseconds(fracas.load, changed, middle),
        milliseconds(fracas.load, ({**document, "id": f"match-{number}"} for number in numbers), middle),
        milliseconds(fracas.load, stranger, middle),
    )


def main() -> None:
    """Print a row for each ruleset."""
    middle = min if "--least" in sys.argv[1:] else statistics.median
    numbers, rows = count(), []
    for name in registry.NAMES:
        files = sorted((examples_folder() / name).glob("*.toml"))
        print(f"{name}: {len(files)} examples", file=sys.stderr)
        worst = [max(column) for column in zip(*(measured(file, numbers, middle) for file in files), strict=True)]
        rows.append((name, *(f"{value:.2f}" for value in worst)))
    print(table(("ms, slowest example", *COLUMNS), rows))


if __name__ == "__main__":
    main()
