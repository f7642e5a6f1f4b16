"""What several folders of tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.helpers import browser as browsers


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Browser]:
    """A real browser, one for the whole session."""
    program = browsers.found()
    if program is None:
        pytest.skip("NO BROWSER: pages are not tested on this machine (apt-get install chromium)")
    started = browsers.Browser(program, tmp_path_factory.mktemp("profile"))
    yield started
    started.close()
