"""Every test begins without games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fracas.kit import load


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(load.VARIABLE, raising=False)
    with load.fresh():
        yield
