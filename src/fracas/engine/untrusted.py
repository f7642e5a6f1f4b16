"""Scenarios from strangers: documents that a server was sent, loaded without reading a file or telling of one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
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
# A value takes at least so many bytes of JSON: itself, and a comma, a colon or a bracket.
LEAST_BYTES = 2


def load_untrusted(document: Any, *, seed: str | None = None) -> Scenario:
    """Check and compile a scenario that a stranger has sent: plain values, as JSON gives them.

    It knows shipped content alone. No file is opened that the document names, no folder of content and no plug-in is
    loaded, and no message holds a path of this machine. What a titan's policy "equilibrium" costs is bounded but not
    small: whoever is asked for it should count it as work.

    Args:
        document: the scenario: a mapping of at most 256 kB as JSON, at most 32 levels deep.
        seed: the seed text; absent means the scenario's own.

    Raises:
        InputError: it is too large, too deep or no plain values; or everything that is wrong with the scenario.
    """
    refuse_oversize(document)
    try:
        scenario = load_scenario(document, seed=seed)
    except InputError as error:
        raise InputError(map(without_paths, error.problems)) from None
    return Scenario(
        scenario.ruleset, scenario.document, scenario.compiled, tuple(map(without_paths, scenario.warnings))
    )


def refuse_oversize(document: Any) -> None:
    """Measure without recursion and stop at the first bound, so that what is too large is never looked at further.

    Raises:
        InputError: no mapping; larger or deeper than is taken; a value that JSON does not have.
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
                raise InputError.of("scenario", "has a key that is no text")
            left -= sum(_size_of(key) for key in keys)
            inner = value.values()
        elif isinstance(value, list | tuple):
            inner = value
        elif isinstance(value, str):
            left -= _size_of(value)
        elif isinstance(value, int):
            left -= value.bit_length() // 4
        elif not (value is None or isinstance(value, float)):
            raise InputError.of("scenario", f"holds {shown(value)}, which JSON does not have")
        if depth > DEEPEST_DOCUMENT and isinstance(value, Mapping | list | tuple):
            raise InputError.of("scenario", f"is nested more than {DEEPEST_DOCUMENT} deep")
        waiting += [(each, depth + 1) for each in islice(inner, max(left, 0) // LEAST_BYTES + 1)]
        if left < LEAST_BYTES * len(waiting):
            raise InputError.of(
                "scenario", f"is larger than {LARGEST_DOCUMENT:,} bytes, which is the most that is taken"
            )


def _size_of(text: str) -> int:
    """About how many bytes a text takes, with its quotes."""
    return 2 + len(text) if text.isascii() else 2 + len(text.encode("utf-8", "surrogatepass"))


def without_paths(problem: Problem) -> Problem:
    """A problem without where on this machine the shipped content lies: only a file's name is left of it."""
    suggestion = None if problem.suggestion is None else _without_paths(problem.suggestion)
    return Problem(_without_paths(problem.where), _without_paths(problem.message), suggestion)


def _without_paths(text: str) -> str:
    return _SHIPPED.sub("", text)


_SHIPPED = re.compile(
    "|".join(f"{re.escape(str(shipped_folder(name)))}/(?:packs/[^/]+/)?" for name in registry.NAMES)
    + f"|{re.escape(str(Path(__file__).parents[1]))}/?"
)
