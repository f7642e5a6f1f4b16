"""Load plug-ins from Python files and check their form. Only the user names these files, never a scenario."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.machinery import SourceFileLoader
from importlib.metadata import entry_points
from numbers import Integral, Real
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeVar

import numpy as np
from blake3 import blake3

from fracas.content.validate import shown
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest, quoted
from fracas.files.read import is_there, read_text
from fracas.rulesets import registry
from fracas.rulesets.contract.plugin_kinds import INTEGER, NOTHING, NUMBER, TRUTH, Plugin, PluginFunction, PluginKind

Stage = TypeVar("Stage", bound=Callable[..., int])
MoveType = TypeVar("MoveType", bound=type)

_MARK = "__fracas_plugin__"
LARGEST_PLUGIN = 1024 * 1024
# The entry-point group under which installed packages offer modules with plug-ins; users name them explicitly.
ENTRY_POINTS = "fracas.plugins"
HINTS = {
    INTEGER: "return an integer; divide with //",
    TRUTH: "return True or False",
    NUMBER: "return a number",
    NOTHING: "return nothing",
}


def damage_stage(function: Stage) -> Stage:
    """Register a plug-in function as a stage of the squads damage chain, under the function's name.

        @fracas.damage_stage
        def blood_price(battle, actor, target, value):
            return value * 2 if battle.units[actor].hp * 2 < battle.units[actor].max_hp else value

    Args:
        function: takes the battle's record (read-only), the indices of attacker and target, and the damage so far
            (0..10^9), and returns the damage after the stage. It must not use dice.

    Returns:
        The function itself.

    Raises:
        InputError: not here; a stage is checked when its file is loaded, and tried when a scenario uses it.

    Source: the rule book of squads, Damage.
    """
    setattr(function, _MARK, "damage_stage")
    return function


def move_type(namespace: MoveType) -> MoveType:
    """Register a plug-in class as a stacks move type, under the class's name in snake case.

        @fracas.move_type
        class Shove:
            melee = True
            def is_viable(battle, actor, target):
                return can_harm(battle, actor, target)
            def expected_value(battle, actor, target):
                return 1.0
            def repeats(battle, actor, target):
                return 1
            def generate(battle, actor, target):
                put(battle, target, 1)
            def apply(battle, actor, target, effect):
                lose_health(battle.participants[target], effect)

    Args:
        namespace: holds the five functions of a move type, without `self`, and the move's flags: harmful, melee,
            counts_as_strike, usual_targets.

    Returns:
        The class itself.

    Raises:
        InputError: not here; a move type is checked and tried in a sandbox when its file is loaded.

    Source: the rule book of stacks, Plug-in moves.
    """
    setattr(namespace, _MARK, "move_type")
    return namespace


def load_plugins(files: Iterable[Path]) -> dict[str, Plugin]:
    """Load the plug-ins of Python files, or of installed packages by entry-point name; return them by name.

    Raises:
        InputError: a file cannot be read or run, or has no plug-in; a plug-in has wrong parameters or a name that is
            taken; or a plug-in fails its trial in the sandbox.
    """
    plugins: dict[str, Plugin] = {}
    problems: list[Problem] = []
    for named in files:
        try:
            file = installed_file(named) or named
            for plugin in checked_plugins(file):
                if plugin.name in plugins:
                    message = f'"{plugin.name}" is already provided by {plugins[plugin.name].file}'
                    raise InputError.of(str(file), message)
                plugins[plugin.name] = plugin
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return plugins


def installed_file(name: Path) -> Path | None:
    """Find the source file of the module that an installed package offers as an entry point under a name.

    Raises:
        InputError: the entry point is not a Python file.
    """
    # Entry-point names only: a path or an existing file is not looked up.
    if len(name.parts) != 1 or name.suffix or is_there(name):
        return None
    offered = next(iter(entry_points(group=ENTRY_POINTS, name=str(name))), None)
    if offered is None:
        return None
    try:
        spec = importlib.util.find_spec(offered.module)
    except (Exception, SystemExit) as error:
        raise InputError.of(str(name), f"cannot be found: {type(error).__name__}: {error}") from None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise InputError.of(str(name), f"the installed package offers {offered.module}, which is not a Python file")
    return Path(spec.origin)


def kinds() -> dict[str, PluginKind]:
    """The kinds of plug-ins that the rulesets accept, by the name of their decorator."""
    found = [registry.get(name).kernels.plugin for name in registry.NAMES]
    return {kind.mark: kind for kind in found if kind is not None}


def checked_plugins(file: Path) -> list[Plugin]:
    """Load the plug-ins of a file in order, and try in the sandbox those kinds that require it.

    Raises:
        InputError: as `load_plugins`.
    """
    plugins = plugins_of(file)
    if any(kind.prove is not None for kind, _ in plugins):
        from fracas.plugins.sandbox import prove_file

        prove_file(file, plugins[0][1].source_hash)
    return [plugin for _, plugin in plugins]


def plugins_of(file: Path) -> list[tuple[PluginKind, Plugin]]:
    """Load the plug-ins of a file in order, each with its kind, without trying them.

    Raises:
        InputError: the file cannot be read or run, has no plug-in, or one of the wrong form.
    """
    text = read_text(file, LARGEST_PLUGIN)
    known = kinds()
    marked = [(vars(value)[_MARK], value) for value in vars(_run(file)).values() if _is_marked(value)]
    found = [(known[mark], value) for mark, value in dict.fromkeys(marked) if mark in known]
    if not found:
        raise InputError.of(str(file), "has no plug-in", f"decorate {_what_to_mark(known)}")
    problems = [problem for kind, value in found for problem in _form_problems(file, kind, value, known)]
    if problems:
        raise InputError(problems)
    source_hash = blake3(text.encode()).hexdigest()
    return [(kind, _plugin(kind, value, source_hash, file)) for kind, value in found]


def _is_marked(value: Any) -> bool:
    # A subclass of a marked class is not marked itself.
    return callable(value) and _MARK in getattr(value, "__dict__", {})


def _what_to_mark(known: Mapping[str, PluginKind]) -> str:
    return " or ".join(
        f"a {'class' if kind.is_class else 'function'} with @fracas.{kind.mark}" for kind in known.values()
    )


def _plugin(kind: PluginKind, value: Any, source_hash: str, file: Path) -> Plugin:
    name = _name_of(kind, value)
    functions = tuple(
        guarded(getattr(value, shape.name) if kind.is_class else value, shape, f"{file}: {signature_text(name, shape)}")
        for shape in kind.functions
    )
    flags = {flag: getattr(value, flag, default) for flag, default in kind.flags.items()}
    return Plugin(name, functions + kind.joined(*functions), source_hash, str(file), flags, kind.mark)


def signature_text(name: str, shape: PluginFunction) -> str:
    """Name a plug-in function for messages: the plug-in's name, plus the function's if there are several."""
    return f"{name}.{shape.name}" if shape.name else name


def _name_of(kind: PluginKind, value: Any) -> str:
    name: str = value.__name__
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower() if kind.is_class else name


def guarded(function: Callable[..., Any], shape: PluginFunction, where: str) -> Callable[..., Any]:
    """Wrap a plug-in function for plain Python, so that its failures are reported with the plug-in's file.

    Raises:
        InputError: when called, if the function raises or returns a wrong value.
    """

    @functools.wraps(function)
    def call(battle: Any, *given: int) -> Any:
        numbers = [int(number) for number in given]

        def asked() -> str:
            return shape.asked.format(**dict(zip(shape.parameters[1:], numbers, strict=True)))

        try:
            # NumPy numbers would only warn on division by 0 and overflow, and continue.
            with np.errstate(all="raise"):
                answer = function(battle, *numbers)
        except (Exception, SystemExit) as error:
            raise InputError.of(where, f"raises {type(error).__name__} {asked()}: {error}") from None
        if not _is_answer(answer, shape.returns):
            raise InputError.of(where, f"returns {shown(answer)} {asked()}", HINTS[shape.returns])
        if isinstance(answer, Integral) and not -(2**63) <= int(answer) < 2**63:
            raise InputError.of(where, f"returns a number beyond 64 bits {asked()}")
        return _AS_PLAIN[shape.returns](answer)

    return call


_AS_PLAIN: dict[str, Callable[[Any], Any]] = {INTEGER: int, TRUTH: bool, NUMBER: float, NOTHING: lambda answer: answer}


def _is_answer(answer: Any, wanted: str) -> bool:
    is_truth = isinstance(answer, bool | np.bool_)
    if wanted == NOTHING:
        return answer is None
    if wanted == TRUTH:
        return is_truth
    return not is_truth and isinstance(answer, Integral if wanted == INTEGER else Real)


class _SourceLoader(SourceFileLoader):
    """Runs what the file says now. Python's bytecode may be of the file as it was a moment ago, or of another one."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def _run(file: Path) -> ModuleType:
    name = f"fracas_plugin_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError.of(str(file), "is not a Python file")
    spec.loader = _SourceLoader(name, str(file))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        line = next((f":{frame.lineno}" for frame in reversed(inspect.trace()) if frame.filename == str(file)), "")
        raise InputError.of(f"{file}{line}", f"cannot be loaded: {type(error).__name__}: {error}") from None
    return module


# The form of a plug-in.


def _form_problems(file: Path, kind: PluginKind, value: Any, known: Mapping[str, PluginKind]) -> Iterator[Problem]:
    name = _name_of(kind, value)
    # Names must be unique across all rulesets, so that they are never ambiguous.
    taken = next((other for other in known.values() if name in other.taken_names), None)
    if taken is not None:
        message = f'"{name}" is the name of a {taken.what} that ships with Fracas'
        yield Problem(str(file), message, "choose another name")
    if isinstance(value, type) != kind.is_class:
        form = "class" if kind.is_class else "function"
        yield Problem(str(file), f"{value.__name__} is not a {form}", f"@fracas.{kind.mark} goes on a {form}")
    elif kind.is_class:
        yield from _class_problems(file, kind, value)
    else:
        yield from _signature_problems(str(file), f"what a {kind.what} takes", value, kind.functions[0])


def _class_problems(file: Path, kind: PluginKind, value: Any) -> Iterator[Problem]:
    shapes = {shape.name: shape for shape in kind.functions}
    for name, shape in shapes.items():
        where = f"{file}: {_name_of(kind, value)}.{name}"
        function = getattr(value, name, None)
        if function is None:
            yield Problem(where, "is missing", f"write def {name}({', '.join(shape.parameters)})")
        elif not inspect.isfunction(function):
            yield Problem(where, "is not a function", f"write def {name}({', '.join(shape.parameters)})")
        else:
            yield from _signature_problems(where, f"what {name} takes in a {kind.what}", function, shape)
    for name in dir(value):
        where = f"{file}: {_name_of(kind, value)}.{name}"
        if name in kind.flags and not isinstance(getattr(value, name), bool):
            yield Problem(where, f"{shown(getattr(value, name))} is not True or False")
        elif name not in shapes and name not in kind.flags and not name.startswith("_"):
            hint = nearest(name, (*shapes, *kind.flags)) or "move it out of the class"
            yield Problem(where, f"a {kind.what} has no {quoted(name)}", hint)


def _signature_problems(
    where: str, what: str, function: Callable[..., Any], shape: PluginFunction
) -> Iterator[Problem]:
    parameters = list(inspect.signature(function).parameters.values())
    positional = [
        p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
    ]
    if not len(parameters) == len(positional) == len(shape.parameters):
        names = ", ".join(parameter.name for parameter in parameters)
        message = f"{function.__name__}({names}) does not take {what}"
        yield Problem(where, message, f"write {function.__name__}({', '.join(shape.parameters)})")
