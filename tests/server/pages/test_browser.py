"""The pages of a server that runs, in a real browser: a newcomer's way through them, and each kind of page by itself.

Every kind of page is looked at in both colour schemes and three widths: nothing scrolls sideways, axe-core finds
nothing, the browser has nothing to say against it, so that the policies hold, and every link answers.

The server has a name as in a local network, without TLS. There a browser offers a page less than on localhost: no
crypto.subtle, no clipboard, no shared memory.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag

import httpx
import pytest
from benchmarks.live_server import LiveServer
from tests.helpers import soak
from tests.helpers.axe import violations
from tests.helpers.browser import LAN, Browser, Navigated

from fracas.server.arena.league import SHIPPED

WIDTHS, SCHEMES = (360, 768, 1280), ("light", "dark")
TEXT = (SHIPPED / "squads.toml").read_text(encoding="utf-8")
PASSWORD = "correct horse battery"
PATIENCE = 60.0


@dataclass
class Visitor:
    """Somebody with a browser."""

    browser: Browser
    url: str

    @property
    def path(self) -> str:
        """Where the browser is."""
        return str(self.browser.ask("location.pathname"))

    def show(self, path: str) -> None:
        self.browser.show(self.url + path, WIDTHS[-1], SCHEMES[0])

    def send(self, action: str, **fields: str) -> None:
        """Fill in the form that goes somewhere and press its last button."""
        form = f"document.querySelector('form[action=\"{action}\"]')"
        self.browser.ask("window.left = false")
        for name, value in fields.items():
            self.browser.ask(f"{form}.elements.namedItem({json.dumps(name)}).value = {json.dumps(value)}")
        self.browser.ask(f"[...{form}.querySelectorAll('button')].at(-1).click()")
        end = time.monotonic() + PATIENCE
        while self.is_here():
            assert time.monotonic() < end, f"{action} leads nowhere"
            time.sleep(0.02)
        problems = self.browser.ask("document.querySelector('div.problems')?.textContent")
        assert problems is None, f"{action}: {problems}"

    def is_here(self) -> bool:
        """Whether the page that was left is still shown, or the next one is not whole."""
        try:
            return bool(self.browser.ask("document.readyState !== 'complete' || window.left === false"))
        except Navigated:
            return True

    def until(self, expression: str) -> None:
        """Wait until something is so on the page."""
        end = time.monotonic() + PATIENCE
        while not self.browser.ask(expression):
            assert time.monotonic() < end, f"never {expression}; {self.faults()}"
            time.sleep(0.02)

    def leads_to(self) -> set[str]:
        """The addresses of the page's links on this server."""
        found = self.browser.ask("[...document.links].map(each => each.href)")
        return {urldefrag(each)[0] for each in found if each.startswith(self.url)}

    def cookies(self) -> dict[str, str]:
        found = self.browser.send("Network.getCookies", urls=[self.url])["cookies"]
        return {each["name"]: each["value"] for each in found}

    def faults(self) -> list[str]:
        """What the browser has to say against the page, and what the page says on the console."""
        found = self.browser.complaints()
        spoken = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown")
        return found + [str(each["params"]) for each in self.browser.events if each["method"] in spoken]

    def problems_of(self, path: str) -> list[str]:
        """What is wrong with a page at any width in any scheme."""
        self.show(path)
        return [f"{path}: {each}" for each in self.problems()]

    def problems(self) -> list[str]:
        """What is wrong with the page that is shown."""
        found = []
        for scheme in SCHEMES if soak.is_on() else [SCHEMES[len(self.path) % 2]]:
            for width in WIDTHS:
                self.browser.view(width, scheme)
                if (wide := self.browser.ask("document.documentElement.scrollWidth")) > width:
                    found.append(f"{width} {scheme}: {wide} wide")
            found += [f"{scheme}: {each}" for each in violations(self.browser)]
        return found + self.faults()


@pytest.fixture(scope="module")
def live(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A demo server with a league of each way to reveal, in which matches appear."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "leagues").mkdir()
    (folder / "leagues" / "squads.toml").write_text(TEXT)
    hidden = TEXT.replace('id = "squads"', 'id = "hidden"\nbots = "squads"')
    (folder / "leagues" / "hidden.toml").write_text(hidden.replace('"after_match"', '"season_end"'))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Tables have a server of their own in test_table_browser.py; here they would be warmed up for nobody.
    options = ["--demo", "--leagues", "leagues", "--services", "resolver,arena,pages"]
    found = LiveServer(folder, [*options, "--public-url", f"http://{LAN}:{port}"])
    found.port = port
    with found as server:
        end = time.monotonic() + PATIENCE
        while not all(latest(server, league) for league in ("squads", "hidden")):
            assert time.monotonic() < end, "nobody fights in the demo"
            time.sleep(0.05)
        yield server
    assert server.faults() == []


@pytest.fixture(scope="module")
def visitor(browser: Browser, live: LiveServer) -> Visitor:
    return Visitor(browser, live.url)


def loopback(address: str) -> str:
    """An address of the server for programs, which do not know its name."""
    return address.replace(LAN, "127.0.0.1")


def latest(live: LiveServer, league: str) -> str:
    """The latest match of a league; empty before there is one."""
    items = httpx.get(f"{loopback(live.url)}/api/v1/matches", params={"league": league}).json()["items"]
    return str(items[0]["id"]) if items else ""


def refused(visitor: Visitor, paths: set[str]) -> list[str]:
    """Addresses that do not answer somebody with the browser's cookies."""
    with httpx.Client(cookies=visitor.cookies(), follow_redirects=True) as client:
        html = {"Accept": "text/html"}
        answers = {each: client.get(loopback(each), headers=html).status_code for each in sorted(paths)}
    return [f"{address}: {status}" for address, status in answers.items() if status != 200]


def looked_at(visitor: Visitor, paths: list[str]) -> None:
    """Look at pages: nothing is wrong with any of them, and all their links answer.

    They stand in a tab that nobody looks at, so that none plays for odds.
    """
    problems, links = list[str](), set[str]()
    with visitor.browser.hidden():
        for path in paths:
            problems += visitor.problems_of(path)
            links |= visitor.leads_to()
    assert problems == []
    assert len(links) > len(paths)
    assert refused(visitor, links) == []


def test_pages_that_anyone_may_read(live: LiveServer, visitor: Visitor):
    paths = [f"/api/v1/matches/{latest(live, league)}" for league in ("squads", "hidden")]
    found = [httpx.get(loopback(live.url + each)).json() for each in paths]
    match, hidden = (f"/m/{each['id']}" for each in found)
    entry, sealed = (f"/e/{each['sides'][0]['entry']}" for each in found)
    paths = ["/", "/leagues/squads", "/leagues/squads/days", "/leagues/squads/bots", "/p/demo-ada", "/matches"]
    paths += [entry, sealed, match, hidden, f"{match}/legs/0", f"{hidden}/legs/0"]
    paths += ["/classes", "/sign-in", "/register", "/recover"]
    looked_at(visitor, paths)
    visitor.show(match)
    wanted = {"/leagues/squads"}
    for side in found[0]["sides"]:
        wanted |= {f"/e/{side['entry']}", f"/p/{side['account']['handle']}"}
    assert {live.url + each for each in wanted} <= visitor.leads_to()


def test_the_player_plays_a_leg_and_leads_back(live: LiveServer, visitor: Visitor):
    match = f"/m/{latest(live, 'squads')}"
    visitor.show(f"{match}/legs/1/player")
    end = time.monotonic() + PATIENCE
    while "Verified on this device" not in visitor.browser.ask("document.body.textContent"):
        assert time.monotonic() < end, "the player verifies nothing"
        time.sleep(0.05)
    assert visitor.browser.ask("[isSecureContext, crypto.subtle === undefined]") == [False, True]
    wanted = {"/leagues/squads", match, f"{match}/legs/1", f"{match}/legs/0/player"}
    assert {live.url + each for each in wanted} <= visitor.leads_to()
    assert visitor.problems_of(f"{match}/legs/1/player") == []


COUNTED = "document.querySelector('.rivals .amount') && !document.querySelector('.rivals').textContent.includes('…')"
LEGAL = "document.querySelector('.cost')?.textContent.startsWith('Legal')"
TITLE = "document.querySelector('[name=title]')"
WRITTEN = "document.querySelector('.cm-content').innerText"


def edited(visitor: Visitor) -> None:
    """Change the entry on the page: by the form, by hand, wrongly, and after a reload."""
    browser = visitor.browser
    # Before there is a title.
    visitor.until(LEGAL)
    visitor.until(COUNTED)
    assert "played on this device" in browser.ask("document.querySelector('.odds .told').textContent")
    before = browser.ask(WRITTEN)
    browser.ask(
        "(() => { const unit = document.querySelector('[data-path=\"units.0\"]'); unit.value = '1';"
        "unit.dispatchEvent(new Event('change')); })()"
    )
    visitor.until(f"{WRITTEN} !== {json.dumps(before)}")
    visitor.until("[...document.querySelectorAll('.rivals .since')].some(each => /[+−]/.test(each.textContent))")
    browser.ask("document.querySelector('.cm-content').focus()")
    browser.strike("Home", 36, 2)
    browser.send("Input.insertText", text="unts = 1\n# mine\n")
    visitor.until("document.querySelector('.cost').textContent === '1 problem'")
    visitor.until("document.querySelector('.cm-lintRange-error')?.textContent === 'unts'")
    browser.ask("document.querySelector('.cm-content').focus()")
    browser.strike("Home", 36, 2)
    for _ in range(len("unts = 1\n")):
        browser.strike("Delete", 46)
    visitor.until(LEGAL)
    kept = browser.ask(WRITTEN)
    browser.ask(f"{TITLE}.value = 'Half a title'; {TITLE}.dispatchEvent(new Event('input'))")
    visitor.show("/entries/new?league=squads")
    assert browser.ask(f"{TITLE}.value") == "Half a title"
    visitor.until("document.getElementById('banner').textContent.startsWith('What you had not submitted')")
    assert browser.ask(WRITTEN) == kept
    assert kept.startswith("# mine")
    visitor.until(LEGAL)
    visitor.until(COUNTED)
    assert visitor.problems() == []


def test_a_study_is_followed_until_its_result(live: LiveServer, visitor: Visitor):
    visitor.show(f"/m/{latest(live, 'squads')}/legs/0")
    visitor.browser.ask("[...document.links].find(each => each.textContent === 'Study it').click()")
    visitor.until("location.pathname === '/jobs/new' && document.readyState === 'complete'")
    visitor.send("/jobs/new", kind="simulate", n="20000")
    job, found = visitor.path, "document.body.textContent.includes('What it found')"
    visitor.until(f"{found} || /^running, /.test(document.querySelector('[role=status]').textContent)")
    # Nobody presses anything: the page loads itself again at the end.
    visitor.until(found)
    assert visitor.faults() == []
    looked_at(visitor, ["/jobs", "/jobs/new", job])
    visitor.show("/jobs/new")
    visitor.send("/jobs/new", kind="simulate", n="100000000")
    assert visitor.problems_of(visitor.path) == []
    visitor.show(visitor.path)
    visitor.send(f"{visitor.path}/cancel")
    assert "It was cancelled" in visitor.browser.ask("document.body.textContent")


def enter_rivals(live: LiveServer, cup: str) -> None:
    """Enter a tournament as four others."""
    team = {"units": ["scout", "bronze_knight", "novice_cleric"]}
    for number in range(4):
        with httpx.Client(base_url=f"{loopback(live.url)}/api/v1/") as client:
            made = client.post("accounts", json={"handle": f"rival-{number}", "password": PASSWORD})
            client.headers["Authorization"] = f"Bearer {made.json()['token']}"
            body = {"league": "squads", "title": "A team", "document": team}
            entry = client.post("entries", json=body).json()["entry"]
            assert client.post(f"tournaments/{cup}/entrants", json={"entry": entry}).status_code == 201


def test_a_newcomer_registers_submits_practises_and_teaches(live: LiveServer, visitor: Visitor):
    visitor.show("/leagues/squads")
    visitor.browser.ask("[...document.links].find(each => each.textContent.startsWith('Sign in to')).click()")
    end = time.monotonic() + PATIENCE
    came_from = None
    while visitor.path != "/sign-in" or not came_from:
        assert time.monotonic() < end
        time.sleep(0.02)
        came_from = visitor.browser.ask("document.querySelector('[name=came_from]')?.value")
    visitor.show(f"/register?came_from={came_from}")
    visitor.send("/register", handle="newcomer", password=PASSWORD)
    assert visitor.path + visitor.browser.ask("location.search") == "/entries/new?league=squads"
    edited(visitor)
    visitor.send("/entries/new", title="My first team")
    entry = visitor.path
    assert entry.startswith("/e/")
    assert "# mine" not in visitor.browser.ask("JSON.stringify({...localStorage})")
    # Without the rules on the device the server plays.
    visitor.browser.send("Network.setBlockedURLs", urls=["*.wasm"])
    visitor.show(f"{entry}/versions")
    visitor.until("document.querySelector('.rivals li')?.textContent.startsWith('Your version 1')")
    assert "played on the server" in visitor.browser.ask("document.querySelector('.odds .told').textContent")
    assert visitor.browser.ask("document.getElementById('banner').textContent") == ""
    visitor.browser.send("Network.setBlockedURLs", urls=[])
    visitor.show(entry)
    visitor.send(f"{entry}/practice")
    practised = visitor.path
    assert practised.startswith("/m/")
    visitor.show("/tournaments")
    visitor.send("/tournaments", title="Friday cup", league="squads")
    cup = visitor.path
    visitor.send(f"{cup}/enter")
    enter_rivals(live, cup.rpartition("/")[2])
    visitor.show(cup)
    visitor.send(f"{cup}/start")
    end = time.monotonic() + PATIENCE
    while "The winner is" not in visitor.browser.ask("document.body.textContent"):
        assert time.monotonic() < end, "the tournament does not end"
        time.sleep(0.1)
        visitor.show(cup)
    # Three byes among the first four pairings of five.
    assert visitor.browser.ask("document.querySelectorAll('.pairing').length") == 4 + 2 + 1
    visitor.show("/classes")
    visitor.send("/classes", title="Year 9")
    taught = visitor.path
    visitor.until(COUNTED)
    visitor.send(f"{taught}/entries", title="Mine")
    visitor.until("document.querySelector('.rivals li')?.textContent.startsWith('Your version 1')")
    paths = ["/account", "/entries", "/entries/new", "/entries/new?league=squads", entry, f"{entry}/versions"]
    paths += ["/classes", taught, "/tournaments", cup]
    # Matches and people of others are looked at above.
    looked_at(visitor, paths + [practised, "/p/newcomer"] * soak.is_on())
    visitor.show("/")
    visitor.send("/sign-out")
    assert visitor.path == "/"
    assert not any(visitor.cookies().values())
