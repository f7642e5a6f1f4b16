"""Shipped examples in a real browser: verified, its last frame the result, and a link that leads back there."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.helpers import soak
from tests.helpers.browser import until
from tests.helpers.player_page import CAPTION, END, HP, NOW, linked, opened, press

import fracas
from fracas.content.packs import examples_folder
from fracas.rulesets import registry
from fracas.web.battle import outcome_of
from fracas.web.page import page_of

pytestmark = pytest.mark.usefixtures("unwatched")


def is_at(browser, caption: str) -> bool:
    """Whether the page shows a moment."""
    return bool(browser.ask(CAPTION) == caption)


def examples() -> list[Path]:
    """A shipped scenario of each ruleset; in a soak all of them. Node plays more (test_frames.py)."""
    every = [sorted((examples_folder() / name).glob("*.toml")) for name in registry.NAMES]
    return [file for files in every for file in soak.some(files, 1)]


@pytest.mark.parametrize("file", examples(), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_an_example_is_verified_and_its_last_frame_is_its_result(browser, tmp_path, file):
    battle = fracas.run(fracas.load(file))
    page = tmp_path / "battle.html"
    page.write_text(page_of(battle), encoding="utf-8")
    assert opened(browser, page) == "verified"
    press(browser, "End")
    assert browser.ask(NOW) == pytest.approx(browser.ask(END), abs=0.02)
    assert browser.ask(HP) == [max(0, hp) for hp in battle.hp_left]
    # As the headline has it, in which whoever fell has a name.
    assert outcome_of(battle).partition(": ")[2] in browser.ask(CAPTION)
    there, link = browser.ask(CAPTION), linked(browser)
    press(browser, "Home")
    linked(browser)
    browser.ask(f"location.hash = '{link}'")
    until(partial(is_at, browser, there))
    assert {address for address in browser.requests() if not address.startswith("blob:")} <= {
        page.as_uri(),
        browser.ask("location.href"),
    }
    assert browser.complaints() == []
