"""A battle on the web hides its result until it is reached; the cards before and after it; what its buttons do.

Needs Chromium (tests/helpers/browser.py). Without one these tests are skipped and say so. One page is opened
once, and looked at in the order of somebody who watches.
"""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.helpers.axe import violations
from tests.helpers.browser import until
from tests.helpers.player_page import END, KEEP_FILES, NOW, checked, opened, press

import fracas
from fracas.content.packs import examples_folder
from fracas.lab.explain.why import why
from fracas.web.page import page_of

VISIBLE = "document.body.innerText"
LINES = "[...document.querySelectorAll('.story li')].filter(each => !each.hidden).length"
COVER = "document.querySelector('.cover').hidden ? '' : document.querySelector('.cover').dataset.kind"
CARD = "document.querySelector('.cover').innerText"
DISABLED = "document.querySelector('[aria-label^=\"To the turning point\"]').disabled"
MARKS = "document.querySelectorAll('.marks-of-ribbon button').length"
TOLD = "document.querySelector('.scrub').getAttribute('aria-valuetext')"
SAID = "document.querySelector('.said').textContent"


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder without a word."""

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def served(tmp_path):
    """A short battle of squads, whose odds are soon found, and the address of its page."""
    battle = fracas.run(fracas.load(examples_folder() / "squads" / "first-battle.toml"))
    (tmp_path / "battle.html").write_text(page_of(battle), encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield battle, f"http://127.0.0.1:{server.server_port}/battle.html"
    server.shutdown()
    server.server_close()


def click(browser, text: str) -> None:
    """Click a button of the card by its text."""
    browser.ask(f"[...document.querySelectorAll('.cover button')].find(each => each.textContent === '{text}').click()")


def test_a_battle_on_the_web_is_watched_from_its_title_to_its_end(browser, served, tmp_path):
    battle, address = served
    browser.show(address, 1280, "light")
    assert checked(browser) == "verified"
    until(lambda: browser.ask("document.querySelector('.chart').dataset.odds") == "found")
    # The title; nothing of the result, not even how long the battle is.
    assert browser.ask(COVER) == "title"
    assert "3 against 3" in browser.ask(CARD)
    whole = browser.ask("document.querySelectorAll('.story li').length")
    assert "Victory" not in browser.ask(VISIBLE)
    assert browser.ask("document.querySelector('.result').hidden")
    assert browser.ask(LINES) < 10
    assert browser.ask(f"{END} < 6")
    assert browser.ask(DISABLED)
    assert browser.ask(MARKS) == 0
    assert " of " not in browser.ask(TOLD)
    assert violations(browser, is_whole=True) == []
    # In the middle there is what was seen, and now is never beyond seven tenths of the ribbon.
    for _ in range(20):
        press(browser, "ArrowRight")
    assert browser.ask(COVER) == ""
    assert 10 < browser.ask(LINES) < whole / 2
    assert browser.ask(f"{NOW} / {END}") <= 0.72
    browser.ask("document.querySelector('.scrub').value = document.querySelector('.scrub').max")
    browser.ask("document.querySelector('.scrub').dispatchEvent(new Event('input'))")
    assert browser.ask(f"{NOW} / {END}") <= 0.72
    assert "Victory" not in browser.ask(VISIBLE)
    press(browser, "f")
    assert "falls" in browser.ask("document.querySelector('.unseen[role=status]').textContent")
    # At the end everything is there: who won, and where the odds fell, as `why` says.
    press(browser, "End")
    assert browser.ask(COVER) == "end"
    assert not browser.ask("document.querySelector('.result').hidden")
    assert browser.ask(LINES) == whole
    until(lambda: "Turning point" in browser.ask(CARD) and not browser.ask(DISABLED))
    found = why(battle.scenario, 0)
    turning, costliest = found.turning_point, max(found.decisions, key=lambda each: each.cost)
    assert turning is not None
    until(lambda: browser.ask(MARKS) == 3)
    told = browser.ask("document.querySelector('.marks-of-ribbon .decision').title")
    assert f"{costliest.unit} chose {costliest.chosen}; {costliest.best} would have added" in told
    assert f"{100 * costliest.cost:.1f} points" in told
    assert costliest.place.capitalize() in told
    until(lambda: f"{100 * turning.before:.1f} % → {100 * turning.after:.1f} %" in browser.ask(CARD))
    card = browser.ask(CARD)
    assert turning.place.capitalize() in card
    assert "Best unit" in card
    assert "Luck" in card
    assert violations(browser) == []
    # What one takes along.
    click(browser, "Share")
    until(lambda: browser.ask(SAID) == "The link to this moment is copied." or "#t=" in browser.ask(SAID))
    click(browser, "Embed")
    until(lambda: f'<iframe src="{address}"' in browser.ask(SAID))
    click(browser, "Still")
    until(lambda: browser.ask(SAID).startswith("The picture is saved"))
    browser.ask(KEEP_FILES)
    click(browser, "Save as one file")
    until(lambda: browser.ask(SAID) == "The page is saved as one file.")
    saved = until(lambda: browser.ask("window.saved"))
    # The turning point, which may be seen now; then sound, which is off until somebody wants it.
    press(browser, "t")
    assert browser.ask("document.querySelector('.caption').textContent").startswith(turning.place.capitalize())
    sound = "document.querySelector('[aria-label^=Sound]').getAttribute('aria-pressed')"
    assert browser.ask(sound) == "false"
    press(browser, "s")
    assert browser.ask(sound) == "true"
    assert browser.ask("localStorage.getItem('fracas-sound')") == "on"
    press(browser, "s")
    # A link to a moment hides nothing.
    browser.visit(f"{address}#t=12.3")
    until(lambda: browser.ask("document.querySelector('.battle[data-script]') !== null"))
    assert browser.ask(COVER) == ""
    assert not browser.ask("document.querySelector('.result').hidden")
    assert browser.complaints() == []
    # The file that was saved shows and checks the same battle.
    (tmp_path / "saved.html").write_text(saved, encoding="utf-8")
    assert opened(browser, tmp_path / "saved.html") == "verified"
