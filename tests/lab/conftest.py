"""What tests of the lab share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.helpers.presses import pressed


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Python's own reaction to Ctrl-C, which whatever runs the tests may have replaced."""
    with pressed():
        yield
