"""The page of a bundle, opened from disk in a real browser: it plays the battle again, by itself.

Needs Chromium (tests/helpers/browser.py). Without one these tests are skipped and say so; what Node plays with
the same file is then still compared by test_same_battles.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.helpers import browser as browsers
from tests.helpers import soak
from tests.helpers.browser import until
from tests.helpers.scenarios import STANDARD

import fracas
from fracas.content.packs import examples_folder
from fracas.replay.bundle_file import bundle_of, seal_of
from fracas.replay.bundle_page import page_of
from fracas.replay.load_battle import load_saved_battle
from fracas.rulesets import registry

STATE = "document.getElementById('verdict').dataset.state"
VERDICT = "document.getElementById('verdict').textContent"
FACTS = (
    "Object.fromEntries([...document.querySelectorAll('#facts tr')].map(row => [...row.children]"
    ".map(cell => cell.textContent)))"
)
ODDS = "document.getElementById('odds').textContent"
PROGRESS = "document.getElementById('progress').value"


def opened(browser: browsers.Browser, page: Path) -> str:
    """Open a page from disk; what it comes to."""
    browser.show(page, 800, "light")
    return str(until(lambda: (state := browser.ask(STATE)) != "playing" and state))


def workers(browser: browsers.Browser) -> int:
    """How many workers the browser runs."""
    targets = browser.send("Target.getTargets", filter=[{}])["targetInfos"]
    return sum(target["type"] == "worker" for target in targets)


@pytest.mark.parametrize("name", soak.some(registry.NAMES, 2))
def test_a_saved_battle_has_the_digest_of_verify(browser, name, tmp_path):
    saved, page = tmp_path / "battle.json", tmp_path / "battle.html"
    fracas.run(fracas.load(examples_folder() / name / f"{STANDARD[name]}.toml"), stream=1).save(saved)
    battle = load_saved_battle(saved, {})
    assert battle is not None
    page.write_text(page_of(bundle_of(battle)), encoding="utf-8")
    assert opened(browser, page) == "verified"
    assert browser.ask(VERDICT) == "Verified on this device."
    facts = browser.ask(FACTS)
    assert facts["Digest here"] == fracas.verify(saved).battle.digest
    assert facts["Events"] == f"{len(battle.events):,}"
    assert {address for address in browser.requests() if not address.startswith("blob:")} == {page.as_uri()}
    assert browser.complaints() == []


def test_an_edited_bundle_is_refused_and_a_forged_one_differs(browser, tmp_path):
    bundle = bundle_of(fracas.run(fracas.load(examples_folder() / "squads" / "first-battle.toml")))
    text = page_of(bundle)
    page = tmp_path / "edited.html"
    page.write_text(text.replace('"event_count":', '"event_count":1'), encoding="utf-8")
    assert opened(browser, page) == "refused"
    assert "its seal does not match" in browser.ask(VERDICT)
    forged = json.loads(text.partition('id="bundle">')[2].partition("</script>")[0])
    forged["tick_digests"][3][1] = "0" * 64
    forged["seal"] = seal_of(forged)
    for old, new in ((bundle.tick_digests[3][1], "0" * 64), (bundle.seal, forged["seal"])):
        assert text.count(old) == 1
        text = text.replace(old, new)
    page.write_text(text, encoding="utf-8")
    assert opened(browser, page) == "differs"
    assert "tick 3" in browser.ask(VERDICT)


def test_what_strangers_wrote_stays_text(browser, tmp_path):
    document = fracas.load(examples_folder() / "squads" / "first-battle.toml").document
    document["id"] = "</script><img src=x onerror=document.body.remove()>"
    document["sides"][0]["name"] = "<b>@@library@@</b>"
    page = tmp_path / "strange.html"
    page.write_text(page_of(bundle_of(fracas.run(fracas.load(document)))), encoding="utf-8")
    assert opened(browser, page) == "verified"
    assert "</script><img" in browser.ask(FACTS)["Battle"]
    assert browser.ask("document.querySelectorAll('img, b').length") == 0
    assert browser.ask("document.querySelector('h1').textContent").startswith("<b>@@library@@</b>")


def test_odds_are_those_of_python_and_a_run_of_ten_million_can_be_stopped(browser, tmp_path):
    scenario = fracas.load(examples_folder() / "squads" / "first-battle.toml")
    page = tmp_path / "battle.html"
    page.write_text(page_of(bundle_of(fracas.run(scenario))), encoding="utf-8")
    assert opened(browser, page) == "verified"
    browser.ask("document.getElementById('count').value = 500; document.getElementById('play').click()")
    told = until(lambda: browser.ask(ODDS))
    share = fracas.simulate(scenario, 500).wins[0] / 500
    assert told.startswith("500 battles: ")
    assert f"wins {100 * share:.1f} %" in told
    waiting = workers(browser)
    assert waiting >= 1
    browser.ask("document.getElementById('count').value = 1e7; document.getElementById('play').click()")
    until(lambda: 0 < browser.ask(PROGRESS) < 1)
    assert workers(browser) >= waiting
    browser.ask("document.getElementById('stop').click()")
    assert until(lambda: browser.ask(ODDS)) == "Stopped; the workers are free."
    until(lambda: workers(browser) == 0)
    assert browser.complaints() == []
