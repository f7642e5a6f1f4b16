"""In place of the plain mode of the other tests of rules: these play as a user's machine does."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def plain_mode() -> None:
    """Nothing is set."""
