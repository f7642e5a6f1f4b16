"""Check and convert the arguments of API functions: scenarios, paths, strings and lists."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypedDict, TypeVar, cast, get_type_hints

from fracas.content.validate import shown
from fracas.engine.overrides import parse_override
from fracas.engine.scenario import Scenario, load_scenario
from fracas.errors import InputError, Problem, UsageError
from fracas.files.read import refuse_unfit
from fracas.lab.execution.executor import Executor
from fracas.rulesets.contract.types import Override

ScenarioLike = Scenario | str | Path | Mapping[str, Any]
Function = TypeVar("Function", bound=Callable[..., Any])

# An option, and its value as hints write it: `--content DIR`.
_OPTION = re.compile(r"(?<![\w-])--?([a-z][a-z-]*)(?![\w-])( [A-Z]+(?![\w-]))?")
# Command-line options whose Python arguments have other names.
_ARGUMENTS = {"set": "overrides", "b_set": "overrides", "part": "parts", "cost": "costs", "plugin": "plugins"}


class PlayOptions(TypedDict, total=False):
    """What all functions take that play many battles: the dice, and where they are played. The texts are for `Args`."""

    seed: Annotated[str | None, "the seed text; defaults to the scenario's."]
    threads: Annotated[int | None, "the number of threads; defaults to one per core. It does not affect the result."]
    workers: Annotated[
        int | None, "the number of local worker processes to play on instead of threads (extra `cluster`)."
    ]
    scheduler: Annotated[
        str | None, "play on the workers of this scheduler, such as tcp://192.168.1.10:8786 (extra `cluster`)."
    ]


class StudyOptions(PlayOptions, total=False):
    """The same with a checkpoint folder."""

    resume: Annotated[
        str | Path | None, "a folder for finished chunks; the same call continues from those already there."
    ]


def _shared(function: Callable[..., Any], annotation: str) -> Mapping[str, Any]:
    """The options behind `**options: Unpack[StudyOptions]`: their types, texts and, if it is not None, default."""
    kind = getattr(function, "__globals__", {})[annotation.removeprefix("Unpack[").removesuffix("]")]
    return get_type_hints(kind, include_extras=True)


@contextmanager
def opened(options: Mapping[str, Any]) -> Iterator[Executor]:
    """The executor that shared options ask for.

    Raises:
        InputError: as `open_executor`.
    """
    from fracas.cluster.executors import open_executor

    resume = path_of("resume", options.get("resume"))
    threads, workers, scheduler = (options.get(name) for name in ("threads", "workers", "scheduler"))
    with open_executor(threads, workers, scheduler, resume=resume) as executor:
        yield executor


def with_python_names(function: Function) -> Function:
    """Decorate a function so that its errors name Python arguments: `threads` instead of `--threads`.

    Shared options, `**options: Unpack[...]`, stand in its signature and docstring one by one.
    """
    signature = inspect.signature(function)
    own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    shared = {
        name: kind
        for each in signature.parameters.values()
        if each.kind is each.VAR_KEYWORD
        for name, kind in _shared(function, each.annotation).items()
    }
    arguments = frozenset((*(each.name for each in own), *shared))

    @wraps(function)
    def call(*positional: Any, **named: Any) -> Any:
        for name in named:
            if name not in arguments:
                raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}")
        try:
            return function(*positional, **named)
        except InputError as error:
            problems = [_in_python(problem, arguments) for problem in error.problems]
            if problems == list(error.problems):
                raise
            raise type(error)(problems) from error.__cause__

    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=next(iter(kind.__metadata__[1:]), None),
            annotation=kind.__origin__,
        )
        for name, kind in shared.items()
    ]
    call.__dict__["__signature__"] = signature.replace(parameters=[*own, *added])
    if shared:
        call.__doc__ = _with_entries(
            function.__doc__ or "", {name: kind.__metadata__[0] for name, kind in shared.items()}
        )
    return cast(Function, call)


def _with_entries(text: str, entries: Mapping[str, str]) -> str:
    """A docstring with these entries behind its own `Args`; those that it has itself stay as they are."""
    head, returns, rest = text.partition("\n\n    Returns:")
    told = [
        "\n" + textwrap.fill(f"{name}: {said}", 120, initial_indent=8 * " ", subsequent_indent=12 * " ")
        for name, said in entries.items()
        if f"\n        {name}: " not in head
    ]
    return f"{head}{''.join(told)}{returns}{rest}"


def _in_python(problem: Problem, arguments: frozenset[str]) -> Problem:
    def named(option: re.Match[str]) -> str:
        name = option[1].replace("-", "_")
        name = _ARGUMENTS.get(name, name) if name not in arguments else name
        if name not in arguments:
            return option[0]
        return f"{name}=[{option[2].strip()}]" if option[2] else name

    def renamed(text: str) -> str:
        return _OPTION.sub(named, text)

    suggestion = None if problem.suggestion is None else renamed(problem.suggestion)
    # What a file is called is no option.
    where = problem.where if problem.file is not None else renamed(problem.where)
    return Problem(where, renamed(problem.message), suggestion)


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
        seed: the seed text; defaults to the scenario's.
        profile: the profile to use instead of the scenario's.
        overrides: values to replace by path: `{"sides.0.units.0.attack": 40}` or `["sides.0.units.0.attack=40"]`.
        content: folders whose content overrides the shipped content; later folders override earlier ones.
        plugins: Python files with damage stages or move types. They are run, so name only files that you trust.
        strict: treat warnings, such as unknown condition names, as errors.
        folder: the folder of files that a mapping names (a strategy, a world); without it a mapping cannot name files.

    Returns:
        The scenario, ready for `run` and `simulate`; check its `warnings`.

    Raises:
        InputError: everything that is wrong, each with its place and a suggestion.

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
    """Parse overrides from a mapping of paths to values, or from strings such as a.b=1."""
    if isinstance(overrides, Mapping):
        refuse_unfit(dict(overrides), "overrides")
        return [Override(tuple(str(path).split(".")), value, "overrides") for path, value in overrides.items()]
    check_list("overrides", overrides, str, "strings such as sides.0.units.0.attack=40")
    return [parse_override(text, "overrides") for text in overrides]


def paths_of(name: str, paths: Iterable[str | Path]) -> list[Path]:
    """Convert strings and paths to paths."""
    listed = paths if isinstance(paths, str | Path) else list(paths)
    check_list(name, listed, (str, Path), "paths")
    return [Path(path) for path in listed]


def path_of(name: str, path: str | Path | None) -> Path | None:
    """Convert a string or path to a path; None stays None."""
    if path is None:
        return None
    check_kind(name, path, (str, Path), "a path")
    return Path(path)


def scenario_of(source: ScenarioLike, seed: str | None, content: Iterable[Path] = ()) -> Scenario:
    """Load a scenario unless it is loaded already; apply another seed if given."""
    if not isinstance(source, Scenario):
        return load(source, seed=seed, content=content)
    check_text("seed", seed)
    return source if seed is None else source.with_seed(seed)


def check_text(name: str, text: Any) -> None:
    """Refuse anything but a string or None."""
    if text is not None:
        check_kind(name, text, str, "a string")


def check_list(name: str, values: Any, kind: Any, words: str) -> None:
    """Refuse a single value where a list is expected; a string is not a list of characters."""
    if isinstance(values, str | Path | Mapping | Scenario) or not isinstance(values, Sequence):
        raise UsageError.of(name, f"{shown(values)} is not a list of {words}")
    for index, value in enumerate(values):
        check_kind(f"{name}[{index}]", value, kind, f"one of the expected {words}")


def check_kind(name: str, value: Any, kind: Any, words: str) -> None:
    """Refuse a value of another type."""
    if not isinstance(value, kind):
        raise UsageError.of(name, f"{shown(value)} is not {words}")
