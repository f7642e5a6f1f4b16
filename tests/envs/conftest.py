"""Environments are tested plain; test_batches.py compiles what it compares."""

import pytest


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")
