"""These tests play plain: what is compiled must be the same, and tests/modes says that it is."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def plain_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")
