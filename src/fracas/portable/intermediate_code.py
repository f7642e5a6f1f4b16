"""Gets the rules as LLVM intermediate code from Numba, before it is optimised for this machine.

Numba types a ruleset's entry points and returns the code that it would compile. A wrapper function of ours calls each
entry point with 32-bit integers as parameters: this is what the module exports and what programs call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from fracas.kernel import jit
from fracas.kernel.identity import game_of
from fracas.rulesets.contract.agents import AgentInterface
from fracas.rulesets.contract.kernels import Kernels

# What only some modules export: it plays a battle with the decisions of agents.
DECIDE = "decide"
DECIDE_PARAMETERS = (
    *("record", "lo", "hi", "agents", "n_agents", "script", "n_script"),
    *("result", "log", "reached"),
)


@dataclass(frozen=True)
class EntryCode:
    """One exported function: its name, and the intermediate code of the function and everything it calls."""

    export: str
    text: str
    entry: str
    """The mangled name of the called entry point."""


_NOTHING_TO_PREPARE = EntryCode(
    "prepare", 'target datalayout = ""\ntarget triple = ""\ndefine i32 @prepare(i32 %record) {\n  ret i32 0\n}\n', ""
)


@dataclass(frozen=True)
class _Array:
    """A parameter that Numba passes as an array: its address, its length and its entries' size in bytes."""

    address: str
    shape: tuple[str, ...]
    item: int


def entry_codes(kernels: Kernels, deciding: AgentInterface | None = None) -> list[EntryCode]:
    """The intermediate code of everything that a ruleset's module exports; `decide` only with `deciding`.

    Call it in a process that has not compiled anything yet: it narrows the dice for everything that follows.
    """
    numba = jit.enable(game_of(kernels.play_many))
    from fracas.kernel.chacha8_simd import fill_narrow

    fill_narrow()
    one = np.zeros(1, kernels.battle_type)
    results, log = np.zeros(1, kernels.result_type), np.zeros(1, kernels.log_type)
    words = np.zeros(1, np.int64)
    spans = np.zeros((1, 2), np.int64)
    assert kernels.resume_many is not None
    silent = _code(numba, kernels.play_many, (one, 0, results, None, None))
    logged = _code(numba, kernels.play_many, (one, 0, results, log, None))
    onward = _code(numba, kernels.resume_many, (one, words, words, spans, 0, results, words, None))
    battle, result = kernels.battle_type.itemsize, kernels.result_type.itemsize
    record = _Array("record", ("1",), battle)
    many = _Array("results", ("%n.long",), result)
    codes = [
        _wrapped("simulate", silent, ("record", "lo", "hi", "results", "n"), (record, _STREAM, many, None, None)),
        _wrapped(
            "play",
            logged,
            ("record", "lo", "hi", "result", "log"),
            (record, _STREAM, _Array("result", ("1",), result), _Array("log", ("1",), log.dtype.itemsize), None),
        ),
        _wrapped(
            "resume",
            onward,
            (
                *("record", "words", "kept", "n_kept", "spans", "n_spans"),
                *("lo", "hi", "results", "n", "place", "n_place"),
            ),
            (
                record,
                _Array("words", (str(battle // 8),), 8),
                _Array("kept", ("%n_kept.long",), 8),
                _Array("spans", ("%n_spans.long", "2"), 8),
                _STREAM,
                many,
                _Array("place", ("%n_place.long",), 8),
                None,
            ),
        ),
        _NOTHING_TO_PREPARE
        if kernels.prepare is None
        else _wrapped("prepare", _code(numba, kernels.prepare, (one,)), ("record",), (record,)),
    ]
    if deciding is not None:
        script, mask = np.zeros((1, 4), np.int64), np.zeros(1, np.int8)
        given = (one, 0, words, script, words, mask, words, results, log, words)
        codes.append(
            _wrapped(
                DECIDE,
                _code(numba, deciding.play_script, given),
                DECIDE_PARAMETERS,
                (
                    record,
                    _STREAM,
                    _Array("agents", ("%n_agents.long",), 8),
                    _Array("script", ("%n_script.long", "4"), 8),
                    _Array("cursor", (str(deciding.cursor_length),), 8),
                    _Array("mask", (str(deciding.actions),), 1),
                    _Array("actions", ("%n_agents.long",), 8),
                    _Array("result", ("1",), result),
                    _Array("log", ("1",), log.dtype.itemsize),
                    _Array("reached", ("2",), 8),
                ),
                # To work in: on the module's stack.
                {"cursor": 8 * deciding.cursor_length, "mask": deciding.actions, "actions": 8 * 2},
            )
        )
    return codes


_STREAM = "%stream"


def _code(numba: Any, entry: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, str]:
    """An entry point's intermediate code, and its mangled name."""
    from fracas.kernel.inline_compiler import InnerCompiler

    signature = tuple(numba.typeof(each) if each is not None else numba.types.none for each in arguments)
    settings = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": InnerCompiler}
    dispatcher = numba.njit(nogil=True, **settings)(entry)
    dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    return compiled.library.get_llvm_str(), compiled.fndesc.llvm_func_name


def _wrapped(
    export: str,
    code: tuple[str, str],
    parameters: tuple[str, ...],
    arguments: tuple[_Array | str | None, ...],
    scratch: Mapping[str, int] = MappingProxyType({}),
) -> EntryCode:
    """Intermediate code plus a wrapper function that takes 32-bit addresses and numbers.

    `scratch` has the bytes of arrays that no caller gives or reads.
    """
    text, entry = code
    passed = ["ptr %nothing", "ptr %exception"]
    for argument in arguments:
        if argument is None:
            passed.append("ptr null")
        elif isinstance(argument, str):
            passed.append(f"i64 {argument}")
        else:
            passed += _expanded(argument)
    lines = [f"define i32 @{export}({', '.join(f'i32 %{name}' for name in parameters)}) {{"]
    lines += ["  %nothing = alloca ptr", "  %exception = alloca ptr", "  store ptr null, ptr %exception"]
    lines += [f"  %{name}.address = alloca [{size} x i8], align 8" for name, size in scratch.items()]
    for name in parameters:
        lines += [f"  %{name}.address = inttoptr i32 %{name} to ptr", f"  %{name}.long = zext i32 %{name} to i64"]
    if "hi" in parameters:
        lines += ["  %upper = shl i64 %hi.long, 32", "  %stream = or i64 %upper, %lo.long"]
    lines += [f'  %status = call i32 @"{entry}"({", ".join(passed)})', "  ret i32 %status", "}", ""]
    return EntryCode(export, text + "\n" + "\n".join(lines), entry)


def _expanded(array: _Array) -> list[str]:
    """An array as Numba passes it: owner, parent, entries, bytes of each, address, then each length and each stride."""
    if len(array.shape) == 1:
        count, strides = array.shape[0], [str(array.item)]
    else:
        # The length of a row is known.
        count, strides = array.shape[0], [str(int(array.shape[1]) * array.item), str(array.item)]
    numbers = [*array.shape, *strides]
    return [
        *("ptr null", "ptr null", f"i64 {count}", f"i64 {array.item}", f"ptr %{array.address}.address"),
        *(f"i64 {number}" for number in numbers),
    ]
