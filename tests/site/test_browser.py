"""The site in a real browser: on a host of this machine, and from disk."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.helpers import soak
from tests.helpers.axe import violations
from tests.helpers.browser import until
from tests.helpers.player_page import END, HP, KEEP_FILES, NOW, OUTSIDE, attempts, checked, opened, press, resize

import fracas
from fracas.content.packs import examples_folder
from fracas.site import build

pytestmark = pytest.mark.usefixtures("unwatched")

PAGES = ("index.html", "components.html", "examples/titans/standard.html")
VIEWS = soak.views(360, 1280, 2560)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("site")
    build.write_site(made, build.site_files(("titans",)))
    return made


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        pass


@pytest.fixture(scope="module")
def host(folder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


def test_from_the_index_to_a_battle_that_is_checked_and_no_request_leaves(browser, host, tmp_path):
    battle = fracas.run(fracas.load(examples_folder() / "titans" / "standard.toml"))
    browser.show(f"{host}index.html", 1280, "light")
    browser.ask("document.querySelector('.first').click()")
    until(lambda: browser.ask("location.pathname") == "/examples/titans/standard.html")
    assert checked(browser) == "verified"
    assert battle.digest in browser.ask("document.querySelector('.verdict').textContent")
    press(browser, "End")
    assert browser.ask(NOW) == pytest.approx(browser.ask(END), abs=0.02)
    assert browser.ask(HP) == [max(0, hp) for hp in battle.hp_left]
    until(lambda: browser.ask("document.querySelector('.what-if button') !== null"))
    browser.ask("document.querySelector('.what-if button').click()")
    until(lambda: browser.ask("document.querySelector('.what-if td strong') !== null"))
    assert not [address for address in browser.requests() if not address.startswith((host, f"blob:{host}"))]
    assert browser.complaints() == []
    browser.ask(KEEP_FILES)
    browser.ask(
        "[...document.querySelectorAll('.cover button')].find(each => each.textContent.startsWith('Save')).click()"
    )
    saved = until(lambda: browser.ask("window.saved"))
    browser.ask("document.querySelector('[rel=next]').click()")
    until(lambda: browser.ask("location.pathname") != "/examples/titans/standard.html")
    assert checked(browser) == "verified"
    # The page that was saved needs nothing of the site, and leads back to it.
    (tmp_path / "saved.html").write_text(saved, encoding="utf-8")
    assert opened(browser, tmp_path / "saved.html") == "verified"
    assert browser.ask("document.querySelector('nav a').href").startswith(host)
    asked = [address for address in browser.requests() if not address.startswith("blob:")]
    assert asked == [(tmp_path / "saved.html").as_uri()]
    assert browser.complaints() == []


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_clean_at_every_width_in_both_schemes(browser, host, page):
    browser.show(f"{host}{page}", 1280, "light")
    for width, scheme in VIEWS:
        resize(browser, width, scheme)
        assert browser.ask("document.documentElement.scrollWidth") <= width
        assert browser.ask(OUTSIDE) == []
        until(lambda: browser.ask("document.getAnimations().length") == 0)
        # In the check one page in the dark: that of components shows each of them in both schemes anyway.
        if width == 1280 or (width == 360 and (page == "index.html" or soak.is_on())):
            assert violations(browser) == []


def test_every_component_is_shown_in_both_schemes(browser, host):
    browser.show(f"{host}components.html", 1280, "light")
    filled = (
        "[...document.querySelectorAll('main > section')].map(section => [...section.querySelectorAll('.scheme')]"
        ".map(each => each.textContent.length + each.querySelectorAll('svg').length > 0))"
    )
    shown = browser.ask(filled)
    assert len(shown) == 12
    assert all(each == [True, True] for each in shown)
    grounds = "[...document.querySelectorAll('main .scheme')].map(each => getComputedStyle(each).backgroundColor)"
    assert len(set(browser.ask(grounds))) == 2


def test_it_opens_from_disk_as_well(browser, folder):
    assert opened(browser, folder / "examples" / "titans" / "standard.html") == "verified"
    assert browser.complaints() == []


def test_the_policy_holds(browser, host):
    browser.show(f"{host}index.html", 1280, "light")
    assert attempts(browser)[:2] == (None, "refused")


def test_axe_finds_what_is_planted(browser, host):
    browser.show(f"{host}index.html", 1280, "light")
    browser.ask("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=\"assets/icon.svg\">')")
    assert [each.partition(":")[0] for each in violations(browser)] == ["image-alt"]


def test_the_studio_lists_every_example_and_one_click_opens_it(browser, host):
    battle = fracas.run(fracas.load(examples_folder() / "titans" / "standard.toml"))
    browser.show(f"{host}studio.html", 1280, "light")
    listed = "[...document.querySelectorAll('.examples a')].map(each => each.textContent)"
    names = until(lambda: browser.ask(listed))
    assert "standard" in names
    assert len(names) >= len(list((examples_folder() / "titans").glob("*.toml")))
    browser.ask("[...document.querySelectorAll('.examples a')].find(each => each.textContent === 'standard').click()")
    until(lambda: battle.digest in browser.ask("document.getElementById('verdict').textContent"))
    # The others are in the dialog now.
    browser.ask("[...document.querySelectorAll('dialog .examples a')].at(-1).click()")
    until(lambda: browser.ask("document.getElementById('name').textContent") == names[-1])
    assert browser.complaints() == []
