"""The studio in a real browser: text, form, odds, links, keys.

Needs Chromium (tests/helpers/browser.py). Without one these tests are skipped and say so; what the server
answers and what the modules make of it is then still tested without a browser.
"""

from __future__ import annotations

import functools
import json
import threading
import time
import tomllib
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest
from tests.helpers import browser as browsers
from tests.helpers import soak
from tests.helpers.axe import violations
from tests.helpers.browser import until
from tests.studio.test_server import TEXT, studio

import fracas
from fracas.kit import load
from fracas.replay.bundle_file import bundle_of
from fracas.web.offline_studio import PAGE, offline_studio

PROGRAM = browsers.found()
pytestmark = [
    pytest.mark.usefixtures("unwatched"),
    pytest.mark.skipif(PROGRAM is None, reason=browsers.MISSING),
]
VIEWS = soak.views(360, 2560, 1280)
CONTENT = "[...document.querySelectorAll('.cm-line')].map(each => each.textContent).join('\\n')"
SHARE = "(document.querySelector('.share')?.textContent ?? '–')"
PROBLEMS = "(document.querySelector('.problem-box')?.innerText ?? '')"
BANNER = "(document.getElementById('banner')?.innerText ?? '')"
ANSWER = "document.querySelector('[role=tabpanel]:not([hidden]) .answer').innerText"
CONTROL, SHIFT = 2, 8


def says(browser, words):
    return words in browser.ask(BANNER)


class Page:
    """The studio as somebody sees it."""

    def __init__(self, browser, caller) -> None:
        self.browser = browser
        self.ask = browser.ask
        self.address = caller.server.address

    def press(self, key, modifiers=0, text=""):
        code = {" ": "Space"}.get(key, f"Key{key.upper()}" if len(key) == 1 else key)
        number = {
            "Tab": 9,
            "Enter": 13,
            "Escape": 27,
            "Home": 36,
            "End": 35,
            "ArrowUp": 38,
            "ArrowDown": 40,
            "ArrowRight": 39,
        }
        named = {
            "key": key,
            "code": code,
            "modifiers": modifiers,
            "windowsVirtualKeyCode": number.get(key, ord(key[0].upper())),
        }
        extra = {"text": text} if text else {}
        self.browser.send("Input.dispatchKeyEvent", type="keyDown", **named, **extra)
        self.browser.send("Input.dispatchKeyEvent", type="keyUp", **named)

    def write(self, text):
        self.browser.send("Input.insertText", text=text)

    def until(self, expression):
        return until(lambda: self.ask(expression))

    def tab(self, name):
        self.ask(f"[...document.querySelectorAll('[role=tab]')].find(each => each.textContent === '{name}').click()")

    def turn(self, path, value):
        self.ask(
            f"(() => {{ const input = document.querySelector('[data-path=\"{path}\"]'); input.focus();"
            f"input.value = '{value}';"
            "input.dispatchEvent(new Event('input', {bubbles: true})); input.blur(); })()"
        )

    def begin(self):
        """A fresh page with the file, without what was not saved; the cookie is there already."""
        self.ask("localStorage.clear()")
        self.browser.visit(self.address)
        self.until("document.querySelectorAll('.side-form').length === 2")
        self.until(f"{SHARE} !== '–'")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    assert PROGRAM is not None
    started = browsers.Browser(PROGRAM, tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("desk") / "mine.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def caller(file):
    # The first odds are enough: test_answers.py waits for those that tighten.
    with studio(file, odds_seconds=0.05) as found:
        yield found


@pytest.fixture(scope="module")
def page(browser, caller):
    """The page, opened once with the token as the command opens it."""
    found = Page(browser, caller)
    browser.view(1280, "light")
    browser.visit(caller.server.link)
    found.until(f"{SHARE} !== '–'")
    assert found.ask("location.href") == caller.server.address
    assert browser.complaints() == []
    return found


def test_a_mistake_is_marked_and_one_click_repairs_it(page):
    page.begin()
    page.ask("document.querySelector('.cm-content').focus()")
    page.press("Home", CONTROL)
    page.write('sed = "x"\n')
    page.until(f"{PROBLEMS}.includes('there is no such key here')")
    page.until("document.querySelector('.cm-lintRange-error')?.textContent === 'sed'")
    page.until("document.querySelector('.odds').dataset.state === 'old'")
    page.ask("document.querySelector('.fix').click()")
    page.until(f"{PROBLEMS}.startsWith('Valid')")
    assert page.ask(CONTENT).startswith('seed = "x"\n# Your first battle')
    page.until("document.querySelector('.odds').dataset.state !== 'old'")
    assert page.browser.complaints() == []


def test_unsaved_text_outlives_a_reload(page):
    page.begin()
    page.ask("document.querySelector('.cm-content').focus()")
    page.press("Home", CONTROL)
    page.write("# not saved yet\n")
    page.until("localStorage.length > 0")
    page.browser.visit(page.address)
    page.until(f"{BANNER}.startsWith('What you had not saved is here again.')")
    assert page.ask(CONTENT).startswith("# not saved yet")
    page.ask("document.querySelector('#banner button').click()")
    page.until(f"!{CONTENT}.startsWith('# not saved yet')")
    page.until("localStorage.length === 0")


def test_a_number_that_is_turned_moves_the_odds_and_the_text(page):
    page.begin()
    before = page.ask(SHARE)
    page.turn("sides.0.units.0.attack", 45)
    page.until(f"{CONTENT}.includes('attack = 45')")
    page.until(f"{SHARE} !== {json.dumps(before)}")
    page.until("document.querySelector('.since').textContent.includes('+')")
    page.turn("sides.0.units.0.attack", 0)
    assert not page.ask("document.querySelector('[data-path=\"sides.0.units.0.attack\"]').validity.valid")
    assert "attack = 45" in page.ask(CONTENT)
    page.ask(
        "(() => { const choice = document.querySelector('[data-path$=formation]'); choice.value = '1';"
        "choice.dispatchEvent(new Event('change')); })()"
    )
    page.until(f"{CONTENT}.includes('formation = \"defensive\"')")
    # One step back is one change of the form.
    page.ask("document.querySelector('.cm-content').focus()")
    page.press("z", CONTROL)
    page.until(f"!{CONTENT}.includes('formation = \"defensive\"') && {CONTENT}.includes('attack = 45')")
    page.tab("Compare")
    page.ask("document.querySelector('[role=tabpanel]:not([hidden]) .go').click()")
    page.until(f"{ANSWER}.includes('now is better than')")
    assert "The odds above are of another number of battles" in page.ask(ANSWER)
    page.tab("Form")


def test_why_a_moment_and_what_helps(page):
    page.begin()
    page.tab("Why")
    page.ask("document.querySelector('[role=tabpanel]:not([hidden]) .go').click()")
    page.until(f"{ANSWER}.includes('The single change that helps Your Company most')")
    page.ask("document.querySelector('[role=tabpanel]:not([hidden]) .figures button').click()")
    page.until(f'!{CONTENT}.includes(\'target_priority = ["warriors", "tanks"]\')')
    page.tab("What helps")
    page.ask("document.querySelector('[role=tabpanel]:not([hidden]) .go').click()")
    page.until("document.querySelectorAll('[role=tabpanel]:not([hidden]) .figures tbody tr').length > 5")
    page.tab("Moment")
    page.until("document.querySelectorAll('#units option').length > 3")
    page.ask("document.querySelector('[aria-label=Condition]').focus()")
    page.write("self.hp_pct < 50 or enemy_count_gte_2")
    page.press("Enter", text="\r")
    page.until(f"{ANSWER}.includes('1.scout, round 1: the condition holds')")
    page.ask("document.querySelector('[aria-label=Condition]').value = 'nonsense <'")
    page.press("Enter", text="\r")
    page.until("document.querySelector('[role=tabpanel]:not([hidden]) .refusal') !== null")


def test_every_battle_is_one_click_from_the_player(page, browser):
    page.begin()
    page.tab("Battles")
    address = page.until("document.querySelector('.battles a')?.href")
    browser.visit(address)
    until(lambda: browser.ask("document.querySelector('.verdict')?.dataset.state") == "verified")
    assert browser.complaints() == []


def test_a_link_holds_the_document_and_no_request_carries_it(page, browser):
    page.begin()
    page.ask(
        "[...document.querySelectorAll('#actions button')].find(each => each.textContent.startsWith('Share')).click()"
    )
    link = page.until("document.querySelector('dialog[open] textarea').value")
    page.ask("document.querySelector('dialog[open] .out button').click()")
    assert link.startswith("#doc=")
    browser.visit(page.address + link)
    page.until(f"{BANNER}.includes('comes from elsewhere')")
    page.until(f"{CONTENT}.includes('# Your first battle')")
    page.until(f"{SHARE} !== '–'")
    assert page.ask("location.hash") == ""
    addresses = browser.requests()
    assert not [address for address in addresses if link[5:40] in address.replace(f"{page.address}{link}", "")]
    assert {address.partition("/")[0] for address in addresses if not address.startswith(("data:", page.address))} <= {
        "about:blank"
    }
    page.ask("location.hash = '#doc=broken'")
    page.until(f"{BANNER}.includes('cannot be opened')")


def test_names_of_strangers_are_text(page):
    page.begin()
    evil = "<img src=x onerror=document.body.remove()>"
    page.ask("document.querySelector('.cm-content').focus()")
    text = TEXT.replace("Your Company", evil).replace(
        '"scout", "scout"', f'{{ id = "scout", name = "{evil[:79]}" }}, "scout"'
    )
    page.press("a", CONTROL)
    page.write(text)
    page.until("document.querySelector('.odds h3').textContent.startsWith('<img')")
    page.until("document.querySelector('.owner legend').textContent.startsWith('<img')")
    page.tab("Battles")
    page.until("document.querySelector('.battles')?.innerText.includes('Battle 3')")
    page.tab("Form")
    assert page.ask("document.querySelectorAll('img').length") == 0


def test_it_saves_and_does_not_overwrite_what_others_wrote(page, file):
    page.begin()
    page.ask("document.querySelector('.cm-content').focus()")
    page.press("Home", CONTROL)
    page.write("# mine\n")
    page.until("document.getElementById('saved').textContent === 'Not saved'")
    page.press("s", CONTROL)
    until(lambda: file.read_text(encoding="utf-8") == f"# mine\n{TEXT}")
    file.write_text(f"# theirs\n{TEXT}", encoding="utf-8")
    page.write("# more\n")
    page.press("s", CONTROL)
    page.until(f"{BANNER}.includes('changed by another program')")
    assert file.read_text(encoding="utf-8") == f"# theirs\n{TEXT}"
    page.ask("document.querySelector('#banner button').click()")
    page.until(f"{CONTENT}.startsWith('# theirs')")
    file.write_text(TEXT, encoding="utf-8")


def test_keys_are_enough(page):
    page.begin()
    page.ask("document.activeElement.blur()")
    page.ask("document.querySelector('#actions button').focus()")
    page.ask("document.querySelector('.cm-content').focus()")
    # Tab leaves the editor, and the tabs of the tools are one stop with arrows between them.
    for _ in range(12):
        page.press("Tab")
        if page.ask("document.activeElement.getAttribute('role')") == "tab":
            break
    assert page.ask("document.activeElement.textContent") == "Form"
    page.press("ArrowRight")
    assert page.ask("document.activeElement.textContent") == "Battles"
    assert page.ask("document.querySelector('[role=tab][aria-selected=true]').textContent") == "Battles"
    page.press("Home")
    # Completion with keys alone.
    page.ask("document.querySelector('.cm-content').focus()")
    page.press("Home", CONTROL)
    page.write("prof")
    page.press(" ", CONTROL)
    chosen = "document.querySelector('.cm-tooltip-autocomplete li[aria-selected]')"
    page.until(f"{chosen}?.textContent.startsWith('profile') === true")
    time.sleep(0.1)  # CodeMirror takes no Enter for 75 ms after the list opens.
    page.press("Enter", text="\r")
    page.until(f"{CONTENT}.startsWith('profile')")
    # Whoever has the focus shows it.
    page.press("Tab")
    page.until("getComputedStyle(document.activeElement).outlineStyle === 'solid'")


def test_it_fits_every_width(page, browser):
    page.begin()
    for width, scheme in VIEWS:
        browser.view(width, scheme)
        page.until(f"innerWidth === {width} && document.getAnimations().length === 0")
        assert page.ask("document.documentElement.scrollWidth") <= width
        assert page.ask("document.querySelector('.desk > .form') !== null") == (width >= 1900)
        outside = page.ask(
            "[...document.querySelectorAll('.panel, .cell, button, h1, select, .track')].filter(each => {"
            "const box = each.getBoundingClientRect();"
            "return box.width && (box.left < -0.5 || box.right > innerWidth + 0.5);"
            "}).map(each => each.className)"
        )
        assert outside == []
        if width == 360 or soak.is_on():
            assert violations(browser) == [], (width, scheme)
    browser.view(1280, "light")
    page.until("innerWidth === 1280")


def test_without_the_token_nothing_is_seen(browser, caller):
    with studio() as stranger:
        browser.visit(stranger.server.address)
        until(
            lambda: browser.ask(
                "document.querySelector('.refusal')?.textContent.includes('whoever started the studio') === true"
            )
        )
        assert browser.ask("document.querySelectorAll('.cm-content').length") == 0
        browser.visit(f"{stranger.server.address}#token=guess")
        until(
            lambda: browser.ask("document.querySelector('.refusal')?.textContent.includes('was used before') === true")
        )


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        pass


def test_a_game_of_ones_own_is_edited_and_watched(browser, tmp_path, monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    coins = Path(__file__).parents[2] / "examples" / "games" / "coins"
    file = tmp_path / "coins.toml"
    file.write_text((coins / "scenarios" / "first.toml").read_text(encoding="utf-8"), encoding="utf-8")
    with load.fresh():
        fracas.use(coins / "coins.py")
        with studio(file, odds_seconds=0.05) as caller:
            page = Page(browser, caller)
            browser.view(1280, "light")
            browser.visit(caller.server.link)
            page.until(f"{SHARE} !== '–'")
            before = page.ask(SHARE)
            page.turn("sides.0.coin.heads", 90)
            page.until(f"{CONTENT}.includes('heads = 90')")
            page.until(f"{SHARE} !== {json.dumps(before)}")
            page.tab("Battles")
            battle = page.until("document.querySelector('[role=tabpanel]:not([hidden]) a')?.href")
            browser.visit(battle)
            page.until("document.querySelectorAll('.stage .unit').length === 2")
            assert "Ada flips heads" in page.until("document.querySelector('.story')?.textContent")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The offline part on a web host with nothing behind it."""
    folder = tmp_path_factory.mktemp("site")
    for address, content in offline_studio().items():
        place = folder / address
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    battle = fracas.run(fracas.load(tomllib.loads(TEXT)))
    (folder / "first.fracas.json").write_bytes(msgspec.json.encode(bundle_of(battle)))
    (folder / "game.json").write_text('{"ruleset": "pets", "game": {"name": "pets"}}', encoding="utf-8")
    (folder / "replay.json").write_text('{"format": "fracas-replay"}', encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{PAGE}", battle
        server.shutdown()


def test_the_offline_part_plays_on_this_device(site, browser):
    address, battle = site
    browser.view(1280, "light")
    browser.visit(f"{address}#open=first.fracas.json")
    until(lambda: browser.ask(f"{SHARE} !== '–'"))
    until(lambda: battle.digest in browser.ask("document.getElementById('verdict').textContent"))
    assert browser.ask("document.querySelector('.odds h3').textContent") == "Your Company"
    browser.ask(
        "(() => { const input = document.querySelector('.cell input'); input.value = '45';"
        "input.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    until(lambda: "attack 30 → 45" in browser.ask("document.querySelector('.tools .told').textContent"))
    until(lambda: "+" in browser.ask("document.querySelector('.since').textContent"))
    browser.ask(
        "[...document.querySelectorAll('#actions button')].find(each => each.textContent.startsWith('Share')).click()"
    )
    link = until(lambda: browser.ask("document.querySelector('dialog[open] textarea')?.value"))
    assert browser.complaints() == []
    browser.visit(link)
    until(
        lambda: browser.ask("document.querySelector('.tools .told')?.textContent.includes('attack 30 → 45') === true")
    )
    assert not [each for each in browser.requests() if "doc=" in each.partition("#")[0]]
    for asked, told in (
        ("open=replay.json", "fracas publish pack"),
        ("open=game.json", "is of the game pets: this page plays shipped rulesets only"),
        ("open=https://example.org/x.json", "its own site only"),
        ("open=nothing.json", "there is no battle"),
        ("doc=AAAA", "the link"),
    ):
        browser.ask(f"location.hash = '#{asked}'")
        until(functools.partial(says, browser, told))
