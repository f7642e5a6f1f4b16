"""Records: names that can be attributes, widths that stay aligned."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from fracas.kernel.records import record
from fracas.rulesets import registry


@pytest.mark.parametrize(
    "name", ["round", "min", "max", "size", "copy", "T", "data", "sum", "shape", "item", "real", "any"]
)
def test_a_field_may_not_hide_behind_an_attribute_of_an_array(name):
    with pytest.raises(ValueError, match=f"'{name}' hides behind"):
        record((name, np.int64))


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int16, np.int8, np.bool_, np.float32])
def test_a_field_is_eight_bytes_wide(kind):
    with pytest.raises(ValueError, match="not a multiple of 8"):
        record(("value", kind))


@pytest.mark.parametrize("length", [1, 3, 7])
def test_an_odd_array_of_uint32_is_refused(length):
    with pytest.raises(ValueError, match="not a multiple of 8"):
        record(("words", np.uint32, (length,)))


@pytest.mark.parametrize("shape", [(2,), (8,), (3, 2), (5, 8)])
def test_an_even_array_of_uint32_is_accepted(shape):
    assert record(("words", np.uint32, shape)).itemsize == 4 * int(np.prod(shape))


def test_integers_and_doubles_are_accepted():
    assert record(("hp", np.int64), ("position", np.float64)).names == ("hp", "position")


def test_nested_records_are_reached_by_attribute_and_written_in_place():
    unit_t = record(("hp", np.int64), ("words", np.uint32, (2,)))
    battle_t = record(("tick", np.int64), ("units", unit_t, (3,)), ("leader", unit_t))
    battles = np.zeros(1, battle_t)
    battle = battles[0]
    battle.units[1].hp = 7
    battle.leader.hp += 2
    assert battles[0]["units"]["hp"].tolist() == [0, 7, 0]
    assert battles[0]["leader"]["hp"] == 2


def test_a_record_has_its_fields_as_attributes_and_no_others():
    battle = np.zeros(1, record(("tick", np.int64), ("words", np.uint32, (2,))))[0]
    battle.words[1] = 3
    battle.words = battle.words + 1
    assert battle["words"].tolist() == [1, 4]
    with pytest.raises(AttributeError):
        _ = battle.tock
    with pytest.raises(AttributeError):
        battle.tock = 1


@pytest.mark.parametrize("reach", [lambda battle: battle.leader, lambda battle: battle["leader"]])
def test_what_is_nested_has_the_attributes_of_its_own_type(reach):
    # The same name lies in another place.
    battle_t = record(("side", np.int64), ("leader", record(("hp", np.int64), ("side", np.int64))))
    battles = np.zeros(1, battle_t)
    reach(battles[0]).side = 5
    assert battles[0].side == 0
    assert battles["leader"]["side"].tolist() == [5]


@pytest.mark.parametrize("name", registry.NAMES)
def test_attributes_are_the_fields(name):
    """Every place of a battle record holds another number; an attribute has those of its field's place in memory."""
    kind = import_module(f"fracas.rulesets.{name}.rules.state").battle_t
    memory = np.arange(kind.itemsize // 8, dtype=np.int64)

    def compare(row: Any, first: int) -> None:
        for field, (each, offset, *_) in row.dtype.fields.items():
            value, place = getattr(row, field), first + offset
            if isinstance(value, np.void):
                compare(value, place)
            elif value.dtype.names:
                compare(value.flat[-1], place + each.itemsize - value.dtype.itemsize)
            else:
                assert value.tobytes() == memory.tobytes()[place : place + each.itemsize], field
                assert not isinstance(value, np.ndarray) or np.shares_memory(value, memory)

    compare(memory.view(kind)[0], 0)


@pytest.mark.parametrize(("width", "size"), [(0, 24), (24, 24), (32, 32), (8, 24)])
def test_a_record_is_as_wide_as_is_wanted_if_that_is_enough(width, size):
    unit_t = record(("hp", np.int64), ("words", np.uint32, (4,)), width=width)
    battles = np.zeros(1, record(("units", unit_t, (2,)), ("tick", np.int64)))
    battles[0].units[1].hp = 5
    assert unit_t.itemsize == size
    assert battles.view(np.int64).tolist().index(5) == size // 8
    assert battles.dtype.itemsize == 2 * size + 8
    # Nothing lies between fields, where copies would be left as they are.
    assert np.concatenate([battles, battles]).dtype == battles.dtype


def test_every_field_of_a_nested_record_starts_at_a_multiple_of_eight():
    unit_t = record(("hp", np.int64), ("words", np.uint32, (2,)))
    battle_t = record(("rows", np.int32, (5, 8)), ("units", unit_t, (3,)), ("tick", np.int64))
    assert battle_t.fields is not None
    assert all(field[1] % 8 == 0 for field in battle_t.fields.values())
    assert battle_t.itemsize == 160 + 48 + 8
