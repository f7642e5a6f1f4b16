"""The event log: bounded, and whatever does not fit is remembered."""

from __future__ import annotations

import numpy as np
import pytest

from fracas.kernel.event_log import COLUMNS, FULL, MISFIT, SOUND, emit, log_type

LOWEST, HIGHEST = -(2**31), 2**31 - 1


def new_log(capacity: int = 3):
    return np.zeros(1, log_type(capacity))[0]


def test_the_columns_are_those_of_the_event_contract():
    assert COLUMNS == ("tick", "kind", "actor", "target", "a", "b", "c", "d")


def test_a_row_holds_its_eight_numbers_in_order():
    log = new_log()
    emit(log, 1, 2, 3, 4, 5, 6, 7, 8)
    assert log.rows[0].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert log.rows.dtype == np.int32
    assert (log.count, log.fault) == (1, SOUND)


def test_a_full_log_keeps_what_it_has_and_remembers_the_overflow():
    log = new_log(2)
    for tick in range(2):
        emit(log, tick, 1, 0, 0, 0, 0, 0, 0)
    assert log.fault == SOUND
    emit(log, 2, 1, 0, 0, 0, 0, 0, 0)
    assert (log.count, log.fault) == (2, FULL)
    assert log.rows[:, 0].tolist() == [0, 1]


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("value", [LOWEST - 1, HIGHEST + 1, 2**40, -(2**40), 10**18, -(10**18)])
def test_a_number_beyond_32_bits_is_remembered_and_not_written(place, value):
    numbers = [0, 0, 0, 0]
    numbers[place] = value
    log = new_log()
    emit(log, 1, 2, 3, 4, *numbers)
    assert (log.count, log.fault) == (0, MISFIT)
    assert not log.rows.any()


@pytest.mark.parametrize("value", [LOWEST, -1, 0, HIGHEST])
def test_the_ends_of_32_bits_fit(value):
    log = new_log()
    emit(log, 1, 2, 3, 4, value, value, value, value)
    assert log.rows[0, 4:].tolist() == [value] * 4
    assert log.fault == SOUND


def test_a_fault_stays_after_a_sound_event():
    log = new_log()
    emit(log, 1, 2, 3, 4, 2**31, 0, 0, 0)
    emit(log, 1, 2, 3, 4, 0, 0, 0, 0)
    assert log.fault == MISFIT
