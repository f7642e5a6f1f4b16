"""Users' own code, named on the command line or in a call, never inside a file that is read."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from blake3 import blake3

from fracas.content.files import read_text
from fracas.content.validate import shown
from fracas.errors import InputError, Problem
from fracas.rulesets import registry
from fracas.rulesets.contract import Plugin

Stage = TypeVar("Stage", bound=Callable[..., int])

_MARK = "__fracas_stage__"
LARGEST_PLUGIN = 1024 * 1024


def damage_stage(function: Stage) -> Stage:
    """Mark a function of a plug-in file as a stage of squads' damage chain, under the function's name.

        @fracas.damage_stage
        def blood_price(battle, actor, target, value):
            return value * 2 if battle.units[actor].hp * 2 < battle.units[actor].max_hp else value

    Args:
        function: gets the battle's record (to read), the indices of attacker and target, and the damage so far
            (0..10^9), and returns the damage after the stage. It draws nothing from the dice.

    Returns:
        The function itself.

    Raises:
        InputError: not here; a stage is checked when its file is loaded and tried when a scenario uses it.

    Source: the rule book of squads, Damage.
    """
    setattr(function, _MARK, function.__name__)
    return function


def load_plugins(files: Iterable[Path]) -> dict[str, Plugin]:
    """Every plug-in of the given Python files, by name.

    Raises:
        InputError: a file that cannot be read or run, has no plug-in, or a plug-in with wrong parameters or a name that
            is taken.
    """
    plugins: dict[str, Plugin] = {}
    problems: list[Problem] = []
    for file in files:
        try:
            for plugin in _plugins_of(file):
                if plugin.name in plugins:
                    message = f'"{plugin.name}" is already provided by {plugins[plugin.name].file}'
                    raise InputError.of(str(file), message)
                plugins[plugin.name] = plugin
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return plugins


def _plugins_of(file: Path) -> list[Plugin]:
    text = read_text(file, LARGEST_PLUGIN)
    module = _run(file)
    functions = [value for value in vars(module).values() if callable(value) and hasattr(value, _MARK)]
    if not functions:
        raise InputError.of(str(file), "has no plug-in", "mark a function with @fracas.damage_stage")
    for function in functions:
        _check_name(file, getattr(function, _MARK))
        _check_signature(file, function)
    source_hash = blake3(text.encode()).hexdigest()
    return [Plugin(getattr(function, _MARK), guarded(function, file), source_hash, str(file)) for function in functions]


def guarded(function: Callable[..., Any], file: Path) -> Callable[..., int]:
    """A stage as plain Python plays it: what goes wrong in it is told as its author's mistake, with its file.

    Raises:
        InputError: when it is called, and raises or returns anything but an integer of 64 bits.
    """
    where = f"{file}: {getattr(function, _MARK)}"

    @functools.wraps(function)
    def stage(battle: Any, actor: int, target: int, value: int) -> int:
        asked = f"for a damage of {value:,}"
        try:
            # A number of the record would divide by 0 and leave 64 bits with a warning and go on.
            with np.errstate(all="raise"):
                after = function(battle, actor, target, int(value))
        except (Exception, SystemExit) as error:
            raise InputError.of(where, f"raises {type(error).__name__} {asked}: {error}") from None
        if isinstance(after, bool) or not isinstance(after, Integral):
            raise InputError.of(where, f"returns {shown(after)} {asked}", "return an integer; divide with //")
        if not -(2**63) <= int(after) < 2**63:
            raise InputError.of(where, f"returns a number beyond 64 bits {asked}")
        return int(after)

    return stage


def _run(file: Path) -> ModuleType:
    name = f"fracas_plugin_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError.of(str(file), "is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        line = next((f":{frame.lineno}" for frame in reversed(inspect.trace()) if frame.filename == str(file)), "")
        raise InputError.of(f"{file}{line}", f"cannot be loaded: {type(error).__name__}: {error}") from None
    return module


def _check_name(file: Path, name: str) -> None:
    if any(name in registry.get(ruleset).kernels.taken_names for ruleset in registry.NAMES):
        raise InputError.of(str(file), f'"{name}" is the name of a stage that comes with Fracas', "choose another name")


def _check_signature(file: Path, function: Callable[..., Any]) -> None:
    parameters = list(inspect.signature(function).parameters.values())
    positional = [
        p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
    ]
    if len(parameters) != 4 or len(positional) != 4:
        names = ", ".join(parameter.name for parameter in parameters)
        message = f"{function.__name__}({names}) does not take what a damage stage takes"
        raise InputError.of(str(file), message, f"write {function.__name__}(battle, actor, target, value)")
