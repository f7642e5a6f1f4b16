"""A thread that works for long sleeps while the event loop is late, and never else."""

from __future__ import annotations

import math
import time

import pytest

from fracas.server import give_way


@pytest.mark.parametrize(
    ("late", "sleeps"), [(-1.0, 0), (0.0, 0), (0.005, 1), (give_way.LONGEST_SECONDS + 1, 0), (-math.inf, 0)]
)
def test_who_gives_way(monkeypatch: pytest.MonkeyPatch, late: float, sleeps: int):
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    give_way.expect(100.0 - late)
    try:
        give_way.give_way()
    finally:
        give_way.expect(math.inf)
    assert slept == [give_way.PAUSE_SECONDS] * sleeps
