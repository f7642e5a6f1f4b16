"""Words of memory that several threads read and write while they play, and a call of compiled code by its address.

Every operation is sequentially consistent. Words are the places of an int64 array. Importing this imports Numba.
"""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_I32, _I64 = ir.IntType(32), ir.IntType(64)
_WORD = 8
_ORDER = "seq_cst"
# What tells a processor that a loop only waits, by the names that `platform.machine` has for it; ARM's is `isb sy`.
_X86, _ARM = ("llvm.x86.sse2.pause",), ("llvm.aarch64.isb", 15)
_PAUSES: dict[str, tuple[Any, ...]] = {"x86_64": _X86, "amd64": _X86, "aarch64": _ARM, "arm64": _ARM}


def _address(context: Any, builder: Any, kind: Any, words: Any, place: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, words).data, [place])


@intrinsic  # type: ignore[untyped-decorator]
def load(typing_context: Any, words: Any, place: Any) -> tuple[Any, Any]:
    """Read a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments)
        return builder.load_atomic(address, _ORDER, _WORD)

    return types.int64(words, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def store(typing_context: Any, words: Any, place: Any, value: Any) -> tuple[Any, Any]:
    """Write a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        builder.store_atomic(arguments[2], address, _ORDER, _WORD)
        return context.get_dummy_value()

    return types.void(words, types.int64, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def take_next(typing_context: Any, words: Any, place: Any) -> tuple[Any, Any]:
    """The number in a word, which goes up by one: no two threads get the same."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments)
        return builder.atomic_rmw("add", address, ir.Constant(_I64, 1), _ORDER)

    return types.int64(words, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def replace(typing_context: Any, words: Any, place: Any, old: Any, new: Any) -> tuple[Any, Any]:
    """Write a word if it still holds `old`; whether it did."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        return builder.extract_value(builder.cmpxchg(address, *arguments[2:], _ORDER, _ORDER), 1)

    return types.boolean(words, types.int64, types.int64, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def pause(typing_context: Any) -> tuple[Any, Any]:
    """Tell the processor that this thread only waits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name, *operands = _PAUSES.get(platform.machine().lower(), ("",))
        kind = ir.FunctionType(ir.VoidType(), [_I32] * len(operands))
        if name:
            builder.call(
                builder.module.declare_intrinsic(name, (), kind), [ir.Constant(_I32, each) for each in operands]
            )
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic  # type: ignore[untyped-decorator]
def call_at(typing_context: Any, address: Any, arguments: Any) -> tuple[Any, Any]:
    """Call a function that Numba compiled for the types in the tuple `arguments` and that returns nothing."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = signature.args[1].types
        convention = context.call_conv
        function = builder.inttoptr(values[0], convention.get_function_type(types.none, kinds).as_pointer())
        parts = cgutils.unpack_tuple(builder, values[1], len(kinds))
        status, _ = convention.call_function(builder, function, types.none, kinds, parts)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.void(types.int64, arguments), generate


def address_of(compiled: Any, arguments: tuple[Any, ...]) -> int:
    """Where a compiled function's code for these arguments begins; it is compiled if it has to be."""
    from numba import typeof

    kinds = tuple(typeof(argument) for argument in arguments)
    compiled.compile(kinds)
    form = compiled.overloads[kinds]
    return int(form.library.get_pointer_to_function(form.fndesc.llvm_func_name))
