"""Packed records come back as they were, each time in an array of their own."""

from __future__ import annotations

import numpy as np
import pytest

from fracas.kernel.packed_records import BLOCK, packed
from fracas.kernel.records import record

KIND = record(("first", np.int64), ("many", np.int64, (3 * BLOCK,)), ("last", np.int64))


@pytest.mark.parametrize("places", [(), (0,), (BLOCK - 1, BLOCK), (2 * BLOCK + 7,), (3 * BLOCK - 1,)])
@pytest.mark.parametrize("last", [0, -1])
def test_they_come_back_as_they_were(places, last):
    records = np.zeros(2, KIND)
    records[1].last = last
    for place in places:
        records[0].many[place] = place + 1
    kept = packed(records)
    found = kept.unpacked()
    assert (found.dtype, found.shape, found.tobytes()) == (KIND, (2,), records.tobytes())
    assert kept.nbytes <= 8 * BLOCK * (len(places) + 1)


def test_nobody_changes_what_is_kept():
    records = np.ones(1, KIND)
    kept = packed(records)
    whole = records.tobytes()
    records[0].first = 7
    kept.unpacked()[0].first = 8
    assert kept.unpacked().tobytes() == whole
