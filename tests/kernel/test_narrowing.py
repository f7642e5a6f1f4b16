"""Records with shorter arrays and smaller numbers: what they keep, and how they lie in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fracas.kernel.narrowing import has_all_widths, keeps_numbers, narrow_copies, narrowed
from fracas.kernel.records import record

i64 = np.int64
span_t = record(("low", i64), ("high", i64))
skill_t = record(("cost", i64), ("span", span_t), ("spans", span_t, (3,)), ("factor", np.float64))
wide_t = record(
    ("hp", i64), ("order", i64, (5,)), ("span", span_t), ("skills", skill_t, (4,)), ("tables", np.uint16, (8,))
)
LENGTHS = {"order": 3, "skills": 2, "skills.spans": 1}


def filled() -> Any:
    records = np.zeros(1, wide_t)
    one = records[0]
    one.hp, one.order[:], one.tables[:] = 7, range(5), 60_000
    one.span.low = 3
    for place, skill in enumerate(one.skills):
        skill.cost, skill.factor, skill.span.high, skill.spans["low"][:] = place, 0.5, -place, 9
    return records


def test_small_numbers_take_what_they_need_and_keep_their_values() -> None:
    short = narrowed(wide_t, LENGTHS)
    small = narrowed(wide_t, LENGTHS, {"order": np.int16, "skills": np.int16, "skills.span": np.int32})
    assert short["skills"].base.itemsize == 48
    assert small["skills"].base["span"].itemsize == 8
    assert small["skills"].base["factor"] == np.float64
    assert small["tables"].base == np.uint16
    assert small["hp"] == i64
    copy = narrow_copies(filled(), small)[0]
    assert (copy.hp, copy.order.tolist(), copy.span.low, copy.tables[0]) == (7, [0, 1, 2], 3, 60_000)
    assert [(one.cost, one.factor, one.span.high, one.spans[0].low) for one in copy.skills] == [
        (0, 0.5, 0, 9),
        (1, 0.5, -1, 9),
    ]


def test_records_lie_at_multiples_of_eight_bytes() -> None:
    """Compiled code loads aligned numbers."""
    small = narrowed(wide_t, {"order": 3}, {"order": np.int16, "skills.cost": np.int16})
    assert small.isalignedstruct
    fields, inner = small.fields, small["skills"].base.fields
    assert fields is not None
    assert inner is not None
    assert [fields[name][1] % 8 for name in ("span", "skills")] == [0, 0]
    assert inner["span"][1] == 8
    assert small.itemsize % 8 == small["skills"].base.itemsize % 8 == 0


@pytest.mark.parametrize(("value", "is_kept"), [(2**15 - 1, True), (2**15, False), (-(2**15), True), (-40_000, False)])
def test_numbers_that_do_not_fit_are_found(value: int, is_kept: bool) -> None:
    small = narrowed(wide_t, LENGTHS, {"skills": np.int16})
    records = filled()
    records[0].skills[1].spans[0].high = value
    assert keeps_numbers(records, small) == is_kept
    records = filled()
    records[0].skills[2].cost = value
    assert keeps_numbers(records, small), "it is beyond the end"


def test_widths_are_compared_with_the_whole_record() -> None:
    assert has_all_widths(wide_t, wide_t)
    assert has_all_widths(narrowed(wide_t, LENGTHS), wide_t)
    for path in ("hp", "order", "skills", "skills.span", "skills.spans.low"):
        assert not has_all_widths(narrowed(wide_t, LENGTHS, {path: np.int32}), wide_t)
