"""The compiled twin of `dice.fill`: sixteen ChaCha8 blocks as one <16 x i32> vector computation."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from fracas.kernel.chacha8 import AREA_WORDS, CHACHA_CONSTANTS, DOUBLE_ROUNDS, FILLED, fill

_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_VECTOR = ir.VectorType(_I32, FILLED)
_COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
_DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def _constant(value: int) -> ir.Constant:
    return ir.Constant(_VECTOR, [value] * FILLED)


def _splat(builder: Any, scalar: Any) -> Any:
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, scalar, ir.Constant(_I32, 0))
    return builder.shuffle_vector(first, undefined, _constant(0))


def _ramp(builder: Any, start: Any, step: Any) -> Any:
    places = ir.Constant(_VECTOR, list(range(FILLED)))
    steps = builder.mul(_splat(builder, builder.trunc(step, _I32)), places)
    return builder.add(_splat(builder, builder.trunc(start, _I32)), steps)


def _rotate(builder: Any, value: Any, places: int) -> Any:
    left = builder.shl(value, _constant(places))
    return builder.or_(left, builder.lshr(value, _constant(32 - places)))


def _quarter_round(builder: Any, x: list[Any], a: int, b: int, c: int, d: int) -> None:
    for into, other, turned, places in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        x[into] = builder.add(x[into], x[other])
        x[turned] = _rotate(builder, builder.xor(x[turned], x[into]), places)


@intrinsic
def _fill(
    typing_context: Any, dice: Any, area: Any, low: Any, low_step: Any, high: Any, high_step: Any
) -> tuple[Any, Any]:
    signature = types.void(dice, types.int64, types.int64, types.int64, types.int64, types.int64)
    key, stream, words = (dice.offset(name) for name in ("key", "stream", "words"))

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, area, low, low_step, high, high_step = arguments
        base = builder.bitcast(record, ir.IntType(8).as_pointer())

        def loaded(offset: int) -> Any:
            place = builder.gep(base, [ir.Constant(_I64, offset)])
            return _splat(builder, builder.load(builder.bitcast(place, _I32.as_pointer())))

        start = [_constant(value) for value in CHACHA_CONSTANTS]
        start += [loaded(key + 4 * index) for index in range(8)]
        start += [_ramp(builder, low, low_step), _ramp(builder, high, high_step)]
        start += [loaded(stream), loaded(stream + 4)]
        mixed = list(start)
        for _ in range(DOUBLE_ROUNDS):
            for four in _COLUMNS + _DIAGONALS:
                _quarter_round(builder, mixed, *four)
        offset = builder.add(ir.Constant(_I64, words), builder.mul(area, ir.Constant(_I64, 4 * AREA_WORDS)))
        out = builder.bitcast(builder.gep(base, [offset]), _VECTOR.as_pointer())
        for index in range(16):
            store = builder.store(builder.add(mixed[index], start[index]), builder.gep(out, [ir.Constant(_I64, index)]))
            store.align = 4
        return context.get_dummy_value()

    return signature, generate


# Large and called from three places: compiled once, not into each of them.
@overload(fill, jit_options={"forceinline": False})
def _native_fill(dice: Any, area: Any, low: Any, low_step: Any, high: Any, high_step: Any) -> Any:
    def native(dice: Any, area: Any, low: Any, low_step: Any, high: Any, high_step: Any) -> None:
        _fill(dice, area, low, low_step, high, high_step)

    return native
