"""The battles of a report: which they are, and that they play on its page."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

import pytest
from tests.helpers import soak
from tests.helpers.axe import violations
from tests.helpers.browser import until
from tests.helpers.pages import references
from tests.helpers.player_page import CAPTION, END, NOW, OUTSIDE, VERDICT, checked, linked, press, resize
from tests.web.test_truth import APART, edited, edits, forged

import fracas
from fracas.content.packs import examples_folder

DUEL = examples_folder() / "titans" / "standard.toml"
OPEN = "[...document.querySelectorAll('details.watch')].map(each => each.open)"
HERE = "document.querySelector('details.watch[open] .battle')"


def state_in(browser, fold: str) -> str:
    """What a report says of a battle that was unfolded, once it has played it again."""
    found = browser.ask(f"document.querySelector('#{fold} .verdict').dataset.state")
    return "" if found in ("unknown", "playing") else str(found)


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


@pytest.mark.usefixtures("unwatched")
def test_one_click_opens_a_battle_and_plays_it(browser, page, report):
    """The last one, whose odds are checked too, is that of the next test."""
    browser.show(page, 1280, "light")
    assert browser.ask("document.querySelectorAll('.stage').length") == 0
    for number, each in enumerate(report.content.watched[:3]):
        browser.ask(f"document.querySelectorAll('details.watch > summary')[{number}].click()")
        until(partial(browser.ask, f"document.querySelectorAll('details.watch')[{number}].open"))
        assert browser.ask(OPEN).count(True) == 1
        until(partial(browser.ask, f"{HERE}.querySelector('.verdict').dataset.state === 'verified'"))
        assert each.battle.digest in browser.ask(f"{HERE}.querySelector('.verdict').textContent")
    assert browser.complaints() == []
    assert {address for address in browser.requests() if not address.startswith("blob:")} == {page.as_uri()}


@pytest.mark.usefixtures("unwatched")
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


def test_a_report_opens_at_its_turning_point_and_is_clean(browser, page, report):
    # Another place of the same page would be no new page.
    browser.show("about:blank", 1280, "light")
    browser.show(f"{page.as_uri()}#battle-4", 1280, "light")
    assert until(partial(state_in, browser, "battle-4")) == "verified"
    watched = report.content.watched[3]
    assert watched.battle.digest in browser.ask(f"{HERE}.querySelector('.verdict').textContent")
    assert watched.moment is not None
    assert browser.ask(f"{HERE}.querySelector('.caption').textContent").startswith(f"Round {watched.moment}")
    assert "odds" in browser.ask(f"{HERE}.querySelector('.turning').title")
    for width, scheme in soak.views(360, 1280):
        resize(browser, width, scheme)
        assert browser.ask("document.documentElement.scrollWidth") <= width
        until(lambda: browser.ask(OUTSIDE) == [])
        if width == 1280:
            until(lambda: browser.ask("document.getAnimations().length") == 0)
            assert violations(browser) == []
    assert browser.complaints() == []


@pytest.mark.usefixtures("unwatched")
def test_a_tampered_battle_of_a_report_is_found(browser, page, tmp_path):
    text = page.read_text(encoding="utf-8")
    head, mark, rest = text.partition('class="rows">')
    rows = json.loads(rest.partition("</script>")[0])
    rows[8 * 6 + 5] += 1
    changed = tmp_path / "changed.html"
    changed.write_text(f"{head}{mark}{json.dumps(rows)}</script>{rest.partition('</script>')[2]}", encoding="utf-8")
    browser.show(f"{changed.as_uri()}#battle-1", 1280, "light")
    assert checked(browser) == "differs"


def test_every_text_of_a_battle_in_a_report_is_noticed_if_it_is_edited(browser, report, tmp_path):
    text, file = report.html, tmp_path / "report.html"
    # Battles of a report are made alike, and their texts compared in one list.
    kinds: dict[Any, tuple[int, int, int]] = {}
    for around, start, end in edits(text, "details.watch"):
        number = text.count('<details class="watch"', 0, start)
        kinds.setdefault((around, start) if soak.is_on() else (around,), (number, start, end))
    about = [place for (around, *_), place in kinds.items() if not set(around) & APART]
    apart = [place for (around, *_), place in kinds.items() if set(around) & APART]
    assert len(about) >= 5
    told = [(number, [place], "differs") for number, *place in soak.some(about, 2)]
    told.append((apart[0][0], [place for _, *place in apart], "verified"))
    for number, places, state in told:
        file.write_text(edited(text, *places), encoding="utf-8")
        with browser.hidden():
            browser.show(file, 1280, "light")
        browser.ask(f"document.querySelector('#battle-{number}').open = true")
        if soak.is_on():
            browser.look()
        assert until(partial(state_in, browser, f"battle-{number}")) == state, places


def test_a_turning_point_forged_everywhere_is_noticed(browser, report, tmp_path):
    """The text and the data of a report tell other odds: the page finds them itself."""
    text, file = report.html, tmp_path / "report.html"
    (told,) = set(re.findall(r"In round \d+ the odds of \w[\w ]* went from [\d.]+% to [\d.]+%", text))
    found = re.search(r'id="(battle-\d+)"(?:(?!</article>).)*"turning":\{', text, re.DOTALL)
    assert found is not None
    fold = found[1]
    file.write_text(text.replace(told, forged(told)), encoding="utf-8")
    browser.show(file, 1280, "light")
    browser.ask(f"document.querySelector('#{fold}').open = true")
    assert until(partial(state_in, browser, fold)) == "differs"
