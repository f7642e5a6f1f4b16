"""Playing: plain or compiled, one battle or a range of them, always through the ruleset's one entry point."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from blake3 import blake3

from fracas.engine.scenario import Scenario
from fracas.errors import FaultError, InputError, Problem
from fracas.files.process_cache import Memory
from fracas.kernel import jit
from fracas.kernel.event_log import FULL, PLUGIN_FAULT
from fracas.kernel.function_identity import identity
from fracas.plugins.loader import HINTS, told
from fracas.rulesets.contract.plugin_kinds import INTEGER, NOTHING, NUMBER, TRUTH, Plugin, PluginFunction, PluginKind
from fracas.rulesets.contract.ruleset import Kernels
from fracas.rulesets.contract.types import Records

Notice = Callable[[str], None]
# A tuple of functions; of classes a tuple of such tuples.
Functions = tuple[Any, ...]

# Up to so many battles are sooner played plain than a first compilation is done.
FEW_BATTLES = 100


@dataclass
class Player:
    """Plays ranges of one scenario's battles. Belongs to one thread: it owns the record that it plays in."""

    kernels: Kernels
    play_many: Callable[..., None]
    record: Records
    log: Records | None
    plugins: Functions | None
    authors: tuple[Plugin, ...] = ()

    def play(self, first: int, count: int) -> Records:
        """Battles number first to first + count - 1, one row of results each.

        Raises:
            InputError: a plug-in failed.
            FaultError: a battle ran into a limit of ours.
        """
        results = np.zeros(count, self.kernels.result_type)
        try:
            self.play_many(self.record, first, results, self.log, self.plugins)
        except Exception as error:
            # Kernels raise nothing. A plug-in's own guard has spoken already if it is played plain.
            if not self.authors or isinstance(error, InputError):
                raise
            raise InputError.of(_authors(self.authors), f"raises {type(error).__name__}: {error}") from None
        check_faults(self.kernels, self.authors, first, results)
        return results

    def rows(self) -> Records:
        """The event rows of the battle played last, (n, 8) int32."""
        assert self.log is not None, "the player keeps no log"
        return np.array(self.log[0].rows[: self.log[0].count])

    def twin(self) -> Player:
        """A player of the same scenario for another thread."""
        log = None if self.log is None else np.zeros_like(self.log)
        return replace(self, record=self.record.copy(), log=log)


def check_faults(kernels: Kernels, authors: tuple[Plugin, ...], first: int, results: Records) -> None:
    """Refuse results of battles, the first of them number `first`, of which one went wrong.

    Raises:
        InputError: a plug-in failed.
        FaultError: a battle ran into a limit of ours: its log is full, a number too large, an address out of dice.
    """
    faulty = np.flatnonzero(results["fault"])
    if not faulty.size:
        return
    place = int(faulty[0])
    fault = int(results["fault"][place])
    if fault & 0xFF == FULL:
        capacity = kernels.log_type["rows"].shape[0]
        message = f"battle {first + place} has more than the {capacity:,} events that a log holds"
        raise FaultError(f"{message}; a lower {kernels.cap_option} keeps it within, and without a log it can be played")
    if fault & PLUGIN_FAULT:
        message = f"leaves or rolls more in battle {first + place} than a plug-in may at once"
        raise InputError.of(_authors(authors), message)
    raise FaultError(f"battle {first + place}: {fault_text(fault)}")


def _authors(plugins: tuple[Plugin, ...]) -> str:
    return ", ".join(f"{plugin.file}: {plugin.name}" for plugin in plugins)


def fault_text(fault: int) -> str:
    """What a result's fault number means."""
    if fault & 0xFF:
        return "an event holds a number that does not fit into 32 bits"
    return "an address of the dice ran out of words"


def make_player(
    scenario: Scenario, *, logged: bool, battles: int, notice: Notice | None = None, alone: bool = False
) -> Player:
    """A player for so many battles: compiled, or plain where compiling or loading would take longer than playing.

    `alone` says that the process plays these battles and no others.

    Raises:
        InputError: a plug-in that does not compile.
    """
    kernels = scenario.ruleset.kernels
    plugins = scenario.compiled.plugins
    log = np.zeros(1, kernels.log_type) if logged else None
    record = scenario.compiled.record.copy()
    is_over_soon = alone and scenario.ruleset.plays_quickly(scenario.document)
    if not _is_worth_compiling(kernels, variant(logged, bool(plugins)), battles, is_over_soon):
        return Player(kernels, kernels.play_many, record, log, plain_plugins(kernels, plugins), plugins)
    functions = native_plugins(kernels, plugins)
    play_many = prepare_native(kernels, scenario.ruleset.name, record, log, functions, notice)
    return Player(kernels, play_many, record, log, functions, plugins)


def variant(logged: bool, with_plugins: bool) -> str:
    """The name of one of the entry point's compiled forms."""
    return f"{'logged' if logged else 'silent'}{'-plugins' if with_plugins else ''}"


def _is_worth_compiling(kernels: Kernels, form: str, battles: int, is_over_soon: bool) -> bool:
    setting = jit.jit_setting()
    if setting != "auto":
        return setting == "always"
    return battles > FEW_BATTLES or (not is_over_soon and jit.is_cached(kernels.play_many, form))


def prepare_native(
    kernels: Kernels, name: str, record: Records, log: Records | None, plugins: Any, notice: Notice | None
) -> Callable[..., None]:
    """The compiled entry point, compiled now if this machine has not done so before; says so if it takes a while."""
    form = variant(log is not None, plugins is not None)
    if not jit.is_cached(kernels.play_many, form) and notice is not None:
        notice(f"Compiling the rules of {name} for this machine ({form}), once; it takes ten to thirty seconds.")
    play_many = jit.native(kernels.play_many)
    play_many(record, 0, np.zeros(0, kernels.result_type), log, plugins)
    jit.mark_cached(kernels.play_many, form)
    return play_many


def plain_plugins(kernels: Kernels, plugins: Sequence[Plugin]) -> Functions | None:
    """The plug-ins as the plain entry point takes them."""
    kind = kernels.plugin
    if not plugins or kind is None:
        return None
    return _arranged(kind, [plugin.functions for plugin in plugins], _idle_functions(kind))


def native_plugins(kernels: Kernels, plugins: Sequence[Plugin]) -> Functions | None:
    """The plug-ins compiled with their explicit signatures, padded to the fixed length of their tuples.

    Raises:
        InputError: every function of a plug-in that does not compile.
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
    """What fills the places that no plug-in uses, compiled."""
    return _all_compiled(kernels, kind, Plugin("idle", _idle_functions(kind), "", ""))


def idle_plugins(kernels: Kernels) -> Functions | None:
    """What the compiled entry point takes in the place of plug-ins when there are none, and room for them."""
    kind = kernels.plugin
    return None if kind is None else jit.typed(_arranged(kind, [], native_idle(kernels, kind)))


def _idle_functions(kind: PluginKind) -> Functions:
    idle = tuple(shape.idle for shape in kind.functions)
    return idle + kind.joined(*idle)


def _arranged(kind: PluginKind, plugins: Sequence[Sequence[Callable[..., Any]]], idle: Sequence[Any]) -> Functions:
    """A tuple of fixed length of a kind's functions; of classes such a tuple for each of their functions."""
    padded = tuple(zip(*plugins, *[idle] * (kind.slots - len(plugins)), strict=True))
    return padded if kind.is_class else padded[0]


# Plug-ins that were compiled before, by all that they compile to: so many of them.
_compiled_before: Memory[tuple[Callable[..., Any], ...]] = Memory(1000)


def _all_compiled(kernels: Kernels, kind: PluginKind, plugin: Plugin) -> Sequence[Callable[..., Any]]:
    """A plug-in's functions, compiled, and what they are joined to: their code becomes part of it.

    It happens once in a process for each that is another one, and once on a machine if that can be told for certain.

    Raises:
        InputError: every function that does not compile.
    """
    told = [identity(inspect.unwrap(function)) for function in plugin.functions[: len(kind.functions)]]
    whole = None if None in told else ",".join(str(each) for each in told)
    known = None if whole is None else _compiled_before.recall((kind.mark, whole))
    if known is not None:
        return known
    jit.enable()
    signatures = kind.signatures()
    compiled: list[Callable[..., Any]] = []
    problems: list[Problem] = []
    parts = zip(kind.functions, plugin.functions, signatures, told, strict=False)
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
    """A compiled function has one form. Numba looks it up by a record's every field each time it is handed over."""
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
    """A plug-in's function, compiled. What it returns is inferred: a signature would cut fractions off in silence.

    Raises:
        InputError: it cannot be compiled, or returns something else than it should.
    """
    numba = jit.enable()
    name = told(plugin.name, shape)
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
    """What Numba calls the things that functions of plug-ins return."""
    types = numba.types
    return {
        INTEGER: types.Integer,
        TRUTH: types.Boolean,
        NUMBER: (types.Integer, types.Float),
        NOTHING: types.NoneType,
    }


def _first_line(error: Exception) -> str:
    """What a compiler's long message says first; other errors by their kind."""
    lines = [line for line in str(error).strip().splitlines() if line.strip()] or [""]
    if not type(error).__module__.startswith("numba"):
        return f"{type(error).__name__}: {lines[0]}"
    return next((line for line in lines if not line.startswith("Failed in")), lines[0])
