"""axe-core in the browser of the tests: what it finds against a page. It is vendored whole, for tests only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.helpers.browser import Browser

FOLDER = Path(__file__).parents[1] / "vendor" / "axe-core"
# Lines of a story are alike: the first ones stand for all. Whoever runs this for hours takes every line.
SAMPLE = "[...document.querySelectorAll('.story li:nth-child(n+40)')].map(each => each.remove())"
RUN = """
axe.run(document, {preload: false, resultTypes: ['violations']})
  .then(found => found.violations.map(({id, nodes}) =>
    `${id}: ${nodes.slice(0, 3).map(each => each.html.slice(0, 120)).join(' | ')}`))
"""


def violations(browser: Browser, is_whole: bool = False) -> list[str]:
    """Each rule that the shown page breaks, with where it does so first."""
    if not browser.ask("typeof axe !== 'undefined'"):
        browser.ask((FOLDER / "axe.min.js").read_text(encoding="utf-8"))
    if not is_whole:
        browser.ask(SAMPLE)
    found: Any = browser.ask(RUN, waits=True)
    return list(found)
