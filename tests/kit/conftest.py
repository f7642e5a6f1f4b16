"""Games of strangers: files outside this tree, written into temporary folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.helpers.stranger import Stranger

from fracas.kit import load


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that knows no game."""
    monkeypatch.delenv(load.VARIABLE, raising=False)
    with load.fresh():
        yield


@pytest.fixture
def stranger(tmp_path: Path, fresh: None) -> Stranger:
    """A folder with a game in one file, in a process that knows no other game."""
    return Stranger(tmp_path)
