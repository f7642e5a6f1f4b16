from __future__ import annotations

from functools import partial

import pytest
from tests.helpers.commands import Command, call


@pytest.fixture
def fracas_cli(capsys, monkeypatch) -> Command:
    """Run the command line in this process."""
    monkeypatch.delenv("FRACAS_DEBUG", raising=False)
    return partial(call, capsys)
