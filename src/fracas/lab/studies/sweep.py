"""`sweep`: vary one or more values of a scenario over ranges or lists, always with the same dice."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import asdict

from fracas.content.validate import MOST_PROBLEMS, dotted, shown
from fracas.engine.overrides import parse_override, place_of
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError, Problem, UsageError
from fracas.errors.suggestions import listed
from fracas.files.read import refuse_unfit, toml_values
from fracas.lab.execution.checks import run_checks
from fracas.lab.execution.interrupts import AllowInterrupt, DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.presentation.data_frames import value_text
from fracas.lab.presentation.types import Best
from fracas.lab.simulation.scores import ScoreSample
from fracas.lab.simulation.statistic_rows import facts_of
from fracas.lab.studies.overrides import with_overrides
from fracas.lab.studies.paired_battles import paired_runs
from fracas.lab.studies.sweep_result import Field, Point, Sweep
from fracas.rulesets.contract.types import Document, Override

MOST_POINTS = 1_000
TOO_MANY_VALUES = f"has more than {MOST_POINTS:,} values, the most allowed"
LARGEST_END = 10**18
# Keys that only name things, unless the name is looked up.
NAMES = ("id", "name")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(inf|nan)", re.IGNORECASE)


@dataclass(frozen=True)
class Axis:
    """A path in a scenario, and the values to try there."""

    path: tuple[str, ...]
    values: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The path as users write it."""
        return dotted(self.path)


def labels_of(axes: Sequence[Axis], scenario: Scenario) -> list[str]:
    """Short labels of axes: the last part of the path, with its owner if needed, or the whole path."""
    schemes = (
        [axis.path[-1] for axis in axes],
        [_owned(axis, scenario) for axis in axes],
        [axis.name for axis in axes],
    )
    return next((names for names in schemes if len(set(names)) == len(names)), schemes[-1])


def _owned(axis: Axis, scenario: Scenario) -> str:
    """The last part of a path with the names on the way to it: Red, Scout: attack."""
    tables = (place_of(scenario.document, axis.path[:end]).here for end in range(1, len(axis.path)))
    names = [str(table["name"]) for table in tables if isinstance(table, dict) and table.get("name")]
    return f"{', '.join(dict.fromkeys(names))}: {axis.path[-1]}" if names else axis.name


# What is varied.


def parse_axis(text: str, *documents: Document) -> Axis:
    """Parse `PATH=LO:HI:STEP`, both ends included, or `PATH=a,b,c`. You may omit the beginning of an unambiguous path.

    The first of several documents that has the path counts; see `Scenario.documents`.

    Raises:
        InputError: it has another form, the path matches nothing or several places, or the range is invalid.
    """
    path, equals, values = text.partition("=")
    parts = tuple(path.strip().split("."))
    if not equals or not all(parts) or not values.strip():
        message = "does not have the form PATH=LO:HI:STEP or PATH=a,b,c"
        raise InputError.of(text, message, "write sides.0.units.0.attack=20:40:2")
    return axis_of(parts, _values(values.strip(), text), *documents)


def axes_of(ranges: Mapping[str, Any] | Sequence[str], *documents: Document) -> list[Axis]:
    """Axes from Python: values by path, or strings as on the command line.

    Raises:
        InputError: everything that has another form.
    """
    if isinstance(ranges, str) or not isinstance(ranges, Mapping | Sequence):
        message = f"{shown(ranges)} is neither a table of values by path nor a list of strings"
        raise UsageError.of("ranges", message, "write ['sides.0.units.0.attack=20:40:2']")
    axes: list[Axis] = []

    def take(each: Any) -> None:
        if not isinstance(each, str):
            raise UsageError.of("ranges", f"{shown(each)} is not a string")
        if not isinstance(ranges, Mapping) or isinstance(ranges[each], str):
            axes.append(parse_axis(f"{each}={ranges[each]}" if isinstance(ranges, Mapping) else each, *documents))
        elif isinstance(ranges[each], Iterable):
            values = [*itertools.islice(map(_plain, ranges[each]), MOST_POINTS + 1)]
            if len(values) > MOST_POINTS:
                raise InputError.of(each, TOO_MANY_VALUES)
            refuse_unfit(values, each)
            axes.append(axis_of(tuple(each.split(".")), values, *documents))
        else:
            raise InputError.of(f"ranges[{each}]", f"{shown(ranges[each])} is not a list of values")

    run_checks(*(partial(take, each) for each in ranges))
    return axes


def _plain(value: Any) -> Any:
    """A NumPy number as a Python number."""
    return value.item() if isinstance(value, np.generic) else value


def axis_of(path: tuple[str, ...], values: Sequence[Any], *documents: Document) -> Axis:
    """Make an axis, completing its path to one that exists in the documents.

    Raises:
        InputError: there are no values, a value is there twice, or the path matches several places.
    """
    where = dotted(path)
    if not values:
        raise InputError.of(where, "has no values")
    if len(values) > MOST_POINTS:
        raise InputError.of(where, f"has {len(values):,} values; at most {MOST_POINTS:,} are allowed")
    if any(values[index] in values[:index] for index in range(1, len(values))):
        raise InputError.of(where, "has the same value twice")
    return Axis(_completed(path, documents), tuple(values))


def _values(text: str, where: str) -> list[Any]:
    ends = [part.strip() for part in text.split(":")]
    if len(ends) > 1 and _NUMBER.fullmatch(ends[0]):
        return _range(ends, where)
    try:
        listed_values: list[Any] = toml_values(f"values = [{text}]", where)["values"]
    except ValueError:
        listed_values = [parse_override(f"value={part}").value for part in text.split(",")]
    return listed_values


def _range(ends: Sequence[str], where: str) -> list[Any]:
    """LO, LO + STEP and so on up to HI, in decimal arithmetic, so that 0.1:0.5:0.1 ends with 0.5."""
    try:
        low, high, step = (Decimal(end) for end in ends)
    except (InvalidOperation, ValueError):
        raise InputError.of(where, "LO:HI:STEP takes three numbers", "write 20:40:2") from None
    if not all(each.is_finite() for each in (low, high, step)) or not step:
        raise InputError.of(where, "the step must not be 0" if not step else "LO, HI and STEP must be finite")
    if max(abs(low), abs(high)) > LARGEST_END:
        raise InputError.of(where, f"LO and HI must be within {LARGEST_END:.0e} of 0")
    try:
        reach = (high - low) / step
    except ArithmeticError:
        raise InputError.of(where, TOO_MANY_VALUES) from None
    if reach < 0:
        raise InputError.of(where, f"no step of {step} leads from {low} to {high}")
    if reach >= MOST_POINTS:
        raise InputError.of(where, f"has {_many(reach)} values; at most {MOST_POINTS:,} are allowed")
    count = int(reach) + 1
    is_whole = all("." not in end and "e" not in end.lower() for end in ends)
    return [int(value) if is_whole else float(value) for value in (low + step * index for index in range(count))]


def _many(reach: Decimal) -> str:
    """How many values a range has, as text; huge numbers as a lower bound."""
    return f"{int(reach) + 1:,}" if reach < LARGEST_END else f"more than {LARGEST_END:.0e}"


def _completed(path: tuple[str, ...], documents: Sequence[Document]) -> tuple[str, ...]:
    """The path itself if a document has its beginning, otherwise the only path that ends with it.

    Raises:
        InputError: several paths end with it.
    """
    if len(path) == 1 or any(path[0] in document for document in documents):
        return path
    for document in documents:
        found = [place for place in _places(document, ()) if place[-len(path) :] == path]
        if len(found) > 1:
            shown = [dotted(place) for place in found[:4]]
            raise InputError.of(dotted(path), f"fits {len(found)} places", f"write {listed(shown)}")
        if found:
            return found[0]
    return path


def _places(here: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    entries = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
    for key, value in entries:
        yield (*path, str(key))
        yield from _places(value, (*path, str(key)))


def size_of(axes: Sequence[Axis]) -> int:
    """How many points a grid has."""
    return int(np.prod([len(axis.values) for axis in axes], dtype=object))


# Playing.


@DeferInterrupt()
def sweep(
    scenario: Scenario,
    axes: Sequence[Axis],
    n: int | None = None,
    *,
    side: int = 1,
    folders: Sequence[Path] = (),
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Sweep:
    """Play n battles of a scenario and of every combination of values; battle i has the same dice in all of them.

    Every combination is checked before the first battle. Ctrl-C ends with the complete points.

    Raises:
        InputError: the problems of all combinations at once; or an amount is out of range.
        FaultError: a battle hit a limit of the engine.
    """
    size = size_of(axes)
    settings = paired_runs(n, side, threads, notice, size)
    check_axes(axes)

    def made(values: tuple[Any, ...]) -> Scenario:
        return with_overrides(scenario, _overrides(axes, values), folders)

    grid = list(itertools.product(*(axis.values for axis in axes)))
    check_each(scenario, axes, folders)
    if len(axes) > 1:
        check_variants(made, grid)
    base = settings.play(scenario)
    points: list[Point] = []

    def point(values: Iterable[Any], played: ScoreSample) -> Point:
        return Point(values=tuple(values), **asdict(settings.outcome(base, played)))

    interrupted = base.results.interrupted
    try:
        for done, values in enumerate(() if interrupted else grid):
            if steps is not None:
                steps(done, size, ", ".join(map(value_text, values)))
            each = made(values)
            played = base if each.fingerprint == scenario.fingerprint else settings.play(each)
            if played.results.interrupted:
                interrupted = True
                break
            points.append(point(values, played))
    except KeyboardInterrupt:
        interrupted = True
    return Sweep(
        **facts_of(scenario),
        side=side,
        battles=base.results.battles,
        fields=[
            Field(axis.name, label, list(axis.values))
            for axis, label in zip(axes, labels_of(axes, scenario), strict=True)
        ],
        base=point((_present(scenario, axis) for axis in axes), base),
        points=points,
        best=Best(len(points)),
        interrupted=interrupted,
    )


def _present(scenario: Scenario, axis: Axis) -> Any:
    """The present value at a path, as written in the file or else as resolved; None if there is none."""
    places = (place_of(document, axis.path) for document in scenario.documents)
    return next((place.here for place in places if place.is_there), None)


def check_axes(axes: Sequence[Axis]) -> None:
    """Check the axes of a grid.

    Raises:
        InputError: there is no axis, a path is there twice, or the grid is too large.
    """
    if not axes:
        raise UsageError.of("sweep", "nothing to vary", "write PATH=LO:HI:STEP")
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise InputError.of(name, "is varied twice")
        if name == "seed":
            raise InputError.of(name, "cannot be varied: all points have the same dice", "use --seed, once for each")
    size = size_of(axes)
    if size > MOST_POINTS:
        raise UsageError.of("sweep", f"the grid has {size:,} points; at most {MOST_POINTS:,} are allowed")


def _overrides(axes: Sequence[Axis], values: Sequence[Any]) -> list[Override]:
    return [Override(axis.path, value, "with") for axis, value in zip(axes, values, strict=True)]


def check_each(scenario: Scenario, axes: Sequence[Axis], folders: Sequence[Path] = ()) -> None:
    """Try the values of each axis with all other values unchanged.

    Raises:
        InputError: the problems of all axes; a problem of several values is reported once.
    """

    def tried(axis: Axis) -> None:
        def made(values: tuple[Any, ...]) -> Scenario:
            return with_overrides(scenario, _overrides([axis], values), folders)

        check_variants(made, [(value,) for value in axis.values])

    run_checks(*(partial(tried, axis) for axis in axes))
    run_checks(
        *(partial(_check_renames, scenario, axis, folders) for axis in axes if axis.path[1:] and axis.path[-1] in NAMES)
    )


def _check_renames(scenario: Scenario, axis: Axis, folders: Sequence[Path]) -> None:
    """Refuse values that only rename something and leave the battle unchanged.

    Raises:
        InputError: there is such a value.
    """
    record = scenario.compiled.record.tobytes()
    for value in axis.values:
        if value != _present(scenario, axis):
            renamed = with_overrides(scenario, _overrides([axis], [value]), folders)
            if renamed.compiled.record.tobytes() == record:
                message = f"{shown(value)} is another name for what stands there, and the battle stays the same"
                raise InputError.of(axis.name, message, "vary what the battle depends on")


@AllowInterrupt()
def check_variants(made: Callable[[tuple[Any, ...]], Scenario], grid: Sequence[tuple[Any, ...]]) -> None:
    """Create every variant once and collect the problems of all of them, each reported once.

    Raises:
        InputError: some variant is not valid.
    """
    problems: dict[tuple[str, str | None], Problem] = {}
    for values in grid:
        try:
            made(values)
        except InputError as error:
            for problem in error.problems:
                problems.setdefault((problem.message, problem.suggestion), problem)
        if len(problems) >= MOST_PROBLEMS:
            break
    if problems:
        raise InputError(problems.values())
