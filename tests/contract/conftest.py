"""These tests bend no rule, so they play compiled what is in the cache: tests/modes says that it is the same."""

from __future__ import annotations

import pytest
from tests.helpers.compiled import quickest


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", quickest())
