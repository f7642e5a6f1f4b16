"""The compiled form of operations.py: vectors of LLVM. A line of the rules is a few instructions for 64 battles.

Numba has no vectors of its own, so this gives it two kinds of types: lanes of 16, 32 or 64 bits, and masks. Where the
processor has registers for masks (AVX-512), a mask is one integer with a bit for each lane; elsewhere it is a vector of
16-bit numbers, 0 or -1, because bits would have to be spread again for every choice between two vectors.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

from fracas.kernel.chacha8 import CHACHA_CONSTANTS, DOUBLE_ROUNDS
from fracas.lanes import operations
from fracas.lanes.memory import vector_bits
from fracas.lanes.operations import LANES

_I32, _I64 = ir.IntType(32), ir.IntType(64)
_BITS = ir.VectorType(ir.IntType(1), LANES)
# Two vectors of 512 bits keep such a processor busy, because the next step of one need not wait for the other's. With
# sixteen shorter registers there is room for one vector of each word.
GROUP = 32 if vector_bits() >= 512 else vector_bits() // 32
SPREADS_MASKS = vector_bits() < 512
_SPREAD = ir.VectorType(ir.IntType(16), LANES)
_COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
_DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


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
    def __init__(self, manager: Any, kind: LanesType) -> None:
        super().__init__(manager, kind, _vector(kind.bits))


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: MaskType) -> None:
        super().__init__(manager, kind, _SPREAD if SPREADS_MASKS else _I64)


def _vector(bits: int, lanes: int = LANES) -> ir.VectorType:
    return ir.VectorType(ir.IntType(bits), lanes)


def _mask_of_bits(builder: Any, bits: Any) -> Any:
    """A mask from the truths that a comparison gives."""
    return builder.sext(bits, _SPREAD) if SPREADS_MASKS else builder.bitcast(bits, _I64)


def _bits_of_mask(builder: Any, mask: Any) -> Any:
    """The truths that a choice takes."""
    if SPREADS_MASKS:
        return builder.icmp_signed("<", mask, ir.Constant(_SPREAD, [0] * LANES))
    return builder.bitcast(mask, _BITS)


def _number_of_mask(builder: Any, mask: Any) -> Any:
    """A mask as one integer, the first lane lowest."""
    return builder.bitcast(_bits_of_mask(builder, mask), _I64) if SPREADS_MASKS else mask


def _mask_of_number(builder: Any, number: Any) -> Any:
    """A mask from such an integer."""
    return _mask_of_bits(builder, builder.bitcast(number, _BITS)) if SPREADS_MASKS else number


def _is_anywhere(builder: Any, mask: Any) -> Any:
    """Whether a mask is true in any lane."""
    if not SPREADS_MASKS:
        return builder.icmp_unsigned("!=", mask, ir.Constant(_I64, 0))

    def part(of: Any, start: int, length: int) -> Any:
        places = ir.Constant(_vector(32, length), list(range(start, start + length)))
        return builder.shuffle_vector(of, ir.Constant(of.type, ir.Undefined), places)

    found = mask
    while found.type.count > 8:
        half = found.type.count // 2
        found = builder.or_(part(found, 0, half), part(found, half, half))
    whole = ir.IntType(16 * found.type.count)
    return builder.icmp_unsigned("!=", builder.bitcast(found, whole), ir.Constant(whole, 0))


def _row_bits(state: Any) -> int:
    """How many bits the rows of a record of this Numba type have."""
    bits: int = state.fields["rows"].type.dtype.bitwidth
    return bits


Typer = Callable[..., Any]
Lowering = Callable[..., Any]


def _twin(function: Callable[..., Any], typer: Typer) -> Callable[[Lowering], Lowering]:
    """Make a lowering the compiled form of a function; `typer` gives its signature, or None for other types."""

    class Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, arguments: Any, keywords: Any) -> Any:
            return None if keywords else typer(*arguments)

    infer_global(function)(Template)

    def register(lowering: Lowering) -> Lowering:
        count = typer.__code__.co_argcount
        return cast(Lowering, lower_builtin(function, *[types.Any] * count)(lowering))

    return register


def _operator(function: Callable[..., Any], typer: Typer, *kinds: Any) -> Callable[[Lowering], Lowering]:
    """Like `_twin`, for an operator of Python, which has other forms too."""

    class Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, arguments: Any, keywords: Any) -> Any:
            return typer(*arguments) if len(arguments) == len(kinds) else None

    infer_global(function)(Template)
    return cast(Callable[[Lowering], Lowering], lower_builtin(function, *kinds))


def _splat(builder: Any, number: Any, bits: int, lanes: int = LANES) -> Any:
    """A scalar of at least these bits, in every lane."""
    kind = ir.IntType(bits)
    if number.type.width > bits:
        number = builder.trunc(number, kind)
    elif number.type.width < bits:
        number = builder.zext(number, kind)
    undefined = ir.Constant(_vector(bits, lanes), ir.Undefined)
    first = builder.insert_element(undefined, number, ir.Constant(_I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(_vector(32, lanes), [0] * lanes))


def _field(builder: Any, record: Any, kind: Any, name: str) -> Any:
    """The address of a record's field, as bytes."""
    base = builder.bitcast(record, ir.IntType(8).as_pointer())
    return builder.gep(base, [ir.Constant(_I64, kind.offset(name))])


def _row(builder: Any, state: Any, kind: Any, name: str, row: Any, element: ir.Type) -> Any:
    """The address of a row of a field, as a pointer to its vector."""
    start = builder.bitcast(_field(builder, state, kind, name), element.as_pointer())
    return builder.gep(start, [row], inbounds=True)


def _define_memory(
    load: Callable[..., Any], store: Callable[..., Any], name: str, bits_of: Callable[[Any], int]
) -> None:
    @_twin(load, lambda state, row: signature(LANES_OF[bits_of(state)], state, types.int64))
    def lower_load(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        vector = _vector(sig.return_type.bits)
        return builder.load(_row(builder, arguments[0], sig.args[0], name, arguments[1], vector), align=64)

    @_twin(store, lambda state, row, value: signature(types.none, state, types.int64, LANES_OF[bits_of(state)]))
    def lower_store(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        vector = _vector(sig.args[2].bits)
        builder.store(arguments[2], _row(builder, arguments[0], sig.args[0], name, arguments[1], vector), align=64)
        return context.get_dummy_value()


_define_memory(operations.load, operations.store, "rows", _row_bits)
_define_memory(operations.load_words, operations.store_words, "words", lambda state: 32)


@_twin(operations.load_mask, lambda state, row: signature(MASK, state, types.int64))
def _load_mask(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    number = builder.load(_row(builder, arguments[0], sig.args[0], "masks", arguments[1], _I64))
    return _mask_of_number(builder, number)


@_twin(operations.store_mask, lambda state, row, mask: signature(types.none, state, types.int64, MASK))
def _store_mask(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    number = _number_of_mask(builder, arguments[2])
    builder.store(number, _row(builder, arguments[0], sig.args[0], "masks", arguments[1], _I64))
    return context.get_dummy_value()


@_twin(operations.splat, lambda state, number: signature(LANES_OF[_row_bits(state)], state, types.int64))
def _splat_row(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return _splat(builder, arguments[1], sig.return_type.bits)


@_twin(operations.splat_words, lambda number: signature(WORDS, types.int64))
def _splat_words(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return _splat(builder, arguments[0], 32)


def _of_one_width(one: Any, other: Any) -> bool:
    return isinstance(one, LanesType) and one == other


@_twin(
    operations.select,
    lambda mask, chosen, other: signature(chosen, MASK, chosen, chosen) if _of_one_width(chosen, other) else None,
)
def _select(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return builder.select(_bits_of_mask(builder, arguments[0]), arguments[1], arguments[2])


def _define_pairs(function: Callable[..., Any], make: Callable[[Any, Any, Any], Any]) -> None:
    """A function of two vectors of one width."""

    def typer(one: Any, other: Any) -> Any:
        return signature(one, one, other) if _of_one_width(one, other) else None

    def lowering(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return make(builder, *arguments)

    _operator(function, typer, LanesType, LanesType)(lowering)


def _least(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.icmp_unsigned("<", one, other), one, other)


def _most(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.icmp_unsigned(">", one, other), one, other)


_define_pairs(operations.smaller, _least)
_define_pairs(operations.larger, _most)
_define_pairs(operator.add, lambda builder, one, other: builder.add(one, other))
_define_pairs(operator.sub, lambda builder, one, other: builder.sub(one, other))
_define_pairs(operator.mul, lambda builder, one, other: builder.mul(one, other))
_define_pairs(operator.and_, lambda builder, one, other: builder.and_(one, other))
_define_pairs(operator.or_, lambda builder, one, other: builder.or_(one, other))


def _define_shift(function: Callable[..., Any], make: Callable[[Any, Any, Any], Any]) -> None:
    def typer(value: Any, places: Any) -> Any:
        is_fit = isinstance(value, LanesType) and isinstance(places, types.Integer)
        return signature(value, value, types.int64) if is_fit else None

    def lowering(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return make(builder, arguments[0], _splat(builder, arguments[1], sig.args[0].bits))

    _operator(function, typer, LanesType, types.Integer)(lowering)


_define_shift(operator.rshift, lambda builder, value, places: builder.lshr(value, places))
_define_shift(operator.lshift, lambda builder, value, places: builder.shl(value, places))


def _define_comparison(function: Callable[..., Any], sign: str) -> None:
    def typer(one: Any, other: Any) -> Any:
        return signature(MASK, one, other) if _of_one_width(one, other) else None

    def lowering(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return _mask_of_bits(builder, builder.icmp_unsigned(sign, *arguments))

    _operator(function, typer, LanesType, LanesType)(lowering)


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
    def typer(one: Any, other: Any) -> Any:
        return signature(MASK, MASK, MASK) if one == other == MASK else None

    def lowering(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return make(builder, *arguments)

    _operator(function, typer, MaskType, MaskType)(lowering)


_define_mask_pairs(operator.and_, lambda builder, one, other: builder.and_(one, other))
_define_mask_pairs(operator.or_, lambda builder, one, other: builder.or_(one, other))


@_operator(operator.invert, lambda mask: signature(MASK, MASK) if mask == MASK else None, MaskType)
def _invert(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return builder.not_(arguments[0])


def _resized(builder: Any, value: Any, before: int, after: int) -> Any:
    if before < after:
        return builder.zext(value, _vector(after))
    return value if before == after else builder.trunc(value, _vector(after))


def _define_resize(function: Callable[..., Any], bits_of: Callable[[Any], int]) -> None:
    @_twin(function, lambda value: signature(LANES_OF[bits_of(value)], value) if isinstance(value, LanesType) else None)
    def lowering(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return _resized(builder, arguments[0], sig.args[0].bits, sig.return_type.bits)


_define_resize(operations.wide, lambda value: 2 * value.bits)
_define_resize(operations.widest, lambda value: 64)
_define_resize(operations.as_words, lambda value: 32)


@_twin(operations.as_row, lambda state, value: signature(LANES_OF[_row_bits(state)], state, value))
def _as_row(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return _resized(builder, arguments[1], sig.args[1].bits, sig.return_type.bits)


@_twin(operations.any_lane, lambda mask: signature(types.boolean, MASK))
def _any_lane(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return _is_anywhere(builder, arguments[0])


@_twin(operations.groups, lambda: signature(types.int64))
def _groups(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return ir.Constant(_I64, LANES // GROUP)


@_twin(operations.any_in_group, lambda mask, group: signature(types.boolean, MASK, types.int64))
def _any_in_group(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    number, group = _number_of_mask(builder, arguments[0]), arguments[1]
    lanes = builder.trunc(builder.lshr(number, builder.mul(group, ir.Constant(_I64, GROUP))), ir.IntType(GROUP))
    return builder.icmp_unsigned("!=", lanes, ir.Constant(lanes.type, 0))


@_twin(operations.no_lanes, lambda: signature(MASK))
def _no_lanes(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return _mask_of_number(builder, ir.Constant(_I64, 0))


@_twin(operations.one_lane, lambda lane: signature(MASK, types.int64))
def _one_lane(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return _mask_of_number(builder, builder.shl(ir.Constant(_I64, 1), arguments[0]))


@_twin(operations.first_lane, lambda mask: signature(types.int64, MASK))
def _first_lane(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return builder.cttz(_number_of_mask(builder, arguments[0]), ir.Constant(ir.IntType(1), 1))


@_twin(operations.count_lanes, lambda mask: signature(types.int64, MASK))
def _count_lanes(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return builder.ctpop(_number_of_mask(builder, arguments[0]))


@_twin(operations.look_up, lambda table, first, places: signature(places, table, types.int64, places))
def _look_up(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    table, first, places = arguments
    array = context.make_array(sig.args[0])(context, builder, table)
    start = builder.gep(array.data, [first])
    kind = ir.IntType(sig.return_type.bits)
    found = ir.Constant(_vector(sig.return_type.bits), ir.Undefined)
    for lane in range(LANES):
        place = builder.zext(builder.extract_element(places, ir.Constant(_I32, lane)), _I64)
        number = builder.trunc(builder.load(builder.gep(start, [place])), kind)
        found = builder.insert_element(found, number, ir.Constant(_I32, lane))
    return found


class _Blocks:
    """ChaCha8 blocks of a group of lanes, each with its own counter and stream."""

    kind = _vector(32, GROUP)

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def constant(self, value: int) -> ir.Constant:
        return ir.Constant(self.kind, [value] * GROUP)

    def rotate(self, value: Any, places: int) -> Any:
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


@_twin(
    operations.draw_words,
    lambda state, battle, into, low, tick, group: signature(types.none, state, battle, *[types.int64] * 4),
)
def _draw_words(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    state, battle, into, low, tick, group = arguments
    blocks = _Blocks(builder)
    words = builder.bitcast(_field(builder, state, sig.args[0], "words"), blocks.kind.as_pointer())

    def place(row: Any, ahead: int) -> Any:
        groups = ir.Constant(_I64, LANES // GROUP)
        at = builder.add(builder.mul(builder.add(row, ir.Constant(_I64, ahead)), groups), group)
        return builder.gep(words, [at])

    dice = sig.args[1].fields["dice"].type
    offset = sig.args[1].offset("dice") + dice.offset("key")
    base = builder.bitcast(battle, ir.IntType(8).as_pointer())
    key = builder.bitcast(builder.gep(base, [ir.Constant(_I64, offset)]), _I32.as_pointer())
    start = [blocks.constant(value) for value in CHACHA_CONSTANTS]
    start += [
        _splat(builder, builder.load(builder.gep(key, [ir.Constant(_I64, index)])), 32, GROUP) for index in range(8)
    ]
    start += [_splat(builder, low, 32, GROUP)]
    start += [builder.load(place(tick, ahead), align=GROUP * 4 if GROUP < 16 else 64) for ahead in range(3)]
    for row, value in enumerate(blocks.mixed(start)):
        builder.store(value, place(into, row), align=GROUP * 4 if GROUP < 16 else 64)
    return context.get_dummy_value()
