"""What several folders of tests share."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from tests.helpers import browser as browsers

from fracas.kit import load

# A worker takes one file at a time, so a long one that begins last keeps the check waiting for it alone.
LONGEST_FILES = (
    "tests/docs/test_docs.py",
    "tests/server/tables/test_talk.py",
    "tests/server/pages/test_browser.py",
    "tests/gamecheck/test_random_games.py",
    "tests/server/live/test_examples.py",
    "tests/web/test_truth.py",
    "tests/server/pages/test_table_browser.py",
    "tests/web/test_browser.py",
    "tests/contract/test_every_ruleset.py",
    "tests/studio/test_browser.py",
    "tests/gamecheck/test_planted_faults.py",
    "tests/kit/test_decided_modules.py",
    "tests/gamecheck/test_examples.py",
    "tests/frozen/test_frozen.py",
    "tests/client/test_tables.py",
    "tests/rules/stacks/content/test_move_types.py",
    "tests/web/test_games.py",
    "tests/reports/test_page.py",
    "tests/reports/test_battles.py",
    "tests/cluster/test_killed.py",
    "tests/kit/test_declared_games.py",
    "tests/kit/test_strategies.py",
    "tests/web/test_stage.py",
    "tests/reports/test_browser.py",
    "tests/javascript/test_same_battles.py",
    "tests/site/test_browser.py",
    "tests/server/tables/test_bundles.py",
    "tests/server/jobs/test_resume.py",
    "tests/server/jobs/test_jobs.py",
    "tests/envs/agents/test_card.py",
    "tests/cli/test_help.py",
    "tests/cli/measure/test_report.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    rank = {file: index for index, file in enumerate(LONGEST_FILES)}
    gone = [file for file in LONGEST_FILES if not (Path(__file__).parent.parent / file).is_file()]
    if gone:
        raise pytest.UsageError(f"tests/conftest.py: LONGEST_FILES names {', '.join(gone)}, which is not there")
    items.sort(key=lambda item: rank.get(item.nodeid.partition("::")[0], len(rank)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are read, and none of them later: searching thousands took a tenth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        gc.enable()


@pytest.fixture(scope="module", autouse=True)
def games_of_this_file() -> Iterator[None]:
    """A file begins without games of one's own and leaves none behind: whoever lists all rulesets would list them."""
    with load.fresh():
        yield


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Browser]:
    """A real browser, one for the whole session."""
    program = browsers.found()
    if program is None:
        pytest.skip(browsers.MISSING)
    started = browsers.Browser(program, tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


@pytest.fixture
def unwatched(browser: browsers.Browser) -> Iterator[None]:
    """Pages of this test are looked at only once it says so: odds and decisions would take most of its time."""
    with browser.hidden():
        yield
