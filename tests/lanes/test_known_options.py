"""An option that lanes do not know keeps them away unless it is 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from fracas.lanes.known_options import options_beyond

OPTIONS = np.dtype([("round_cap", np.int64), ("haste", np.int64), ("mercy", np.int64)])


def options(**given: int) -> Any:
    record = np.zeros(1, OPTIONS).view(np.recarray)[0]
    for name, value in given.items():
        record[name] = value
    return record


def test_only_unknown_options_that_are_not_0_count() -> None:
    beyond = options_beyond(OPTIONS, ["round_cap", "haste"])
    assert not beyond(options(round_cap=30, haste=1))
    assert beyond(options(round_cap=30, mercy=1))


def test_without_unknown_options_there_is_nothing_to_ask() -> None:
    assert not options_beyond(OPTIONS, OPTIONS.names or ())(options(haste=1))
