"""What the functions of the API are given: scenarios are loaded, paths, texts and lists checked."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

from fracas.content.validate import shown
from fracas.engine.scenario import Scenario, load_scenario, parse_override
from fracas.errors import Problem, UsageError
from fracas.files.read import refuse_unfit
from fracas.rulesets.contract.types import Override

ScenarioLike = Scenario | str | Path | Mapping[str, Any]
Function = TypeVar("Function", bound=Callable[..., Any])

_OPTION = re.compile(r"(?<![\w-])--?([a-z][a-z-]*)(?![\w-])")
# Options that Python calls otherwise.
_ARGUMENTS = {"set": "overrides", "b_set": "overrides", "part": "parts", "cost": "costs"}


def with_python_names(function: Function) -> Function:
    """Name arguments in complaints as Python does: `threads` where the program says `--threads`."""
    arguments = frozenset(inspect.signature(function).parameters)

    @wraps(function)
    def call(*positional: Any, **named: Any) -> Any:
        try:
            return function(*positional, **named)
        except UsageError as error:
            raise UsageError([_in_python(problem, arguments) for problem in error.problems]) from error.__cause__

    return cast(Function, call)


def _in_python(problem: Problem, arguments: frozenset[str]) -> Problem:
    def named(option: re.Match[str]) -> str:
        name = option[1].replace("-", "_")
        name = _ARGUMENTS.get(name, name) if name not in arguments else name
        return name if name in arguments else option[0]

    def told(text: str) -> str:
        return _OPTION.sub(named, text)

    suggestion = None if problem.suggestion is None else told(problem.suggestion)
    return Problem(told(problem.where), told(problem.message), suggestion)


@with_python_names
def load(
    source: str | Path | Mapping[str, Any],
    *,
    seed: str | None = None,
    profile: str | None = None,
    overrides: Mapping[str, Any] | Sequence[str] = (),
    content: Iterable[str | Path] = (),
    plugins: Iterable[str | Path] = (),
    strict: bool = False,
    folder: str | Path | None = None,
) -> Scenario:
    """Read, check and compile a scenario: a TOML or JSON file, or the same as a mapping.

    Args:
        source: the file's path, or a mapping with the keys that a scenario file has.
        seed: the seed text; absent means the scenario's own.
        profile: a profile's name instead of the scenario's own.
        overrides: values to replace by path: `{"sides.0.units.0.attack": 40}` or `["sides.0.units.0.attack=40"]`.
        content: folders of TOML over the shipped content, later ones over earlier ones.
        plugins: Python files with damage stages. They are run: name only files that you trust.
        strict: make warnings (such as an unknown condition name) errors.
        folder: where the files are that a mapping names (a strategy, a world); without it a mapping reads no file.

    Returns:
        The scenario, ready for `run` and `simulate`; its `warnings` say what is doubtful.

    Raises:
        InputError: everything that is wrong, each with where it stands and what would be right.

    Source: the ruleset's rule book, Resolved document.

        >>> scenario = load("examples/squads/standard-5v5.toml", seed="tuesday")
        >>> scenario.seed
        'tuesday'
    """
    check_kind("source", source, (str, Path, Mapping), "a path or a mapping")
    check_text("seed", seed)
    check_text("profile", profile)
    return load_scenario(
        source,
        seed=seed,
        profile=profile,
        overrides=changes_of(overrides),
        content=paths_of("content", content),
        plugins=paths_of("plugins", plugins),
        strict=strict,
        folder=path_of("folder", folder),
    )


def changes_of(overrides: Mapping[str, Any] | Sequence[str]) -> list[Override]:
    """What a mapping of paths, or texts such as a.b=1, replace."""
    if isinstance(overrides, Mapping):
        refuse_unfit(dict(overrides), "overrides")
        return [Override(tuple(str(path).split(".")), value, "overrides") for path, value in overrides.items()]
    check_list("overrides", overrides, str, "texts such as sides.0.units.0.attack=40")
    return [parse_override(text, "overrides") for text in overrides]


def paths_of(name: str, paths: Iterable[str | Path]) -> list[Path]:
    """Paths that may be texts."""
    listed = paths if isinstance(paths, str | Path) else list(paths)
    check_list(name, listed, (str, Path), "paths")
    return [Path(path) for path in listed]


def path_of(name: str, path: str | Path | None) -> Path | None:
    """A path that may be a text, if there is one."""
    if path is None:
        return None
    check_kind(name, path, (str, Path), "a path")
    return Path(path)


def scenario_of(source: ScenarioLike, seed: str | None, content: Iterable[Path] = ()) -> Scenario:
    """A scenario that is loaded already, or is loaded now; under another seed if there is one."""
    if not isinstance(source, Scenario):
        return load(source, seed=seed, content=content)
    check_text("seed", seed)
    return source if seed is None else source.with_seed(seed)


def check_text(name: str, text: Any) -> None:
    """Refuse what is neither a text nor None."""
    if text is not None:
        check_kind(name, text, str, "a text")


def check_list(name: str, values: Any, kind: Any, words: str) -> None:
    """Refuse a single value where a list is expected: the characters of a text are no list."""
    if isinstance(values, str | Path | Mapping | Scenario) or not isinstance(values, Sequence):
        raise UsageError.of(name, f"{shown(values)} is not a list of {words}")
    for place, value in enumerate(values):
        check_kind(f"{name}[{place}]", value, kind, f"one of the {words} that are expected")


def check_kind(name: str, value: Any, kind: Any, words: str) -> None:
    """Refuse what is not of a kind."""
    if not isinstance(value, kind):
        raise UsageError.of(name, f"{shown(value)} is not {words}")
