"""The compiled form of lane_dice.py: ChaCha8 blocks of many lanes as one computation on vectors."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import signature

from fracas.kernel.chacha8 import CHACHA_CONSTANTS, DOUBLE_ROUNDS
from fracas.lanes import lane_dice
from fracas.lanes.memory import ALIGNMENT, vector_bits
from fracas.lanes.native_types import (
    I32,
    I64,
    MASK,
    field_address,
    number_of_mask,
    splat,
    twin,
    vector,
)
from fracas.lanes.operations import LANES

# Two vectors of 512 bits keep such a processor busy, because the next step of one need not wait for the other's. With
# sixteen shorter registers there is room for one vector of each word.
GROUP = 32 if vector_bits() >= 512 else vector_bits() // 32
_ALIGNED = min(4 * GROUP, ALIGNMENT)
_COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
_DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


@twin(lane_dice.groups, lambda: signature(types.int64))
def _groups(context, builder, sig, arguments) -> Any:
    return ir.Constant(I64, LANES // GROUP)


@twin(lane_dice.any_in_group, lambda mask, group: signature(types.boolean, MASK, types.int64))
def _any_in_group(context, builder, sig, arguments) -> Any:
    number, group = number_of_mask(builder, arguments[0]), arguments[1]
    lanes = builder.trunc(builder.lshr(number, builder.mul(group, ir.Constant(I64, GROUP))), ir.IntType(GROUP))
    return builder.icmp_unsigned("!=", lanes, ir.Constant(lanes.type, 0))


class _Blocks:
    """ChaCha8 blocks of a group of lanes, each with its own counter and stream."""

    kind = vector(32, GROUP)

    def __init__(self, builder) -> None:
        self.builder = builder

    def constant(self, value: int) -> ir.Constant:
        return ir.Constant(self.kind, [value] * GROUP)

    def rotate(self, value, places: int):
        left = self.builder.shl(value, self.constant(places))
        return self.builder.or_(left, self.builder.lshr(value, self.constant(32 - places)))

    def mixed(self, start: list[Any]) -> list[Any]:
        x = list(start)
        for _ in range(DOUBLE_ROUNDS):
            for a, b, c, d in _COLUMNS + _DIAGONALS:
                for into, other, turned, places in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    x[into] = self.builder.add(x[into], x[other])
                    x[turned] = self.rotate(self.builder.xor(x[turned], x[into]), places)
        return [self.builder.add(value, first) for value, first in zip(x, start, strict=True)]


@twin(
    lane_dice.draw_words,
    lambda state, battle, into, low, tick, group: signature(types.none, state, battle, *[types.int64] * 4),
)
def _draw_words(context, builder, sig, arguments) -> Any:
    state, battle, into, low, tick, group = arguments
    blocks = _Blocks(builder)
    words = builder.bitcast(field_address(builder, state, sig.args[0], "words"), blocks.kind.as_pointer())

    def place(row, ahead: int):
        groups = ir.Constant(I64, LANES // GROUP)
        at = builder.add(builder.mul(builder.add(row, ir.Constant(I64, ahead)), groups), group)
        return builder.gep(words, [at])

    dice = sig.args[1].fields["dice"].type
    offset = sig.args[1].offset("dice") + dice.offset("key")
    base = builder.bitcast(battle, ir.IntType(8).as_pointer())
    key = builder.bitcast(builder.gep(base, [ir.Constant(I64, offset)]), I32.as_pointer())
    start = [blocks.constant(value) for value in CHACHA_CONSTANTS]
    start += [
        splat(builder, builder.load(builder.gep(key, [ir.Constant(I64, index)])), 32, GROUP) for index in range(8)
    ]
    start += [splat(builder, low, 32, GROUP)]
    start += [builder.load(place(tick, ahead), align=_ALIGNED) for ahead in range(3)]
    for row, value in enumerate(blocks.mixed(start)):
        builder.store(value, place(into, row), align=_ALIGNED)
    return context.get_dummy_value()
