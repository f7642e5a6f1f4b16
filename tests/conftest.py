"""What every folder of tests may use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.helpers import browser as browsers


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Browser]:
    """One browser for all tests of a process that show pages; each opens its own page."""
    program = browsers.found()
    assert program is not None, "tests that take this fixture are skipped where there is no browser"
    started = browsers.Browser(program, tmp_path_factory.mktemp("profile"))
    yield started
    started.close()
