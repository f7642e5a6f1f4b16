"""The compiled form of `chacha8.fill`: several ChaCha8 blocks as one vector computation.

Native code fills sixteen at once. The process that builds the WebAssembly modules calls `fill_narrow` once before it
compiles: four at once are 50% faster there. Both use the same records.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from fracas.kernel.chacha8 import (
    AREAS,
    BLOCK_WORDS,
    CHACHA_CONSTANTS,
    DOUBLE_ROUNDS,
    MOST_FILLED,
    NARROW,
    blocks_at_once,
    fill,
)

_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
_DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


_most = [MOST_FILLED]


def fill_narrow() -> None:
    """Make everything that this process compiles later fill four blocks at once."""
    _most[0] = NARROW


def _width(dice: Any) -> int:
    """How many blocks are filled at once in a record of this Numba type."""
    room: int = dice.fields["words"].type.shape[0] // (AREAS * BLOCK_WORDS)
    return min(_most[0], room)


@overload(blocks_at_once)
def _native_blocks_at_once(dice: Any) -> Any:
    width = _width(dice)

    def native(dice: Any) -> int:
        return width

    return native


class _Lanes:
    """Operations on vectors of 32-bit numbers, one for each block."""

    def __init__(self, builder: Any, width: int) -> None:
        self.builder = builder
        self.width = width
        self.vector = ir.VectorType(_I32, width)

    def constant(self, value: int) -> ir.Constant:
        return ir.Constant(self.vector, [value] * self.width)

    def splat(self, scalar: Any) -> Any:
        undefined = ir.Constant(self.vector, ir.Undefined)
        first = self.builder.insert_element(undefined, scalar, ir.Constant(_I32, 0))
        return self.builder.shuffle_vector(first, undefined, self.constant(0))

    def ramp(self, start: Any, step: Any) -> Any:
        places = ir.Constant(self.vector, list(range(self.width)))
        steps = self.builder.mul(self.splat(self.builder.trunc(step, _I32)), places)
        return self.builder.add(self.splat(self.builder.trunc(start, _I32)), steps)

    def rotate(self, value: Any, places: int) -> Any:
        left = self.builder.shl(value, self.constant(places))
        return self.builder.or_(left, self.builder.lshr(value, self.constant(32 - places)))

    def quarter_round(self, x: list[Any], a: int, b: int, c: int, d: int) -> None:
        for into, other, turned, places in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[into] = self.builder.add(x[into], x[other])
            x[turned] = self.rotate(self.builder.xor(x[turned], x[into]), places)


@intrinsic
def _fill(
    typing_context: Any, dice: Any, area: Any, low: Any, low_step: Any, high: Any, high_step: Any
) -> tuple[Any, Any]:
    signature = types.void(dice, types.int64, types.int64, types.int64, types.int64, types.int64)
    key, stream, words = (dice.offset(name) for name in ("key", "stream", "words"))
    width = _width(dice)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, area, low, low_step, high, high_step = arguments
        base = builder.bitcast(record, ir.IntType(8).as_pointer())
        lanes = _Lanes(builder, width)

        def loaded(offset: int) -> Any:
            address = builder.gep(base, [ir.Constant(_I64, offset)])
            return lanes.splat(builder.load(builder.bitcast(address, _I32.as_pointer())))

        start = [lanes.constant(value) for value in CHACHA_CONSTANTS]
        start += [loaded(key + 4 * index) for index in range(8)]
        start += [lanes.ramp(low, low_step), lanes.ramp(high, high_step)]
        start += [loaded(stream), loaded(stream + 4)]
        mixed = list(start)
        for _ in range(DOUBLE_ROUNDS):
            for four in _COLUMNS + _DIAGONALS:
                lanes.quarter_round(mixed, *four)
        area_bytes = ir.Constant(_I64, 4 * BLOCK_WORDS * width)
        offset = builder.add(ir.Constant(_I64, words), builder.mul(area, area_bytes))
        out = builder.bitcast(builder.gep(base, [offset]), lanes.vector.as_pointer())
        for index in range(16):
            store = builder.store(builder.add(mixed[index], start[index]), builder.gep(out, [ir.Constant(_I64, index)]))
            store.align = 4
        return context.get_dummy_value()

    return signature, generate


# Large and called from three places: compiled once, not inlined into each.
@overload(fill, jit_options={"forceinline": False})
def _native_fill(dice: Any, area: Any, low: Any, low_step: Any, high: Any, high_step: Any) -> Any:
    def native(dice: Any, area: Any, low: Any, low_step: Any, high: Any, high_step: Any) -> None:
        _fill(dice, area, low, low_step, high, high_step)

    return native
