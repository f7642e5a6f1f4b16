"""Load scenarios from untrusted sources, such as requests to a server, without reading or revealing files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from fracas.content.packs import shipped_folder
from fracas.content.validate import shown
from fracas.engine.scenario import Scenario, load_scenario
from fracas.errors import InputError, Problem
from fracas.rulesets import registry

LARGEST_DOCUMENT = 256 * 1024
DEEPEST_DOCUMENT = 32
# The least bytes of JSON per value: the value itself, and a comma, a colon or a bracket.
LEAST_BYTES = 2


def load_untrusted(document: Any, *, seed: str | None = None, games: Collection[str] = ()) -> Scenario:
    """Check and compile a scenario from an untrusted source: plain values, as parsed from JSON.

    Only shipped content is available. No file that the document names is opened, no content folder or plug-in is
    loaded, and no message contains a path of this machine. The titans policy "equilibrium" is bounded but expensive:
    limit how often a client may ask for it.

    Args:
        document: the scenario: a mapping of at most 256 kB as JSON, at most 32 levels deep.
        seed: the seed text; defaults to the scenario's.
        games: the installed games that it may name; by default none.

    Raises:
        InputError: too large, too deep, not plain values; or everything that is wrong with the scenario.
    """
    refuse_oversize(document)
    if isinstance(document.get("ruleset"), str) and document["ruleset"] not in games:
        # A game is code of this machine's owner, and how to name one is nobody else's business.
        registry.shipped(document["ruleset"], "scenario: ruleset")
    try:
        scenario = load_scenario(document, seed=seed)
    except InputError as error:
        raise InputError(map(without_paths, error.problems)) from None
    warnings = tuple(map(without_paths, scenario.warnings))
    return Scenario(scenario.ruleset, scenario.document, scenario.compiled, warnings, scenario.written)


def refuse_oversize(document: Any) -> None:
    """Refuse documents that are too large or too deep. Uses no recursion and stops at the first limit reached.

    Raises:
        InputError: not a mapping, too large, too deep, or a value that JSON does not have.
    """
    if not isinstance(document, Mapping):
        raise InputError.of("scenario", "is not a table (an object)")
    left = LARGEST_DOCUMENT
    waiting: list[tuple[Any, int]] = [(document, 1)]
    while waiting:
        value, depth = waiting.pop()
        left -= LEAST_BYTES
        inner: Iterable[Any] = ()
        if isinstance(value, Mapping):
            keys = list(islice(value, left + 1))
            if not all(isinstance(key, str) for key in keys):
                raise InputError.of("scenario", "has a key that is not a string")
            left -= sum(_size_of(key) for key in keys)
            inner = value.values()
        elif isinstance(value, list | tuple):
            inner = value
        elif isinstance(value, str):
            left -= _size_of(value)
        elif isinstance(value, int):
            left -= value.bit_length() // 4
        elif not (value is None or isinstance(value, float)):
            raise InputError.of("scenario", f"contains {shown(value)}, which is not valid in JSON")
        if depth > DEEPEST_DOCUMENT and isinstance(value, Mapping | list | tuple):
            raise InputError.of("scenario", f"is nested more than {DEEPEST_DOCUMENT} deep")
        waiting += [(each, depth + 1) for each in islice(inner, max(left, 0) // LEAST_BYTES + 1)]
        if left < LEAST_BYTES * len(waiting):
            raise InputError.of("scenario", f"is larger than {LARGEST_DOCUMENT:,} bytes, which is the limit")


def _size_of(text: str) -> int:
    """The approximate size of a string in bytes, with its quotes."""
    return 2 + len(text) if text.isascii() else 2 + len(text.encode("utf-8", "surrogatepass"))


def without_paths(problem: Problem) -> Problem:
    """Remove this machine's paths from a problem; only file names remain."""
    suggestion = None if problem.suggestion is None else _without_paths(problem.suggestion)
    return replace(
        problem, where=_without_paths(problem.where), message=_without_paths(problem.message), suggestion=suggestion
    )


def _without_paths(text: str) -> str:
    return _shipped().sub("", text)


@cache
def _shipped() -> re.Pattern[str]:
    folders = (re.escape(str(shipped_folder(name))) for name in registry.NAMES)
    package = re.escape(str(Path(__file__).parents[1]))
    return re.compile("|".join([*(f"{folder}/(?:packs/[^/]+/)?" for folder in folders), f"{package}/?"]))
