"""The player in several families of fonts, wide and narrow: nothing leaves the window in any of them."""

from __future__ import annotations

import pytest
from tests.helpers import soak
from tests.helpers.fonts import CHOSEN, browser_with
from tests.helpers.player_page import OUTSIDE, opened, resize

import fracas
from fracas.content.packs import examples_folder
from fracas.web.page import page_of

BATTLES = ("squads/standard-5v5", "stacks/siege-of-ashgate", "relics/full-shelf")


@pytest.mark.parametrize(("number", "name"), [*enumerate(CHOSEN)], ids=CHOSEN)
def test_the_player_fits_in_every_font(tmp_path, number, name):
    with browser_with(name, tmp_path) as browser, browser.hidden():
        for battle in BATTLES if soak.is_on() else [BATTLES[number % len(BATTLES)]]:
            page = tmp_path / "battle.html"
            page.write_text(page_of(fracas.run(fracas.load(examples_folder() / f"{battle}.toml"))), encoding="utf-8")
            assert opened(browser, page) == "verified"
            browser.ask("document.querySelectorAll('.story [data-event]')[12].click()")
            for width in (360, 1280):
                resize(browser, width, "light")
                assert browser.ask("document.documentElement.scrollWidth") <= width, battle
                assert browser.ask(OUTSIDE) == [], battle
