"""The compiled form of reals.py: vectors of doubles. No operation is fused with another or reordered."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import signature
from numba.extending import models, register_model

from fracas.lanes import reals
from fracas.lanes.memory import ALIGNMENT
from fracas.lanes.native_types import (
    I32,
    LANES_OF,
    MASK,
    WORDS,
    LanesType,
    bits_of_mask,
    mask_of_bits,
    operator_twin,
    row_address,
    row_bits,
    twin,
    vector,
)
from fracas.lanes.operations import LANES

_DOUBLES = ir.VectorType(ir.DoubleType(), LANES)


class RealsType(types.Type):
    """64 doubles."""

    def __init__(self) -> None:
        super().__init__(name="lanes of doubles")


REALS = RealsType()


@register_model(RealsType)
class _RealsModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: RealsType) -> None:
        super().__init__(manager, kind, _DOUBLES)


def _every(value: float) -> ir.Constant:
    return ir.Constant(_DOUBLES, [value] * LANES)


@twin(reals.load_reals, lambda state, row: signature(REALS, state, types.int64))
def _load_reals(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    place = row_address(builder, arguments[0], sig.args[0], "reals", arguments[1], _DOUBLES)
    return builder.load(place, align=ALIGNMENT)


@twin(reals.store_reals, lambda state, row, value: signature(types.none, state, types.int64, REALS))
def _store_reals(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    place = row_address(builder, arguments[0], sig.args[0], "reals", arguments[1], _DOUBLES)
    builder.store(arguments[2], place, align=ALIGNMENT)
    return context.get_dummy_value()


@twin(reals.splat_reals, lambda number: signature(REALS, types.float64))
def _splat_reals(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    undefined = ir.Constant(_DOUBLES, ir.Undefined)
    first = builder.insert_element(undefined, arguments[0], ir.Constant(I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(vector(32), [0] * LANES))


@twin(reals.as_reals, lambda value: signature(REALS, value) if isinstance(value, LanesType) else None)
def _as_reals(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    if sig.args[0].bits < 32:
        return builder.sitofp(builder.zext(arguments[0], vector(32)), _DOUBLES)
    return builder.uitofp(arguments[0], _DOUBLES)


@twin(reals.floor_row, lambda state, value: signature(LANES_OF[row_bits(state)], state, REALS))
def _floor_row(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    bits = sig.return_type.bits
    if bits < 32:
        return builder.trunc(builder.fptosi(arguments[1], vector(32)), vector(bits))
    return builder.fptoui(arguments[1], vector(bits))


@twin(reals.unit_of, lambda low, high: signature(REALS, WORDS, WORDS) if low == high == WORDS else None)
def _unit_of(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    places = ir.Constant(vector(32), [11] * LANES)
    low = builder.sitofp(builder.lshr(arguments[0], places), _DOUBLES)
    high = builder.uitofp(arguments[1], _DOUBLES)
    # Both products and the sum are exact: 32 bits and the 21 bits below them.
    return builder.fadd(builder.fmul(high, _every(2.0**-32)), builder.fmul(low, _every(2.0**-53)))


@twin(reals.select_reals, lambda mask, chosen, other: signature(REALS, MASK, REALS, REALS))
def _select_reals(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return builder.select(bits_of_mask(builder, arguments[0]), arguments[1], arguments[2])


def _define_pairs(function: Callable[..., Any], make: Callable[[Any, Any, Any], Any]) -> None:
    """A function of two vectors of doubles."""

    def typer(one: Any, other: Any) -> Any:
        return signature(REALS, REALS, REALS) if one == other == REALS else None

    def lowering(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return make(builder, *arguments)

    operator_twin(function, typer, RealsType, RealsType)(lowering)


def _least(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.fcmp_ordered("<", other, one), other, one)


def _most(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", other, one), other, one)


def _divide_or_zero(builder: Any, one: Any, other: Any) -> Any:
    zero = _every(0.0)
    return builder.select(builder.fcmp_ordered("==", other, zero), zero, builder.fdiv(one, other))


_define_pairs(reals.divide_or_zero, _divide_or_zero)
_define_pairs(reals.smaller_real, _least)
_define_pairs(reals.larger_real, _most)
_define_pairs(operator.add, lambda builder, one, other: builder.fadd(one, other))
_define_pairs(operator.sub, lambda builder, one, other: builder.fsub(one, other))
_define_pairs(operator.mul, lambda builder, one, other: builder.fmul(one, other))
_define_pairs(operator.truediv, lambda builder, one, other: builder.fdiv(one, other))


def _define_comparison(function: Callable[..., Any], sign: str) -> None:
    def typer(one: Any, other: Any) -> Any:
        return signature(MASK, REALS, REALS) if one == other == REALS else None

    def lowering(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return mask_of_bits(builder, builder.fcmp_ordered(sign, *arguments))

    operator_twin(function, typer, RealsType, RealsType)(lowering)


for _function, _sign in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
):
    _define_comparison(_function, _sign)
