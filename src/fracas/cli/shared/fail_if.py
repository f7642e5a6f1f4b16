"""The option `--fail-if`: conditions on a result that make a command exit with 1."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeGuard

from fracas.cli.shared.exit_status import BAD_INPUT, CHECK_FAILED, DONE
from fracas.cli.shared.output import notice, print_errors
from fracas.errors import InputError, Problem, UsageError
from fracas.errors.suggestions import listed, nearest, quoted

EXAMPLE = 'write PATH < NUMBER, such as "wins.0 < 45%"'
_CONDITION = re.compile(
    r"\s*(?P<path>[^<>=]*[^<>=\s])\s*(?P<operator><=|>=|<|>)\s*(?P<number>[+-]?(?:\d+\.?\d*|\.\d+))\s*(?P<percent>%?)\s*"
)
# Each comparison, and the opposite one.
_OPERATORS: Mapping[str, tuple[Callable[[float, float], bool], Callable[[float, float], bool]]] = {
    "<": (operator.lt, operator.ge),
    "<=": (operator.le, operator.gt),
    ">": (operator.gt, operator.le),
    ">=": (operator.ge, operator.lt),
}
# Keys of a result that count battles, alone, by side or by name; and the keys that say of how many.
_COUNTS = ("wins", "draws", "losses", "reasons")
_TRIALS = ("battles", "pairs")
# Keys whose interval stands beside them as `interval95`: of one number, and of a list of one for each side.
_WITH_INTERVAL = ("share", "score")
_WITH_INTERVALS = ("shares", "wins")
# Keys at the top whose entries belong to the sides, in their order.
_BY_SIDE = ("wins", "shares", "interval95", "hp_left")
_PLACE = re.compile("[0-9]{1,9}")
MOST_PATHS = 20_000
MOST_LISTED = 16


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a number of a result, as the user wrote it."""

    text: str
    path: tuple[str, ...]
    operator: str
    limit: float
    """The number to compare with; a percentage as a share, 0.45 for 45%."""
    is_percentage: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a result says about a condition."""

    condition: Condition
    value: float
    interval: tuple[float, float] | None
    """The value's 95% interval; None if the result has none."""
    subject: str
    """Whose value it is, if the result says."""

    @property
    def holds(self) -> bool | None:
        """Whether the condition holds: True or False if it does or does not in the whole interval, else None."""
        is_so, is_not = _OPERATORS[self.condition.operator]
        ends = self.interval or (self.value, self.value)
        if all(is_so(end, self.condition.limit) for end in ends):
            return True
        return False if all(is_not(end, self.condition.limit) for end in ends) else None

    def __str__(self) -> str:
        low, high = (self._shown(end) for end in self.interval or (self.value, self.value))
        reach = f", 95% from {low} to {high}" if low != high else ", certain" if self.interval else ""
        of = f" for {quoted(self.subject)}" if self.subject else ""
        return f"{self.condition.text}: it is {self._shown(self.value)}{of}{reach}"

    def _shown(self, value: float) -> str:
        if self.condition.is_percentage:
            return f"{value:.2%}"
        return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}" if abs(value) < 1_000 else f"{value:,.0f}"


def parse_conditions(texts: Sequence[str] | None) -> list[Condition]:
    """Parse conditions such as `wins.0 < 45%`.

    Raises:
        UsageError: all that have another form.
    """
    found = [(text, _CONDITION.fullmatch(text)) for text in texts or ()]
    problems = [Problem(f"--fail-if {text}", "is not a condition", EXAMPLE) for text, match in found if match is None]
    if problems:
        raise UsageError(problems)
    return [
        Condition(
            text.strip(),
            tuple(match["path"].split(".")),
            match["operator"],
            float(match["number"]) / (100 if match["percent"] else 1),
            bool(match["percent"]),
        )
        for text, match in found
        if match is not None
    ]


def fail_status(conditions: Sequence[Condition], document: Mapping[str, Any], *, strict: bool) -> int:
    """Say on stderr what a result's document says about each condition, and return the command's exit status.

    The result is printed already, so a wrong path does not hide it.
    """
    judgements: list[Judgement] = []
    problems: list[Problem] = []
    for condition in conditions:
        try:
            judgements.append(judge(condition, document))
        except InputError as error:
            problems += error.problems
    for judgement in judgements:
        word = {True: "failed", False: "passed", None: "undecided"}[judgement.holds]
        advice = "; more battles would narrow the interval" if judgement.holds is None else ""
        notice(f"{word}: {judgement}{advice}")
    if problems:
        print_errors(problems, as_json=False)
        return BAD_INPUT
    verdicts = {judgement.holds for judgement in judgements}
    return CHECK_FAILED if True in verdicts or (strict and None in verdicts) else DONE


def judge(condition: Condition, document: Mapping[str, Any]) -> Judgement:
    """Look up a condition's value and its interval in a result's document.

    Raises:
        InputError: there is no number there, or a percentage or a fraction is compared with another kind of number.
    """
    where = f"--fail-if {condition.text}"
    steps = _walk(condition.path, document, where)
    value = steps[-1].value
    if isinstance(value, bool) or not isinstance(value, int | float):
        below = [f"{'.'.join(condition.path)}.{rest}" for rest in islice(_paths(value), MOST_LISTED)]
        raise InputError.of(where, "there is no number there", f"write {listed(below)}" if below else None)
    trials = _trials(steps)
    interval = _interval(steps, trials)
    if condition.is_percentage and trials:
        value /= trials
    elif trials:
        interval = interval and (interval[0] * trials, interval[1] * trials)
        if 0 < abs(condition.limit) < 1:
            raise InputError.of(where, "is a number of battles", f"for a share, write {condition.limit * 100:g}%")
    elif condition.is_percentage and (isinstance(value, int) or abs(value) > 1):
        raise InputError.of(where, f"{value:,} is not a share", "write a number without %")
    return Judgement(condition, value, interval, _subject(steps, document))


@dataclass(frozen=True, slots=True)
class _Step:
    """One step into a document: the table or list, the key in it, and the value there."""

    holder: Any
    key: Any
    value: Any


def _walk(path: Sequence[str], document: Mapping[str, Any], where: str) -> list[_Step]:
    """Follow a path into a document. A key may contain dots, as names of entrants do.

    Raises:
        InputError: there is no such path; says which are similar.
    """
    steps: list[_Step] = []
    here: Any = document
    rest = list(path)
    while rest:
        for length in range(1, len(rest) + 1):
            key: Any = ".".join(rest[:length])
            if isinstance(here, Mapping) and key in here:
                break
            if isinstance(here, list) and length == 1 and _PLACE.fullmatch(key) and int(key) < len(here):
                key = int(key)
                break
        else:
            raise InputError.of(where, "there is no such path in the result", _hint(path, rest, here, document))
        steps.append(_Step(here, key, here[key]))
        here, rest = here[key], rest[length:]
    return steps


def _hint(path: Sequence[str], rest: Sequence[str], here: Any, document: Mapping[str, Any]) -> str | None:
    """Suggest similar paths, or list what is where the path leaves the document."""
    near = nearest(".".join(path), islice(_paths(document), MOST_PATHS), limit=3)
    if near:
        return near
    at = ".".join(path[: len(path) - len(rest)]) or "the result"
    if isinstance(here, list) and here:
        return f"{at} has entries 0 to {len(here) - 1}"
    keys = [str(key) for key in here][:MOST_LISTED] if isinstance(here, Mapping) else []
    return f"{at} has {listed(keys, 'and')}" if keys else None


def _paths(value: Any) -> Iterator[str]:
    """Generate the paths to all numbers in a value; histograms are left out."""
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if isinstance(inner, Mapping | list) and key != "histogram":
            yield from (f"{key}.{rest}" for rest in _paths(inner))
        elif isinstance(inner, int | float) and not isinstance(inner, bool):
            yield str(key)


def _trials(steps: Sequence[_Step]) -> int:
    """Of how many battles the value counts some; 0 if it does not count battles."""
    counts = steps[-1].key in _COUNTS or (len(steps) > 1 and steps[-2].key in _COUNTS)
    holders = [step.holder for step in reversed(steps) if isinstance(step.holder, Mapping)]
    found = (holder[key] for holder in holders for key in _TRIALS if isinstance(holder.get(key), int))
    return next(found, 0) if counts else 0


def _interval(steps: Sequence[_Step], trials: int) -> tuple[float, float] | None:
    """The 95% interval of a value, of a count as shares; None if there is none."""
    from fracas.lab.statistics.intervals import wilson_interval

    last = steps[-1]
    if isinstance(last.holder, Mapping):
        if last.key == "draw_share" and not last.holder["deterministic"]:
            return wilson_interval(last.holder["draws"], last.holder["battles"])
        own = last.holder.get("interval95" if last.key in _WITH_INTERVAL else f"{last.key}95")
        if _is_interval(own):
            return own[0], own[1]
    elif len(steps) == 2 and isinstance(last.key, int):
        beside = steps[0].holder.get("interval95", [])
        if steps[0].key in _WITH_INTERVALS and last.key < len(beside) and _is_interval(beside[last.key]):
            return beside[last.key][0], beside[last.key][1]
    elif len(steps) == 3 and "cells" in steps[0].holder:
        return _cell_interval(steps[0].holder["cells"], steps[1].key, last.key)
    if not trials:
        return None
    if any(step.holder.get("deterministic") for step in steps if isinstance(step.holder, Mapping)):
        return last.value / trials, last.value / trials
    return wilson_interval(last.value, trials)


def _is_interval(found: Any) -> TypeGuard[Sequence[float]]:
    return isinstance(found, list | tuple) and len(found) == 2 and all(isinstance(end, int | float) for end in found)


def _cell_interval(cells: Sequence[Mapping[str, Any]], row: Any, column: Any) -> tuple[float, float] | None:
    """The interval of a share in the matrix of match-ups, which holds each one from both sides."""
    for cell in cells:
        low, high = cell["interval95"]
        if (cell["first"], cell["second"]) == (row, column):
            return low, high
        if (cell["first"], cell["second"]) == (column, row):
            return 1 - high, 1 - low
    return None


def _subject(steps: Sequence[_Step], document: Mapping[str, Any]) -> str:
    """Whose value it is: a side, an entrant or two; empty if the document does not say."""
    first, *others = steps
    if others and first.key in _BY_SIDE and isinstance(others[0].key, int):
        entrants = document.get("entrants")
        if entrants is None:
            return str(document["names"][others[0].key])
        return " against ".join(entrants[step.key]["name"] for step in others if isinstance(step.key, int))
    for step in reversed(others):
        if isinstance(step.holder, Mapping):
            if "names" in step.holder:
                return " against ".join(step.holder["names"])
            name = step.holder.get("name") or step.holder.get("label") or step.holder.get("unit")
            if name:
                return str(name)
    return ""
