"""The compiled form of `prefetch.prefetch`: one hint to the processor for each cache line."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from fracas.kernel.prefetch import prefetch

# The bytes that every x86-64 and most ARM processors load at once.
LINE = 64
# llvm.prefetch: the record will be written, is wanted soon, and is data.
WRITTEN, SOON, DATA = 1, 3, 1

_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


@overload(prefetch, prefer_literal=True)  # type: ignore[untyped-decorator]
def _native_prefetch(records: Any, address: Any, last: Any) -> Any:
    def native(records: Any, address: Any, last: Any) -> None:
        _prefetch(records, address, last)

    return native


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def _prefetch(typing_context: Any, records: Any, address: Any, last: Any) -> tuple[Any, Any]:
    signature = types.void(records, types.int64, last)
    lines = lines_of(records.dtype, last.literal_value)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        base = builder.bitcast(array.data, _BYTES)
        start = builder.gep(base, [builder.mul(arguments[1], ir.Constant(_I64, records.dtype.size))])
        kind = ir.FunctionType(ir.VoidType(), [_BYTES, _I32, _I32, _I32])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [_BYTES], kind)
        flags = [ir.Constant(_I32, value) for value in (WRITTEN, SOON, DATA)]
        for offset in lines:
            builder.call(hint, [builder.gep(start, [ir.Constant(_I64, offset)]), *flags])
        return context.get_dummy_value()

    return signature, generate


def lines_of(record: Any, last: str) -> list[int]:
    """Where the cache lines begin that `prefetch` loads of a record of this Numba type, in bytes."""
    end = record.offset(last) + _width(record, last)
    dice = record.offset("dice")
    words = dice + record.typeof("dice").offset("words")
    return sorted({*range(0, end, LINE), *range(dice // LINE * LINE, words, LINE)})


def _width(record: Any, name: str) -> int:
    """The bytes of a field, up to the next one."""
    start = record.offset(name)
    later = [field.offset for field in record.fields.values() if field.offset > start]
    return int(min(later, default=record.size) - start)
