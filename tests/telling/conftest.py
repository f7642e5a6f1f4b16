"""Told are single battles, which are soonest played plain."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def plain_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")
