"""The compiled form of operations.py: vectors of LLVM. A line of the rules is a few instructions for 64 battles."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import signature

from fracas.lanes import operations
from fracas.lanes.memory import ALIGNMENT
from fracas.lanes.native_types import (
    I32,
    I64,
    LANES_OF,
    MASK,
    SPREAD,
    WORDS,
    LanesType,
    MaskType,
    bits_of_mask,
    is_anywhere,
    mask_of_bits,
    mask_of_number,
    mask_of_spread,
    number_of_mask,
    operator_twin,
    row_address,
    row_bits,
    splat,
    spread_of_mask,
    twin,
    vector,
)
from fracas.lanes.operations import LANES


def _define_memory(
    load: Callable[..., Any], store: Callable[..., Any], name: str, bits_of: Callable[[Any], int]
) -> None:
    @twin(load, lambda state, row: signature(LANES_OF[bits_of(state)], state, types.int64))
    def lower_load(context, builder, sig, arguments) -> Any:
        kind = vector(sig.return_type.bits)
        address = row_address(builder, arguments[0], sig.args[0], name, arguments[1], kind)
        return builder.load(address, align=ALIGNMENT)

    @twin(store, lambda state, row, value: signature(types.none, state, types.int64, LANES_OF[bits_of(state)]))
    def lower_store(context, builder, sig, arguments) -> Any:
        kind = vector(sig.args[2].bits)
        address = row_address(builder, arguments[0], sig.args[0], name, arguments[1], kind)
        builder.store(arguments[2], address, align=ALIGNMENT)
        return context.get_dummy_value()


_define_memory(operations.load, operations.store, "rows", row_bits)
_define_memory(operations.load_words, operations.store_words, "words", lambda state: 32)


def _masks_are_rows(kind) -> bool:
    """Whether a state keeps a mask as a row of 16-bit numbers, 0 or -1, instead of one integer."""
    field = kind.fields["masks"].type
    return bool(field.ndim == 2)


@twin(operations.load_mask, lambda state, row: signature(MASK, state, types.int64))
def _load_mask(context, builder, sig, arguments) -> Any:
    if _masks_are_rows(sig.args[0]):
        address = row_address(builder, arguments[0], sig.args[0], "masks", arguments[1], SPREAD)
        return mask_of_spread(builder, builder.load(address, align=ALIGNMENT))
    number = builder.load(row_address(builder, arguments[0], sig.args[0], "masks", arguments[1], I64))
    return mask_of_number(builder, number)


@twin(operations.store_mask, lambda state, row, mask: signature(types.none, state, types.int64, MASK))
def _store_mask(context, builder, sig, arguments) -> Any:
    if _masks_are_rows(sig.args[0]):
        address = row_address(builder, arguments[0], sig.args[0], "masks", arguments[1], SPREAD)
        builder.store(spread_of_mask(builder, arguments[2]), address, align=ALIGNMENT)
        return context.get_dummy_value()
    number = number_of_mask(builder, arguments[2])
    builder.store(number, row_address(builder, arguments[0], sig.args[0], "masks", arguments[1], I64))
    return context.get_dummy_value()


@twin(operations.splat, lambda state, number: signature(LANES_OF[row_bits(state)], state, types.int64))
def _splat_row(context, builder, sig, arguments) -> Any:
    return splat(builder, arguments[1], sig.return_type.bits)


@twin(operations.splat_words, lambda number: signature(WORDS, types.int64))
def _splat_words(context, builder, sig, arguments) -> Any:
    return splat(builder, arguments[0], 32)


def _of_one_width(one, other) -> bool:
    return isinstance(one, LanesType) and one == other


@twin(
    operations.select,
    lambda mask, chosen, other: signature(chosen, MASK, chosen, chosen) if _of_one_width(chosen, other) else None,
)
def _select(context, builder, sig, arguments) -> Any:
    return builder.select(bits_of_mask(builder, arguments[0]), arguments[1], arguments[2])


def _define_pairs(function: Callable[..., Any], make: Callable[[Any, Any, Any], Any]) -> None:
    """A function of two vectors of one width."""

    def typer(one, other) -> Any:
        return signature(one, one, other) if _of_one_width(one, other) else None

    def lowering(context, builder, sig, arguments) -> Any:
        return make(builder, *arguments)

    operator_twin(function, typer, LanesType, LanesType)(lowering)


def _least(builder, one, other) -> Any:
    return builder.select(builder.icmp_unsigned("<", one, other), one, other)


def _most(builder, one, other) -> Any:
    return builder.select(builder.icmp_unsigned(">", one, other), one, other)


_define_pairs(operations.smaller, _least)
_define_pairs(operations.larger, _most)
_define_pairs(operator.add, lambda builder, one, other: builder.add(one, other))
_define_pairs(operator.sub, lambda builder, one, other: builder.sub(one, other))
_define_pairs(operator.mul, lambda builder, one, other: builder.mul(one, other))
_define_pairs(operator.and_, lambda builder, one, other: builder.and_(one, other))
_define_pairs(operator.or_, lambda builder, one, other: builder.or_(one, other))


def _define_shift(function: Callable[..., Any], make: Callable[[Any, Any, Any], Any]) -> None:
    def typer(value, places) -> Any:
        is_fit = isinstance(value, LanesType) and isinstance(places, types.Integer)
        return signature(value, value, types.int64) if is_fit else None

    def lowering(context, builder, sig, arguments) -> Any:
        return make(builder, arguments[0], splat(builder, arguments[1], sig.args[0].bits))

    operator_twin(function, typer, LanesType, types.Integer)(lowering)


_define_shift(operator.rshift, lambda builder, value, places: builder.lshr(value, places))
_define_shift(operator.lshift, lambda builder, value, places: builder.shl(value, places))


def _define_comparison(function: Callable[..., Any], sign: str) -> None:
    def typer(one, other) -> Any:
        return signature(MASK, one, other) if _of_one_width(one, other) else None

    def lowering(context, builder, sig, arguments) -> Any:
        return mask_of_bits(builder, builder.icmp_unsigned(sign, *arguments))

    operator_twin(function, typer, LanesType, LanesType)(lowering)


for _function, _sign in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
    (operator.ne, "!="),
):
    _define_comparison(_function, _sign)


def _define_mask_pairs(function: Callable[..., Any], make: Callable[[Any, Any, Any], Any]) -> None:
    def typer(one, other) -> Any:
        return signature(MASK, MASK, MASK) if one == other == MASK else None

    def lowering(context, builder, sig, arguments) -> Any:
        return make(builder, *arguments)

    operator_twin(function, typer, MaskType, MaskType)(lowering)


_define_mask_pairs(operator.and_, lambda builder, one, other: builder.and_(one, other))
_define_mask_pairs(operator.or_, lambda builder, one, other: builder.or_(one, other))


@operator_twin(operator.invert, lambda mask: signature(MASK, MASK) if mask == MASK else None, MaskType)
def _invert(context, builder, sig, arguments) -> Any:
    return builder.not_(arguments[0])


def _resized(builder, value, before: int, after: int):
    if before < after:
        return builder.zext(value, vector(after))
    return value if before == after else builder.trunc(value, vector(after))


def _define_resize(function: Callable[..., Any], bits_of: Callable[[Any], int]) -> None:
    @twin(function, lambda value: signature(LANES_OF[bits_of(value)], value) if isinstance(value, LanesType) else None)
    def lowering(context, builder, sig, arguments) -> Any:
        return _resized(builder, arguments[0], sig.args[0].bits, sig.return_type.bits)


_define_resize(operations.wide, lambda value: 2 * value.bits)
_define_resize(operations.widest, lambda value: 64)
_define_resize(operations.as_words, lambda value: 32)


@twin(operations.as_row, lambda state, value: signature(LANES_OF[row_bits(state)], state, value))
def _as_row(context, builder, sig, arguments) -> Any:
    return _resized(builder, arguments[1], sig.args[1].bits, sig.return_type.bits)


@twin(operations.any_lane, lambda mask: signature(types.boolean, MASK))
def _any_lane(context, builder, sig, arguments) -> Any:
    return is_anywhere(builder, arguments[0])


@twin(operations.no_lanes, lambda: signature(MASK))
def _no_lanes(context, builder, sig, arguments) -> Any:
    return mask_of_number(builder, ir.Constant(I64, 0))


@twin(operations.one_lane, lambda lane: signature(MASK, types.int64))
def _one_lane(context, builder, sig, arguments) -> Any:
    return mask_of_number(builder, builder.shl(ir.Constant(I64, 1), arguments[0]))


@twin(operations.first_lane, lambda mask: signature(types.int64, MASK))
def _first_lane(context, builder, sig, arguments) -> Any:
    return builder.cttz(number_of_mask(builder, arguments[0]), ir.Constant(ir.IntType(1), 1))


@twin(operations.count_lanes, lambda mask: signature(types.int64, MASK))
def _count_lanes(context, builder, sig, arguments) -> Any:
    return builder.ctpop(number_of_mask(builder, arguments[0]))


@twin(operations.look_up, lambda table, first, places: signature(places, table, types.int64, places))
def _look_up(context, builder, sig, arguments) -> Any:
    table, first, places = arguments
    array = context.make_array(sig.args[0])(context, builder, table)
    start = builder.gep(array.data, [first])
    kind = ir.IntType(sig.return_type.bits)
    found = ir.Constant(vector(sig.return_type.bits), ir.Undefined)
    for lane in range(LANES):
        index = builder.zext(builder.extract_element(places, ir.Constant(I32, lane)), I64)
        number = builder.trunc(builder.load(builder.gep(start, [index])), kind)
        found = builder.insert_element(found, number, ir.Constant(I32, lane))
    return found
