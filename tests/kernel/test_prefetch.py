"""What is loaded early: the fields before the one named, and the dice without their words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fracas.kernel.dice import dice_t
from fracas.kernel.jit import enable
from fracas.kernel.prefetch import prefetch
from fracas.kernel.records import record

RECORD = record(
    ("hp", np.int64, (9,)), ("units", np.int64, (16,)), ("cold", np.int64, (64,)), ("dice", dice_t), ("rest", np.int64)
)


def test_plain_python_loads_nothing() -> None:
    records = np.ones(2, np.int64)
    prefetch(records, 1, "units")
    assert records.tolist() == [1, 1]


@pytest.mark.parametrize(("last", "end"), [("hp", 72), ("units", 200)])
def test_every_hot_byte_is_in_a_line_and_no_word_of_the_dice(last: str, end: int) -> None:
    numba = enable()
    from fracas.kernel.prefetch_native import LINE, lines_of

    assert RECORD.fields is not None
    assert dice_t.fields is not None
    dice = RECORD.fields["dice"][1]
    words = dice + dice_t.fields["words"][1]
    loaded = {byte for line in lines_of(numba.from_dtype(RECORD), last) for byte in range(line, line + LINE)}
    assert {*range(end), *range(dice, words)} <= loaded
    assert not loaded & {*range(end + LINE, dice - LINE), *range(words + LINE, RECORD.itemsize)}


def test_compiled_code_loads_and_changes_nothing() -> None:
    numba = enable()

    def hint(records: Any) -> None:
        prefetch(records, 1, "units")

    load = numba.njit(hint)
    records = np.zeros(2, RECORD)
    load(records)
    assert "llvm.prefetch" in next(iter(load.inspect_llvm().values()))
    assert not records.view(np.uint8).any()
