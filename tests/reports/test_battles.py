"""The battles of a report: which they are, and that they play on its page."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest
from tests.helpers.axe import violations
from tests.helpers.browser import until
from tests.helpers.pages import references
from tests.helpers.player_page import CAPTION, END, NOW, OUTSIDE, VERDICT, checked, linked, press, resize

import fracas
from fracas.content.packs import examples_folder

DUEL = examples_folder() / "titans" / "standard.toml"
OPEN = "[...document.querySelectorAll('details.watch')].map(each => each.open)"
HERE = "document.querySelector('details.watch[open] .battle')"


@pytest.fixture(scope="module")
def report():
    return fracas.report([DUEL], n=300)


@pytest.fixture(scope="module")
def page(report, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    report.save(path)
    return path


def test_it_shows_the_typical_battle_a_luckiest_win_of_each_side_and_the_turning_point(report):
    told = report.as_json()["battles"]
    assert [(each["kind"], each["side"]) for each in told] == [
        ("typical", None),
        ("luckiest", 1),
        ("luckiest", 2),
        ("turning_point", None),
    ]
    for each in told[1:3]:
        assert fracas.run(DUEL, stream=each["stream"]).winner == each["side"]
        assert re.search(r"odds were \d+\.\d% \(95% .*\) in round \d+, the lowest in 16 wins", each["told"])
    # The turning point is the one that the report's explanation tells.
    (sentence,) = [each for each in report.summary if "The turning point is" in each]
    assert sentence.startswith(f"In battle {told[3]['stream']} of ")
    assert f"The turning point is round {told[3]['tick']}," in sentence


def test_the_module_is_there_once_and_only_of_the_ruleset(report):
    text = report.html
    assert text.count('id="module-') == text.count('id="module-titans"') == 1
    assert text.count('id="layout-') == 1
    assert text.count('<article class="battle"') == text.count('<details class="watch"') == 4
    assert len(text.encode()) < 1_500_000
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0]
    assert "script-src &#39;sha256-" in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2]
    assert references(re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)) == []


def test_without_scripts_each_battle_has_its_outcome_and_story(report):
    text = re.sub(r"<script.*?</script>", "", report.html, flags=re.DOTALL)
    for each in report.content.watched:
        assert each.battle.lines()[-1].text.split()[-1] in text
    assert text.count('class="outcome"') == 4


def test_one_click_opens_a_battle_and_plays_it(browser, page, report):
    browser.show(page, 1280, "light")
    assert browser.ask("document.querySelectorAll('.stage').length") == 0
    for number, each in enumerate(report.content.watched):
        browser.ask(f"document.querySelectorAll('details.watch > summary')[{number}].click()")
        until(partial(browser.ask, f"document.querySelectorAll('details.watch')[{number}].open"))
        assert browser.ask(OPEN).count(True) == 1
        until(partial(browser.ask, f"{HERE}.querySelector('.verdict').dataset.state === 'verified'"))
        assert each.battle.digest in browser.ask(f"{HERE}.querySelector('.verdict').textContent")
    assert report.content.watched[3].moment is not None
    turning = browser.ask(f"{HERE}.querySelector('.caption').textContent")
    assert turning.startswith(f"Round {report.content.watched[3].moment}")
    assert "odds" in browser.ask(f"{HERE}.querySelector('.turning').title")
    assert browser.complaints() == []
    assert {address for address in browser.requests() if not address.startswith("blob:")} == {page.as_uri()}


def test_keys_belong_to_the_battle_that_has_the_focus_and_links_lead_into_it(browser, page):
    browser.show(f"{page.as_uri()}#battle-1", 1280, "light")
    assert checked(browser) == "verified"
    start = browser.ask(NOW)
    press(browser, "End")
    assert browser.ask(NOW) == start
    browser.ask("document.querySelector('.play').focus()")
    press(browser, "End")
    assert browser.ask(NOW) == pytest.approx(browser.ask(END), abs=0.02)
    press(browser, "ArrowLeft")
    there, link = browser.ask(CAPTION), linked(browser)
    assert link.startswith("#battle-1&t=")
    browser.show("about:blank", 1280, "light")
    browser.show(f"{page.as_uri()}{link}", 1280, "light")
    until(lambda: browser.ask("document.querySelector('.caption') !== null"))
    assert browser.ask(CAPTION) == there
    assert checked(browser) == "verified"
    assert "digest" in browser.ask(VERDICT)


def test_a_report_with_an_open_battle_is_clean(browser, page):
    browser.show(f"{page.as_uri()}#battle-4", 1280, "light")
    assert checked(browser) == "verified"
    for scheme in ("light", "dark"):
        resize(browser, 1280, scheme)
        until(lambda: browser.ask("document.getAnimations().length") == 0)
        assert violations(browser) == []
        resize(browser, 360, scheme)
        assert browser.ask("document.documentElement.scrollWidth") <= 360
        until(lambda: browser.ask(OUTSIDE) == [])


def test_a_tampered_battle_of_a_report_is_found(browser, page, tmp_path):
    text = page.read_text(encoding="utf-8")
    head, mark, rest = text.partition('class="rows">')
    rows = json.loads(rest.partition("</script>")[0])
    rows[8 * 6 + 5] += 1
    changed = tmp_path / "changed.html"
    changed.write_text(f"{head}{mark}{json.dumps(rows)}</script>{rest.partition('</script>')[2]}", encoding="utf-8")
    browser.show(f"{changed.as_uri()}#battle-1", 1280, "light")
    assert checked(browser) == "differs"
