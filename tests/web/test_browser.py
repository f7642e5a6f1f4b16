"""The player in a real browser, opened from disk: it plays each standard example to its end and checks it.

Needs chromium (Debian: apt-get install chromium). Without one these tests are skipped and say so; what the page makes
of a battle is then still tested under Node by test_frames.py.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.helpers import browser as browsers

import fracas
from fracas.content.packs import examples_folder
from fracas.replay.bundle_file import seal_of
from fracas.rulesets import registry
from fracas.web.page import page_of

PROGRAM = browsers.found()
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="NO BROWSER: the player is not tested on this machine (apt-get install chromium)"
)
STANDARD = {
    "squads": "standard-5v5",
    "delve": "standard-run",
    "stacks": "first-attack",
    "relics": "first-duel",
    "titans": "standard",
}
VIEWS = [(width, scheme) for width in (360, 1280, 2560) for scheme in ("light", "dark")]
STATE = "document.getElementById('verdict').dataset.state"
VERDICT = "document.getElementById('verdict').textContent"
END = "Number(document.querySelector('.scrub').max)"
NOW = "Number(document.querySelector('.scrub').value)"
CAPTION = "document.querySelector('.caption').textContent"
MARKED = "document.querySelector('.story [aria-current]')?.textContent"
HASH = "location.hash"
PLAYING = "document.querySelector('.play').getAttribute('aria-label').startsWith('Pause')"
# HP that cards, or tokens by their names, say that units of a side have.
HP = """
[1, 2].map(side => [...document.querySelectorAll(`.card.side${side}:not([hidden]) .number, .token.side${side}`)]
  .map(each => parseInt(each.matches('.number') ? each.textContent : each.title.match(/: (-?[0-9]+) of/)[1]))
  .reduce((sum, hp) => sum + Math.max(0, hp), 0))
"""
# The least contrast of texts that are seen, against the ground behind them, as accessibility guidelines reckon it.
CONTRAST = """
(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = colour => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = parts => {
    const [r, g, b] = parts.slice(0, 3).map(each => each / 255)
      .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = element => {
    for (let each = element; each; each = each.parentElement) {
      const parts = rgb(getComputedStyle(each).backgroundColor);
      if (parts[3] > 200) return light(parts);
    }
    return 1;
  };
  const texts = [...document.body.querySelectorAll('*')].filter(each => each.offsetParent
    && !each.closest('.fallen, .unseen, script, svg, select')
    && [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()));
  return texts.map(each => {
    const [ink, behind] = [light(rgb(getComputedStyle(each).color)), ground(each)];
    const ratio = (Math.max(ink, behind) + 0.05) / (Math.min(ink, behind) + 0.05);
    return [ratio, each.className + ': ' + each.textContent.slice(0, 30)];
  }).sort((one, other) => one[0] - other[0])[0];
})()
"""
OUTSIDE = """
[...document.querySelectorAll('.card, .token, .group h3, .buttons button, .chart, h1, .what-if, .story')]
.filter(each => {
  const box = each.getBoundingClientRect();
  return box.width && (box.left < -0.5 || box.right > innerWidth + 0.5);
}).map(each => each.className)
"""


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


def until(ask: Callable[[], Any]) -> Any:
    """The first answer that is something."""
    end = time.monotonic() + browsers.PATIENCE
    while not (answer := ask()):
        assert time.monotonic() < end, "the page does not get there"
        time.sleep(0.02)
    return answer


def has_width(browser: browsers.Browser, width: int) -> bool:
    """Whether the window is so wide now."""
    return bool(browser.ask("innerWidth") == width)


def shows(browser: browsers.Browser, caption: str) -> bool:
    """Whether the page shows a moment."""
    return bool(browser.ask(CAPTION) == caption)


def opened(browser: browsers.Browser, page: Path, width: int = 1280, scheme: str = "light") -> str:
    """Open a page from disk; what it says of the battle."""
    browser.show(page, width, scheme)
    return str(until(lambda: (state := browser.ask(STATE)) not in ("unknown", "playing") and state))


def press(browser: browsers.Browser, key: str, shift: bool = False) -> None:
    options = json.dumps({"key": key, "shiftKey": shift, "bubbles": True, "cancelable": True})
    browser.ask(f"document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {options}))")


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_standard_battle_is_played_to_its_end_and_verified(browser, pages, name):
    battle, page = pages[name]
    assert opened(browser, page) == "verified"
    assert browser.ask(VERDICT) == f"Verified on this device, digest {battle.digest}"
    press(browser, "End")
    assert browser.ask(NOW) == pytest.approx(browser.ask(END), abs=0.02)
    assert browser.ask(HP) == [max(0, hp) for hp in battle.hp_left]
    assert battle.reason.replace("_", " ") in browser.ask(CAPTION)
    press(browser, "Home")
    # By itself, at the highest speed, from shortly before the end.
    browser.ask(f"location.hash = '#t=' + ({END} - 3).toFixed(1)")
    until(lambda: browser.ask(NOW) > 1)
    for _ in range(6):
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


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_width_and_scheme_holds_everything_and_can_be_read(browser, pages, name):
    _, page = pages[name]
    assert opened(browser, page) == "verified"
    until(lambda: browser.ask("document.querySelector('.what-if') !== null"))
    browser.ask("document.querySelectorAll('.story [data-event]')[12].click()")
    for width, scheme in VIEWS:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        browser.send("Emulation.setDeviceMetricsOverride", **size)
        browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        until(partial(has_width, browser, width))
        assert browser.ask("document.documentElement.scrollWidth") <= width
        assert browser.ask(OUTSIDE) == []
        until(lambda: browser.ask("document.getAnimations().length") == 0)
        least, where = browser.ask(CONTRAST)
        assert least >= 4.5, where


def test_a_link_leads_to_its_moment(browser, pages):
    _, page = pages["squads"]
    opened(browser, page)
    for _ in range(5):
        press(browser, "ArrowRight")
    there, link = browser.ask(CAPTION), browser.ask(HASH)
    assert link.startswith("#t=")
    assert browser.ask(MARKED)
    marked = browser.ask(MARKED)
    press(browser, "Home")
    assert browser.ask(CAPTION) != there
    browser.ask(f"location.hash = '{link}'")
    until(lambda: browser.ask(CAPTION) == there)
    assert browser.ask(MARKED) == marked
    # Links are kept with one digit; frames that begin between two of them are still met.
    for _ in range(12):
        press(browser, "ArrowRight")
        there, link = browser.ask(CAPTION), browser.ask(HASH)
        browser.ask("document.querySelector('.scrub').value = 0")
        browser.ask("document.querySelector('.scrub').dispatchEvent(new Event('input'))")
        browser.ask(f"location.hash = '{link}'")
        until(partial(shows, browser, there))


def test_keys_do_what_the_help_says(browser, pages):
    _, page = pages["squads"]
    opened(browser, page)
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
    assert browser.ask("document.querySelector('.steps ~ select').value") == "0.25"
    press(browser, "?")
    assert browser.ask("document.querySelector('dialog').open")
    browser.ask("document.querySelector('dialog button').click()")
    assert not browser.ask("document.querySelector('dialog').open")
    browser.ask("document.activeElement.blur()")
    press(browser, " ")
    assert browser.ask(PLAYING)
    press(browser, " ")
    assert not browser.ask(PLAYING)


def test_a_click_on_a_line_goes_there_and_a_badge_says_why(browser, pages):
    _, page = pages["squads"]
    opened(browser, page)
    line = "[...document.querySelectorAll('.story li')].find(each => each.textContent.includes('critical!'))"
    browser.ask(f"{line}.click()")
    assert browser.ask(MARKED) == browser.ask(f"{line}.textContent")
    assert browser.ask(CAPTION) == "Round 1ScoutPiercing Shaft→Apprentice Wizard"
    browser.ask("document.querySelector('.badge').click()")
    told = browser.ask("document.getElementById('why').textContent")
    assert not browser.ask("document.getElementById('why').hidden")
    assert "Apprentice Wizard: −76! by Scout" in told
    assert "critical hit: 54 → 81" in told
    assert browser.ask("document.querySelector('.unseen[role=status]').textContent").startswith("Scout Piercing Shaft")


def test_a_tampered_file_names_its_tick(browser, pages, tmp_path):
    battle, page = pages["squads"]
    text = page.read_text(encoding="utf-8")
    head, mark, rest = text.partition('id="rows">')
    rows = json.loads(rest.partition("</script>")[0])
    place = next(at for at, event in enumerate(battle.events) if event.tick == 4)
    rows[8 * place + 3] += 1
    edited = tmp_path / "rows.html"
    changed = json.dumps(rows, separators=(",", ":"))
    edited.write_text(f"{head}{mark}{changed}</script>{rest.partition('</script>')[2]}", encoding="utf-8")
    assert opened(browser, edited) == "differs"
    assert browser.ask(VERDICT).endswith("changed: the first that differ are those of tick 4.")
    # A forger who writes digests and seal anew is found by playing the battle again.
    head, mark, rest = text.partition('id="bundle">')
    bundle = json.loads(rest.partition("</script>")[0])
    bundle["result"]["winner"] = 3 - bundle["result"]["winner"]
    bundle["seal"] = seal_of(bundle)
    forged = tmp_path / "forged.html"
    changed = json.dumps(bundle, separators=(",", ":"))
    forged.write_text(f"{head}{mark}{changed}</script>{rest.partition('</script>')[2]}", encoding="utf-8")
    assert opened(browser, forged) == "differs"
    assert "the winner differs" in browser.ask(VERDICT)
    bundle["seal"] = "0" * 64
    changed = json.dumps(bundle, separators=(",", ":"))
    forged.write_text(f"{head}{mark}{changed}</script>{rest.partition('</script>')[2]}", encoding="utf-8")
    assert opened(browser, forged) == "refused"


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
    assert "__proto__" in browser.ask("document.querySelector('.card .name').textContent")
    assert browser.complaints() == []


def test_what_if_gives_the_odds_of_python_before_and_after(browser, pages):
    _, page = pages["squads"]
    assert opened(browser, page) == "verified"
    until(lambda: browser.ask("document.querySelector('.what-if button') !== null"))
    browser.ask("document.querySelector('.what-if button').click()")
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


def test_whoever_wants_less_motion_gets_none(browser, pages):
    _, page = pages["stacks"]
    opened(browser, page)
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.send("Emulation.setEmulatedMedia", features=features)
    for _ in range(8):
        press(browser, "ArrowRight")
    assert browser.ask("document.getAnimations().length") == 0


def test_without_scripts_the_outcome_and_the_story_are_there(browser, pages):
    battle, page = pages["relics"]
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.show(page, 360, "light")
        assert battle.lines()[-1].text in browser.ask("document.querySelector('.story').textContent")
        assert browser.ask("getComputedStyle(document.querySelector('noscript')).display") != "none"
        assert browser.ask("document.querySelectorAll('.stage').length") == 0
        assert browser.ask("document.documentElement.scrollWidth") <= 360
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)
