"""The compiled form of `prefetch.prefetch`: one hint to the processor for each cache line."""

from __future__ import annotations

import os
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from fracas.kernel.prefetch import prefetch

# The bytes that every x86-64 and most ARM processors load at once.
LINE = 64

_I32 = ir.IntType(32)
_I64 = ir.IntType(64)


@overload(prefetch)
def _native_prefetch(records: Any, place: Any) -> Any:
    def native(records: Any, place: Any) -> None:
        _prefetch(records, place)

    return native


@intrinsic
def _prefetch(typing_context: Any, records: Any, place: Any) -> tuple[Any, Any]:
    signature = types.void(records, types.int64)
    dice = records.dtype.fields["dice"]
    end = int(os.environ.get("HOT", dice.offset + dice.type.offset("words")))

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        base = builder.bitcast(array.data, ir.IntType(8).as_pointer())
        start = builder.gep(base, [builder.mul(arguments[1], ir.Constant(_I64, records.dtype.size))])
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), _I32, _I32, _I32])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [ir.IntType(8).as_pointer()], kind)
        # To be written (1), wanted soon (3), data (1).
        flags = [ir.Constant(_I32, value) for value in (int(os.environ.get("PFW", "1")), 3, 1)]
        for offset in range(0, end, LINE):
            builder.call(hint, [builder.gep(start, [ir.Constant(_I64, offset)]), *flags])
        return context.get_dummy_value()

    return signature, generate
