"""Numba types for lanes and masks, and the parts that their compiled operations are made of.

Numba has no vectors of its own, so this gives it two kinds of types: lanes of 16, 32 or 64 bits, and masks. Where the
processor has registers for masks (AVX-512), a mask is one integer with a bit for each lane; elsewhere it is a vector of
16-bit numbers, 0 or -1, because bits would have to be spread again for every choice between two vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, models, register_model

from fracas.lanes.memory import vector_bits
from fracas.lanes.operations import LANES

I32, I64 = ir.IntType(32), ir.IntType(64)
BITS = ir.VectorType(ir.IntType(1), LANES)
SPREADS_MASKS = vector_bits() < 512
SPREAD = ir.VectorType(ir.IntType(16), LANES)


class LanesType(types.Type):
    """64 unsigned numbers of some bits."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        super().__init__(name=f"lanes of {bits} bits")


class MaskType(types.Type):
    """64 truths."""

    def __init__(self) -> None:
        super().__init__(name="mask of lanes")


LANES_OF = {bits: LanesType(bits) for bits in (16, 32, 64)}
MASK = MaskType()
WORDS = LANES_OF[32]


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager, kind: LanesType) -> None:
        super().__init__(manager, kind, vector(kind.bits))


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager, kind: MaskType) -> None:
        super().__init__(manager, kind, SPREAD if SPREADS_MASKS else I64)


def vector(bits: int, lanes: int = LANES) -> ir.VectorType:
    """LLVM's type of a vector."""
    return ir.VectorType(ir.IntType(bits), lanes)


def mask_of_bits(builder, bits) -> Any:
    """A mask from the truths that a comparison gives."""
    return builder.sext(bits, SPREAD) if SPREADS_MASKS else builder.bitcast(bits, I64)


def bits_of_mask(builder, mask) -> Any:
    """The truths that a choice takes."""
    if SPREADS_MASKS:
        return builder.icmp_signed("<", mask, ir.Constant(SPREAD, [0] * LANES))
    return builder.bitcast(mask, BITS)


def number_of_mask(builder, mask) -> Any:
    """A mask as one integer, the first lane lowest."""
    return builder.bitcast(bits_of_mask(builder, mask), I64) if SPREADS_MASKS else mask


def mask_of_number(builder, number) -> Any:
    """A mask from such an integer."""
    return mask_of_bits(builder, builder.bitcast(number, BITS)) if SPREADS_MASKS else number


def mask_of_spread(builder, spread) -> Any:
    """A mask from 64 numbers of 16 bits, 0 or -1."""
    if SPREADS_MASKS:
        return spread
    return builder.bitcast(builder.icmp_signed("<", spread, ir.Constant(SPREAD, [0] * LANES)), I64)


def spread_of_mask(builder, mask) -> Any:
    """A mask as such numbers."""
    return mask if SPREADS_MASKS else builder.sext(builder.bitcast(mask, BITS), SPREAD)


def is_anywhere(builder, mask) -> Any:
    """Whether a mask is true in any lane."""
    if not SPREADS_MASKS:
        return builder.icmp_unsigned("!=", mask, ir.Constant(I64, 0))

    def part(of, start: int, length: int):
        places = ir.Constant(vector(32, length), list(range(start, start + length)))
        return builder.shuffle_vector(of, ir.Constant(of.type, ir.Undefined), places)

    found = mask
    while found.type.count > 8:
        half = found.type.count // 2
        found = builder.or_(part(found, 0, half), part(found, half, half))
    whole = ir.IntType(16 * found.type.count)
    return builder.icmp_unsigned("!=", builder.bitcast(found, whole), ir.Constant(whole, 0))


def row_bits(state) -> int:
    """How many bits the rows of a record of this Numba type have."""
    return state.fields["rows"].type.dtype.bitwidth


Typer = Callable[..., Any]
Lowering = Callable[..., Any]


def twin(function: Callable[..., Any], typer: Typer) -> Callable[[Lowering], Lowering]:
    """Make a lowering the compiled form of a function; `typer` gives its signature, or None for other types."""

    class Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, arguments, keywords) -> Any:
            return None if keywords else typer(*arguments)

    infer_global(function)(Template)

    def register(lowering: Lowering) -> Lowering:
        count = typer.__code__.co_argcount
        return cast(Lowering, lower_builtin(function, *[types.Any] * count)(lowering))

    return register


def operator_twin(function: Callable[..., Any], typer: Typer, *kinds) -> Callable[[Lowering], Lowering]:
    """Like `twin`, for an operator of Python, which has other forms too."""

    class Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, arguments, keywords) -> Any:
            return typer(*arguments) if len(arguments) == len(kinds) else None

    infer_global(function)(Template)
    return cast(Callable[[Lowering], Lowering], lower_builtin(function, *kinds))


def splat(builder, number, bits: int, lanes: int = LANES):
    """A scalar of at least these bits, in every lane."""
    kind = ir.IntType(bits)
    if number.type.width > bits:
        number = builder.trunc(number, kind)
    elif number.type.width < bits:
        number = builder.zext(number, kind)
    undefined = ir.Constant(vector(bits, lanes), ir.Undefined)
    first = builder.insert_element(undefined, number, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(vector(32, lanes), [0] * lanes))


def field_address(builder, record, kind, name: str):
    """The address of a record's field, as bytes."""
    base = builder.bitcast(record, ir.IntType(8).as_pointer())
    return builder.gep(base, [ir.Constant(I64, kind.offset(name))])


def row_address(builder, state, kind, name: str, row, element: ir.Type):
    """The address of a row of a field, as a pointer to its vector."""
    start = builder.bitcast(field_address(builder, state, kind, name), element.as_pointer())
    return builder.gep(start, [row], inbounds=True)
