"""The player in a real browser, opened from disk: it plays each standard example to its end and checks it.

Needs Chromium (tests/helpers/browser.py). Without one these tests are skipped and say so; what the page makes
of a battle is then still tested under Node by test_frames.py.
"""

from __future__ import annotations

import json
import re
from functools import partial
from html import escape
from pathlib import Path

import pytest
from tests.helpers import soak
from tests.helpers.axe import violations
from tests.helpers.browser import until
from tests.helpers.player_page import (
    CAPTION,
    END,
    HP,
    MARKED,
    NOW,
    OUTSIDE,
    PLAYING,
    STATE,
    VERDICT,
    attempts,
    linked,
    opened,
    press,
    resize,
)
from tests.helpers.scenarios import STANDARD

import fracas
from fracas.content.packs import examples_folder
from fracas.rulesets import registry
from fracas.web.battle import outcome_of
from fracas.web.page import page_of

pytestmark = pytest.mark.usefixtures("unwatched")

HAS_ODDS = "document.querySelector('.chart').dataset.odds === 'found'"
VIEWS = soak.views(360, 1280, 2560)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The standard battle of each ruleset, and the file of its page."""
    folder: Path = tmp_path_factory.mktemp("pages")
    made = {}
    for name in registry.NAMES:
        battle = fracas.run(fracas.load(examples_folder() / name / f"{STANDARD[name]}.toml"))
        file = folder / f"{name}.html"
        file.write_text(page_of(battle), encoding="utf-8")
        made[name] = (battle, file)
    return made


def tab_to(browser, selector: str) -> list[str]:
    """Press Tab until something has the focus; the names of everything on the way."""
    passed = []
    for _ in range(60):
        browser.strike("Tab", 9)
        told = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
        passed.append(str(browser.ask(told)))
        if browser.ask(f"document.activeElement.matches({json.dumps(selector)})"):
            return passed
    raise AssertionError(f"Tab never gets to {selector}: {passed}")


def shows(browser, caption: str) -> bool:
    """Whether the page shows a moment."""
    return bool(browser.ask(CAPTION) == caption)


def reopened(browser, page: Path) -> None:
    """The page at its beginning, without opening it again if it is open and was verified."""
    if browser.ask("location.href.split('#')[0]") != page.as_uri() or browser.ask(STATE) != "verified":
        opened(browser, page)
    press(browser, "Home")


# Every ruleset: test_examples.py.
@pytest.mark.parametrize("name", soak.some(registry.NAMES, 1))
def test_a_standard_battle_is_played_to_its_end_and_verified(browser, pages, name):
    battle, page = pages[name]
    assert opened(browser, page) == "verified"
    assert browser.ask(VERDICT) == f"Verified on this device, digest {battle.digest}"
    press(browser, "End")
    assert browser.ask(NOW) == pytest.approx(browser.ask(END), abs=0.02)
    assert browser.ask(HP) == [max(0, hp) for hp in battle.hp_left]
    # As the headline has it, in which whoever fell has a name.
    assert outcome_of(battle).partition(": ")[2] in browser.ask(CAPTION)
    press(browser, "Home")
    # By itself, at the highest speed, from shortly before the end.
    browser.ask(f"location.hash = '#t=' + ({END} - 3).toFixed(1)")
    until(lambda: browser.ask(NOW) > 1)
    for _ in range(3):
        press(browser, ".")
    press(browser, " ")
    until(lambda: browser.ask(f"{NOW} >= {END} - 0.02"))
    until(lambda: not browser.ask(PLAYING))
    assert browser.ask(HP) == [max(0, hp) for hp in battle.hp_left]
    assert {address for address in browser.requests() if not address.startswith("blob:")} <= {
        page.as_uri(),
        browser.ask("location.href"),
    }
    assert browser.complaints() == []


# Every ruleset: test_stage.py.
@pytest.mark.parametrize("name", soak.some(registry.NAMES, 1))
def test_every_width_and_scheme_holds_everything_and_can_be_read(browser, pages, name):
    _, page = pages[name]
    assert opened(browser, page) == "verified"
    until(lambda: browser.ask("document.querySelector('.what-if') !== null"))
    browser.ask("document.querySelectorAll('.story [data-event]')[12].click()")
    for width, scheme in VIEWS:
        resize(browser, width, scheme)
        assert browser.ask("document.documentElement.scrollWidth") <= width
        assert browser.ask(OUTSIDE) == []
        until(lambda: browser.ask("document.getAnimations().length") == 0)
        if width == 1280:
            assert violations(browser) == []


def test_odds_begin_when_somebody_looks(browser, pages):
    """The battle is checked at once; a tab behind others finds no odds."""
    with browser.hidden():
        assert opened(browser, pages["titans"][1]) == "verified"
    # Titans finds its odds in less than this.
    browser.ask("new Promise(done => setTimeout(done, 1000))", waits=True)
    assert browser.ask(HAS_ODDS) is False
    browser.look()
    until(partial(browser.ask, HAS_ODDS))


def test_the_way_of_a_run_numbers_encounters_as_its_story_does(browser, pages):
    _, page = pages["delve"]
    opened(browser, page)
    way = dict(
        browser.ask("[...document.querySelectorAll('.way li')].map(step => [step.dataset.number, step.textContent])")
    )
    told = re.findall(
        r"^Encounter (\d+): (.*?) ─",
        browser.ask("[...document.querySelectorAll('.story li')].map(each => each.textContent).join('\\n')"),
        re.MULTILINE,
    )
    assert told[0][0] == "0"
    assert [way[number] for number, _ in told] == [name for _, name in told]
    assert browser.ask("getComputedStyle(document.querySelector('.way li'), '::before').content").startswith('"0')


def test_a_link_leads_to_its_moment(browser, pages):
    _, page = pages["squads"]
    opened(browser, page)
    for _ in range(5):
        press(browser, "ArrowRight")
    there, link = browser.ask(CAPTION), linked(browser)
    assert link.startswith("#t=")
    assert browser.ask(MARKED)
    marked = browser.ask(MARKED)
    press(browser, "Home")
    linked(browser)
    assert browser.ask(CAPTION) != there
    browser.ask(f"location.hash = '{link}'")
    until(lambda: browser.ask(CAPTION) == there)
    assert browser.ask(MARKED) == marked
    # Links are kept with one digit; frames that begin between two of them are still met.
    for _ in range(soak.times(2)):
        press(browser, "ArrowRight")
        there, link = browser.ask(CAPTION), linked(browser)
        browser.ask("document.querySelector('.scrub').value = 0")
        browser.ask("document.querySelector('.scrub').dispatchEvent(new Event('input'))")
        linked(browser)
        browser.ask(f"location.hash = '{link}'")
        until(partial(shows, browser, there))


def test_keys_do_what_the_help_says(browser, pages):
    _, page = pages["squads"]
    reopened(browser, page)
    start = browser.ask(CAPTION)
    press(browser, "ArrowRight")
    press(browser, "ArrowRight")
    second = browser.ask(CAPTION)
    assert second != start
    press(browser, "ArrowRight")
    press(browser, "ArrowLeft")
    assert browser.ask(CAPTION) == second
    press(browser, "ArrowRight", shift=True)
    assert browser.ask(CAPTION) == "Round 2"
    press(browser, "ArrowLeft", shift=True)
    assert browser.ask(CAPTION) == "Round 1"
    press(browser, ",")
    press(browser, ",")
    assert browser.ask("document.querySelector('.steps ~ select').value") == "0.5"
    press(browser, "?")
    assert browser.ask("document.querySelector('dialog').open")
    browser.ask("document.querySelector('dialog button').click()")
    assert not browser.ask("document.querySelector('dialog').open")
    browser.ask("document.activeElement.blur()")
    press(browser, " ")
    assert browser.ask(PLAYING)
    press(browser, " ")
    assert not browser.ask(PLAYING)


def test_a_keyboard_is_enough(browser, pages):
    """With the keyboard alone: to the controls, to what a badge says, to the story, and through it."""
    _, page = pages["squads"]
    opened(browser, page)
    seen = tab_to(browser, ".play")
    assert seen[0] == "To the story"
    browser.strike("Enter", 13)
    assert browser.ask(PLAYING)
    browser.strike(" ", 32)
    assert not browser.ask(PLAYING)
    browser.ask("document.querySelector('.skip').focus()")
    for _ in range(3):
        browser.strike("ArrowRight", 39)
    tab_to(browser, ".badge")
    assert not browser.ask("document.querySelector('.why').hidden")
    assert browser.ask("document.activeElement.getAttribute('aria-describedby')") == browser.ask(
        "document.querySelector('.why').id"
    )
    press(browser, "l")
    tab_to(browser, ".story")
    before = browser.ask(NOW)
    browser.strike("ArrowDown", 40)
    assert browser.ask(NOW) > before
    assert browser.ask("document.querySelectorAll('.story [aria-current]').length") == 1
    # It is remembered, for the next test too.
    press(browser, "l")


def test_a_click_on_a_line_goes_there_and_a_badge_says_why(browser, pages):
    _, page = pages["squads"]
    reopened(browser, page)
    line = "[...document.querySelectorAll('.story li')].find(each => each.textContent.includes('critical!'))"
    browser.ask(f"{line}.click()")
    assert browser.ask(MARKED) == browser.ask(f"{line}.textContent")
    assert browser.ask(CAPTION) == "Round 1ScoutPiercing Shaft→Apprentice Wizard"
    browser.ask("document.querySelector('.badge').click()")
    told = browser.ask("document.querySelector('.why').textContent")
    assert not browser.ask("document.querySelector('.why').hidden")
    assert "Apprentice Wizard: −76! by Scout" in told
    assert "critical hit: 54 → 81" in told
    assert browser.ask("document.querySelector('.unseen[role=status]').textContent").startswith("Scout Piercing Shaft")


def test_a_tampered_file_names_its_tick(browser, pages, tmp_path):
    battle, page = pages["squads"]
    text = page.read_text(encoding="utf-8")
    head, mark, rest = text.partition('class="rows">')
    rows = json.loads(rest.partition("</script>")[0])
    place = next(at for at, event in enumerate(battle.events) if event.tick == 4)
    rows[8 * place + 3] += 1
    edited = tmp_path / "rows.html"
    changed = json.dumps(rows, separators=(",", ":"))
    edited.write_text(f"{head}{mark}{changed}</script>{rest.partition('</script>')[2]}", encoding="utf-8")
    assert opened(browser, edited) == "differs"
    assert browser.ask(VERDICT).endswith("changed: the first that differ are those of Round 4.")
    # A forger who writes digests and seal anew is found by playing the battle again: test_truth.py.
    head, mark, rest = text.partition('class="bundle">')
    bundle = json.loads(rest.partition("</script>")[0])
    bundle["seal"] = "0" * 64
    changed = json.dumps(bundle, separators=(",", ":"))
    forged = tmp_path / "forged.html"
    forged.write_text(f"{head}{mark}{changed}</script>{rest.partition('</script>')[2]}", encoding="utf-8")
    assert opened(browser, forged) == "refused"


PLACES = """
[...document.querySelectorAll('.group')]
  .map(each => [each.querySelector('h2').textContent, ...each.style.transform.match(/[\\d.]+px/g)])
"""


def test_a_stack_comes_up_to_the_tile_and_moves_onto_it_if_the_result_says_so(browser, pages):
    """Of the first attack the attacker takes the tile: it ends where the defender stood."""
    _, page = pages["stacks"]
    opened(browser, page)
    before = {name: (left, top) for name, left, top in browser.ask(PLACES)}
    press(browser, "ArrowRight")
    press(browser, "ArrowRight")
    fighting = {name: (left, top) for name, left, top in browser.ask(PLACES)}
    assert fighting["The Wardens"] == before["The Wardens"]
    assert fighting["Vanguard"] != before["Vanguard"]
    press(browser, "End")
    after = {name: (left, top) for name, left, top in browser.ask(PLACES)}
    assert after["Vanguard"] == before["The Wardens"]
    assert browser.ask("document.querySelectorAll('.group.gone').length") == 1
    press(browser, "Home")
    assert {name: (left, top) for name, left, top in browser.ask(PLACES)} == before


def test_an_attack_that_is_repelled_takes_no_tile(browser, tmp_path):
    battle = fracas.run(fracas.load(examples_folder() / "stacks" / "siege-of-ashgate.toml"))
    page = tmp_path / "repelled.html"
    page.write_text(page_of(battle), encoding="utf-8")
    assert opened(browser, page) == "verified"
    before = browser.ask(PLACES)
    press(browser, "End")
    assert browser.ask(PLACES) == before
    assert browser.ask("document.querySelectorAll('.group.gone').length") == 0


def test_pieces_light_up_in_the_order_of_the_agenda(browser, tmp_path):
    page = tmp_path / "relics.html"
    battle = fracas.run(fracas.load(examples_folder() / "relics" / "full-shelf.toml"))
    page.write_text(page_of(battle), encoding="utf-8")
    opened(browser, page)
    turns = "[...document.querySelectorAll('.piece.lit')].map(each => each.dataset.turn).sort()"
    seen = browser.ask(
        "Array.from({length: 120}, () => {"
        "dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));"
        f"return {turns}; }})"
    )
    assert [""] in seen
    several = [each for each in seen if len(each) > 1]
    assert several
    assert all({number for turn in each for number in turn.split(", ")} >= {"1", "2"} for each in several)


def test_hidden_choices_are_turned_over_together_and_show_the_rolls(browser, pages):
    battle, page = pages["titans"]
    opened(browser, page)
    choices = (
        "[...document.querySelectorAll('.choice')].map(each => [each.classList.contains('open'), each.textContent])"
    )
    press(browser, "ArrowRight")
    assert browser.ask(choices) == [[False, "hidden choice"]] * 2
    press(browser, "ArrowRight")
    assert browser.ask(CAPTION).endswith("both choose")
    (first, one), (second, other) = browser.ask(choices)
    assert first
    assert second
    rolls = [event for event in battle.events if type(event).__name__ == "Speed"]
    for told, event in zip((one, other), rolls, strict=False):
        assert f"speed roll {event.roll:.2f} of" in told


def test_a_report_in_a_notebook_has_no_address_and_plays(browser, pages, tmp_path):
    """A page inside another cannot change its address."""
    _, page = pages["titans"]
    outer = tmp_path / "notebook.html"
    inner = escape(page.read_text(encoding="utf-8"))
    outer.write_text(f'<!doctype html><iframe srcdoc="{inner}" width="1200" height="800"></iframe>', encoding="utf-8")
    browser.show(outer, 1280, "light")
    inside = "document.querySelector('iframe').contentDocument"
    state = f"{inside}?.querySelector('.verdict')?.dataset.state === 'verified'"
    until(partial(browser.ask, state))
    browser.ask(f"{inside}.querySelector('.steps button:last-child').click()")
    assert browser.ask(f"{inside}.querySelector('.caption').textContent").endswith("knock out")


def test_the_policy_holds(browser, pages):
    _, page = pages["titans"]
    assert opened(browser, page) == "verified"
    ran, fetched, refused = attempts(browser)
    assert (ran, fetched) == (None, "refused")
    assert refused >= 5


def test_names_of_strangers_are_text(browser, tmp_path):
    document = fracas.load(examples_folder() / "squads" / "first-battle.toml").document
    document["id"] = "</script><img src=x onerror=document.body.remove()>"
    document["sides"][0]["name"] = "<b>@@script@@</b>"
    document["sides"][0]["units"][0]["name"] = "<i onclick=alert(1)>__proto__</i>"
    page = tmp_path / "strange.html"
    page.write_text(page_of(fracas.run(fracas.load(document))), encoding="utf-8")
    assert opened(browser, page) == "verified"
    press(browser, "End")
    assert browser.ask("document.querySelectorAll('img, b, i').length") == 0
    assert browser.ask("document.querySelector('h1').textContent").startswith("<b>@@script@@</b>")
    assert "__proto__" in browser.ask("document.querySelector('.unit .name').textContent")
    assert browser.complaints() == []


def test_what_if_gives_the_odds_of_python_before_and_after(browser, pages):
    _, page = pages["squads"]
    assert opened(browser, page) == "verified"
    until(lambda: browser.ask("document.querySelector('.what-if button') !== null"))
    number = "document.querySelector('.what-if [data-path=\"0.0\"]')"
    browser.ask(f"{number}.value = 28")
    browser.ask(f"{number}.dispatchEvent(new Event('input'))")
    # The same form has the line-up and the strategy.
    chosen = "[...document.querySelectorAll('.what-if select')].map(each => each.dataset.path)"
    assert {"strategy.1", "units.2", "unit.3"} <= set(browser.ask(chosen))
    # With the keyboard, as everything.
    browser.ask("document.querySelector('.story').focus()")
    tab_to(browser, ".what-if button")
    browser.strike("Enter", 13)
    cells = "[...document.querySelectorAll('.what-if td strong')].map(each => each.textContent)"
    found = until(lambda: browser.ask(cells))
    path = examples_folder() / "squads" / "standard-5v5.toml"
    changed = fracas.load(path).document
    changed["sides"][0]["units"][0]["attack"] = 28
    odds = [fracas.simulate(each, 10_000).wins for each in (fracas.load(path), fracas.load(changed))]
    told = [float(share.removesuffix(" %")) for share in found]
    # A share that ends in 5 is rounded this way by one and that way by the other.
    assert told == pytest.approx([wins[side] / 100 for side in (0, 1) for wins in odds], abs=0.051)
    assert "attack 25 → 28" in browser.ask("document.querySelector('.what-if th:last-child').textContent")


# test_stage.py finds the same on the page of squads.
@soak.only
def test_whoever_wants_less_motion_gets_none(browser, pages):
    _, page = pages["stacks"]
    opened(browser, page)
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.send("Emulation.setEmulatedMedia", features=features)
    for _ in range(8):
        press(browser, "ArrowRight")
    assert browser.ask("document.getAnimations().length") == 0


def test_without_scripts_the_outcome_is_there(browser, pages):
    battle, page = pages["relics"]
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.show(page, 360, "light")
        told = f"Victory for {battle.scenario.ruleset.side_names(battle.scenario.document)[battle.winner - 1]} after"
        assert browser.ask("document.querySelector('.outcome').textContent").startswith(told)
        assert "fracas lab replay" in browser.ask("document.querySelector('noscript').textContent")
        assert browser.ask("getComputedStyle(document.querySelector('noscript')).display") != "none"
        assert browser.ask("document.querySelectorAll('.stage').length") == 0
        assert browser.ask("document.documentElement.scrollWidth") <= 360
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)
