"""Digests: blake3 over canonical rows, for the whole and for each tick."""

from __future__ import annotations

import numpy as np
from blake3 import blake3
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.helpers.scenarios import loaded

import fracas
from fracas.events.digest import canonical_bytes, digest, tick_digests

tables = st.integers(0, 12).flatmap(lambda rows: arrays(np.int32, (rows, 8), elements=st.integers(-(2**31), 2**31 - 1)))


def test_the_bytes_are_little_endian_rows():
    rows = np.array([[1, 2, -1, 0, 256, 0, 0, -(2**31)]], np.int32)
    assert canonical_bytes(rows).hex() == "0100000002000000ffffffff00000000000100000000000000000000" + "00000080"


@given(tables)
def test_the_digest_is_over_all_rows_whatever_their_layout(rows):
    assert digest(rows) == blake3(rows.astype("<i4").tobytes()).hexdigest()
    assert digest(np.asfortranarray(rows)) == digest(rows) == digest(rows.astype(">i4"))


@given(tables)
def test_a_ticks_digest_is_over_its_own_rows(rows):
    digests = tick_digests(rows)
    assert sorted(digests) == sorted(set(rows[:, 0].tolist()))
    for tick, value in digests.items():
        own = [row for row in rows.tolist() if row[0] == tick]
        assert value == digest(np.array(own, np.int32))


@given(tables.filter(len), st.integers(0, 7), st.integers(1, 2**31 - 1))
def test_any_changed_number_changes_the_digest(rows, column, by):
    other = rows.copy()
    other[0, column] ^= by
    assert digest(other) != digest(rows)


def test_a_battles_digests_are_those_of_its_rows():
    battle = fracas.run(loaded())
    assert battle.rows is not None
    assert battle.rows.dtype == np.int32
    assert battle.digest == digest(battle.rows)
    assert battle.tick_digests == tick_digests(battle.rows)
    assert list(battle.tick_digests) == list(range(battle.rounds + 1))
