"""Compile plug-ins to functions that kernels can call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from blake3 import blake3

from fracas.errors import InputError, Problem
from fracas.files.process_cache import Memory
from fracas.kernel import jit
from fracas.kernel.function_identity import identity
from fracas.plugins.loader import HINTS, signature_text
from fracas.rulesets.contract.kernels import Kernels
from fracas.rulesets.contract.plugin_kinds import INTEGER, NOTHING, NUMBER, TRUTH, Plugin, PluginFunction, PluginKind

# A tuple of functions; for classes, a tuple of such tuples.
Functions = tuple[Any, ...]


def plain_plugins(kernels: Kernels, plugins: Sequence[Plugin]) -> Functions | None:
    """Arrange plug-ins as the plain entry point takes them."""
    kind = kernels.plugin
    if not plugins or kind is None:
        return None
    return _arranged(kind, [plugin.functions for plugin in plugins], _idle_functions(kind))


def native_plugins(kernels: Kernels, plugins: Sequence[Plugin]) -> Functions | None:
    """Compile plug-ins with their explicit signatures, padded to tuples of fixed length.

    Raises:
        InputError: every plug-in function that does not compile.
    """
    kind = kernels.plugin
    if not plugins or kind is None:
        return None
    compiled: list[Sequence[Callable[..., Any]]] = []
    problems: list[Problem] = []
    for plugin in plugins:
        try:
            compiled.append(_all_compiled(kernels, kind, plugin))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return jit.typed(_arranged(kind, compiled, native_idle(kernels, kind)))


def native_idle(kernels: Kernels, kind: PluginKind) -> Sequence[Callable[..., Any]]:
    """The compiled placeholders for unused plug-in slots."""
    return _all_compiled(kernels, kind, Plugin("idle", _idle_functions(kind), "", ""))


def idle_plugins(kernels: Kernels) -> Functions | None:
    """The placeholders that the compiled entry point takes if there are no plug-ins; None if it has no slots."""
    kind = kernels.plugin
    return None if kind is None else jit.typed(_arranged(kind, [], native_idle(kernels, kind)))


def _idle_functions(kind: PluginKind) -> Functions:
    idle = tuple(shape.idle for shape in kind.functions)
    return idle + kind.joined(*idle)


def _arranged(kind: PluginKind, plugins: Sequence[Sequence[Callable[..., Any]]], idle: Sequence[Any]) -> Functions:
    """Arrange a kind's functions in a tuple of fixed length; for classes, one such tuple per function."""
    padded = tuple(zip(*plugins, *[idle] * (kind.slots - len(plugins)), strict=True))
    return padded if kind.is_class else padded[0]


# A cache of compiled plug-ins, limited to this many.
_compiled_before: Memory[tuple[Callable[..., Any], ...]] = Memory(1000)


def _all_compiled(kernels: Kernels, kind: PluginKind, plugin: Plugin) -> Sequence[Callable[..., Any]]:
    """Compile a plug-in's functions; callers inline their code.

    Each plug-in is compiled once per process, and once per machine if its code can be identified with certainty.

    Raises:
        InputError: every function that does not compile.
    """
    identities = [identity(inspect.unwrap(function)) for function in plugin.functions[: len(kind.functions)]]
    whole = None if None in identities else ",".join(str(each) for each in identities)
    known = None if whole is None else _compiled_before.recall((kind.mark, whole))
    if known is not None:
        return known
    jit.enable()
    signatures = kind.signatures()
    compiled: list[Callable[..., Any]] = []
    problems: list[Problem] = []
    parts = zip(kind.functions, plugin.functions, signatures, identities, strict=False)
    for shape, function, signature, each in parts:
        try:
            compiled.append(_compiled(kernels, plugin, function, shape, signature, each))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    for function, signature in zip(kind.joined(*compiled), signatures[len(compiled) :], strict=True):
        apart = None if whole is None else blake3(f"{function.__qualname__} {whole}".encode()).hexdigest()
        compiled.append(jit.native_alone(function, signature, kernels.play_many, apart))
    for function in compiled:
        _settle(function)
    return tuple(compiled) if whole is None else _compiled_before.keep((kind.mark, whole), tuple(compiled))


def _settle(function: Any) -> None:
    """Fix a compiled function's single signature, so that Numba need not compare every field of a record per call."""
    (only,) = function.overloads.values()
    function.get_compile_result = lambda signature: only


def _compiled(
    kernels: Kernels,
    plugin: Plugin,
    function: Callable[..., Any],
    shape: PluginFunction,
    signature: Any,
    told_apart_by: str | None,
) -> Any:
    """Compile one plug-in function. The return type is inferred: a signature would silently cut off fractions.

    Raises:
        InputError: it does not compile, or returns the wrong type.
    """
    numba = jit.enable()
    name = signature_text(plugin.name, shape)
    try:
        compiled = jit.native_alone(inspect.unwrap(function), signature.args, kernels.play_many, told_apart_by)
    except Exception as error:
        raise InputError.of(plugin.file, f'"{name}" cannot be compiled: {_first_line(error)}') from None
    returned = compiled.nopython_signatures[0].return_type
    if not isinstance(returned, _numba_types(numba)[shape.returns]):
        message = f'"{name}" cannot be compiled: it returns {returned}'
        raise InputError.of(plugin.file, message, HINTS[shape.returns])
    if returned != signature.return_type:
        compiled = jit.native_alone(inspect.unwrap(function), signature, kernels.play_many, told_apart_by)
    return compiled


def _numba_types(numba: Any) -> dict[str, Any]:
    """Numba's types for the values that plug-in functions return."""
    types = numba.types
    return {
        INTEGER: types.Integer,
        TRUTH: types.Boolean,
        NUMBER: (types.Integer, types.Float),
        NOTHING: types.NoneType,
    }


def _first_line(error: Exception) -> str:
    """The first line of a compiler's long message; other errors with their type."""
    lines = [line for line in str(error).strip().splitlines() if line.strip()] or [""]
    if not type(error).__module__.startswith("numba"):
        return f"{type(error).__name__}: {lines[0]}"
    return next((line for line in lines if not line.startswith("Failed in")), lines[0])
