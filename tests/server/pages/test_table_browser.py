"""Two people play in two pages of a browser, over plain http on a name of a local network; others watch, and check."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.live_server import LiveServer
from tests.helpers import soak
from tests.helpers.axe import violations
from tests.helpers.browser import LAN, Browser

ROOT = "/api/v1"
EXAMPLES = Path(__file__).parents[3] / "examples" / "games"
GAMES = ("roshambo", "cards")
PATIENCE = 20.0
BUILDING = 120.0
# A server that sends other choices to be played than those of the proof.
OTHER_CHOICES = """{
  const real = window.fetch;
  window.fetch = async (address, ...rest) => {
    const answer = await real(address, ...rest);
    if (!String(address).endsWith("/bundle")) return answer;
    const bundle = await answer.json();
    bundle.decisions.rows[0][2] = 1 - bundle.decisions.rows[0][2] % 2;
    return new Response(JSON.stringify(bundle));
  };
  window.table.check();
}"""
PLAYED_AGAIN = "Every event was played again on this device, with the same digest."
_numbers = count()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with tables, on a name that browsers do not trust."""
    folder = tmp_path_factory.mktemp("tables")
    with socket.socket() as free, pytest.MonkeyPatch.context() as patch:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        patch.setenv("FRACAS_GAMES", os.pathsep.join(str(EXAMPLES / each / f"{each}.py") for each in GAMES))
        patch.setenv("FRACAS_JIT", "0")
        options = ["--services", "tables,pages", "--sign-up", "open", "--public-url", f"http://{LAN}:{port}"]
        server = LiveServer(folder, options)
        server.port = port
        free.close()
        with server:
            # Modules are built in the background, once for each version of the rules.
            for game in GAMES:
                end = time.monotonic() + BUILDING
                while httpx.get(f"http://127.0.0.1:{port}/assets/wasm/{game}.json").status_code != 200:
                    assert time.monotonic() < end, f"no module of {game}"
                    time.sleep(0.2)
            yield server
    assert server.faults() == []


class Page:
    """A page of one player: cookies of its own in the same browser."""

    def __init__(self, browser: Browser, live: LiveServer, handle: str) -> None:
        self.browser, self.live = browser, live
        browser.session = None
        self.context = browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.take()
        for domain in ("Page", "Network", "Log", "Runtime"):
            browser.send(f"{domain}.enable")
        body = {"handle": handle, "password": "correct horse battery"}
        url = live.url.replace(LAN, "127.0.0.1")
        self.token = httpx.post(f"{url}{ROOT}/accounts", json=body).json()["token"]
        self.programs = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {self.token}"})
        browser.send("Network.setCookie", name="fracas", value=self.token, url=live.url)

    def take(self) -> Browser:
        """The browser, at this page."""
        self.browser.session = self.session
        return self.browser

    def close(self) -> None:
        """Close the page, which would look for its server for ever."""
        self.programs.close()
        self.browser.session = None
        self.browser.send("Target.disposeBrowserContext", browserContextId=self.context)

    def settle(self) -> None:
        """Wait until the stage has acted out what was told."""
        self.until("window.table.isSettled")

    def ask(self, expression: str) -> Any:
        return self.take().ask(expression)

    def choose(self, number: int) -> None:
        """Press a choice, unless one is made."""
        buttons = "[...document.querySelectorAll('.table-choices button')]"
        self.ask(f"{buttons}.some(each => each.ariaPressed === 'true') || {buttons}.at({number})?.click()")

    def until(self, expression: str) -> Any:
        end = time.monotonic() + PATIENCE
        while not (found := self.ask(expression)):
            said = self.ask("document.body.innerText")
            assert time.monotonic() < end, f"never {expression}:\n{said}\n{self.browser.complaints()}"
            time.sleep(0.05)
        return found


@pytest.fixture
def players(browser: Browser, live: LiveServer) -> Iterator[list[Page]]:
    before = browser.session
    pages = [Page(browser, live, handle) for handle in (f"ann{next(_numbers)}", f"ben{next(_numbers)}")]
    yield pages
    for each in pages:
        each.close()
    browser.session = before


@pytest.fixture
def stranger(browser: Browser, live: LiveServer) -> Iterator[Page]:
    """Somebody who is signed in nowhere."""
    before = browser.session
    page = Page(browser, live, f"eve{next(_numbers)}")
    page.take().send("Network.clearBrowserCookies")
    yield page
    page.close()
    browser.session = before


def test_two_people_play_to_the_end_and_both_check_the_dice(players: list[Page], stranger: Page, live: LiveServer):
    one, two = players
    made = one.programs.post(f"{ROOT}/tables", json={"game": "roshambo", "seconds": 120}).json()
    path = f"{live.url}/d/{made['id']}"
    one.take().show(path, 360, "light")
    two.take().show(path, 360, "dark")
    assert two.ask("isSecureContext") is False
    two.ask("document.querySelector('form[action$=seat] button').click()")
    for page in players:
        page.until("document.querySelectorAll('.table-choices button').length >= 3")
        assert page.ask("document.documentElement.scrollWidth") <= 360
        assert violations(page.take()) == []
    # The first by the keyboard, the other by a press; nobody sees anything before both have chosen.
    one.ask("document.querySelector('.table-choices').onclick = () => { window.presses = (window.presses ?? 0) + 1; }")
    one.take().strike("1", 49)
    one.take().send("Input.dispatchKeyEvent", type="keyDown", key="2", windowsVirtualKeyCode=50, autoRepeat=True)
    assert one.ask("window.presses") == 1
    two.until("document.querySelector('.table-card.side1').textContent === 'has chosen'")
    assert "rock" not in two.ask("document.querySelector('.screen').textContent")
    two.ask("document.querySelectorAll('.table-choices button')[1].click()")
    for page in players:
        cards = page.until("document.querySelectorAll('.table-card.open').length === 2 && document.body.innerText")
        assert "Needle Street shows paper" in cards
    # One loses the network for a round: it comes back and has missed nothing.
    two.take().send(
        "Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1
    )
    two.ask("window.table.socket.close(4000)")
    one.until("document.querySelector('.side2 .away') !== null")
    one.ask("document.querySelectorAll('.table-choices button')[0].click()")
    two.take().send(
        "Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1
    )
    two.until("document.querySelector('.table-card.side1').textContent === 'has chosen'")
    while not one.ask("document.querySelector('#verdict') !== null"):
        for page, choice in ((one, 0), (two, 1)):
            page.choose(choice)
        time.sleep(0.05)
    proof = httpx.get(f"{one.programs.base_url}{ROOT}/tables/{made['id']}/proof").json()
    assert proof["result"]["reason"] == "down"
    for page, word in zip(players, ("win", "lose") if proof["result"]["winner"] == 1 else ("lose", "win"), strict=True):
        said = page.until("document.querySelector('#verdict.good, #verdict.bad')?.textContent")
        assert said.endswith(PLAYED_AGAIN), said
        assert (
            page.until("document.querySelector('.cover[data-kind=end]:not([hidden]) .who')?.textContent")
            == f"You {word}"
        )
        check_stage(page, proof)
        assert violations(page.take()) == []
    one.ask(OTHER_CHOICES)
    said = one.until("document.querySelector('#verdict.bad')?.textContent")
    assert said == "Do not trust this: what is to be played is not what the proof says."
    one.ask("window.table.socket.close(4404)")
    one.until("document.querySelector('.table-status').textContent === 'This table is no longer here.'")
    # Who lost, and a stranger, see each step of the check.
    for page in (*players, stranger):
        page.take().show(f"{path}/proof", 360, "dark")
        said = page.until("document.querySelector('#verdict.good, #verdict.bad')?.textContent")
        assert ("what this device was promised" in said) == (page is not stranger), said
        # The file, the table, the seed, both salts, the events; for players the three things that were noted.
        checks = 6 if page is stranger else 9
        assert page.ask("document.querySelectorAll('.proof-steps .good').length") == checks
        assert page.ask("document.documentElement.scrollWidth") <= 360
        assert violations(page.take()) == []


def check_stage(page: Page, proof: dict[str, Any]) -> None:
    """The last frame of a page's stage is the result, and it is the one that is shown."""
    newest = "window.table.stage.newest"
    assert page.ask(f"{newest}.kind") == "end"
    assert page.ask(f"{newest}.scene.winner") == proof["result"]["winner"]
    assert page.ask(f"window.table.stage.stage.frame === {newest}")
    shown = page.ask("window.table.view.sides.map(each => each.values.find(({name}) => /^hp$/i.test(name)).value)")
    assert page.ask(f"{newest}.hp.slice(1)") == shown
    fallen = page.ask("[...document.querySelectorAll('.stage .unit')].map(each => each.classList.contains('fallen'))")
    assert fallen == [hp == 0 for hp in shown]


@pytest.mark.parametrize(
    ("game", "scenario", "choices"),
    # Short ones: in cards the last choice is the costliest card, in titans one side only strikes. Cards also hides
    # hands, and the pages of titans are played below in every check.
    soak.some([("cards", "night-thief", (-1, -1)), ("titans", "bastion-striker", (0, 1))], 1),
)
def test_titans_and_cards_are_played_to_the_end_while_somebody_watches(
    players: list[Page], stranger: Page, live: LiveServer, game: str, scenario: str, choices: tuple[int, int]
):
    """Bodies are drawn and fall; who watches is never told what a hand holds; all widths and both schemes fit."""
    one, two = players
    asked = {"game": game, "scenario": scenario, "seconds": 600}
    made = one.programs.post(f"{ROOT}/tables", json=asked).json()
    path = f"{live.url}/d/{made['id']}"
    stranger.take().show(path, 768, "dark")
    stranger.until("document.querySelectorAll('.cover .crowd svg').length === 2")
    assert violations(stranger.take()) == []
    one.take().show(path, 1440, "light")
    two.take().show(path, 360, "dark")
    two.ask("document.querySelector('form[action$=seat] button').click()")
    for page in (*players, stranger):
        page.until(
            "document.querySelector('.cover')?.hidden && document.querySelectorAll('.unit svg.body').length === 2"
        )
        page.settle()
        assert violations(page.take()) == []
    for width in (768, 1280, 1440):
        one.take().view(width, "dark")
        assert one.ask("document.documentElement.scrollWidth") <= width
    assert two.ask("document.documentElement.scrollWidth") <= 360
    # Buttons are as high as a thumb is wide.
    tall = "[...document.querySelectorAll('.table-choices button')].every(each => each.offsetHeight >= 44)"
    assert one.ask(tall)
    assert two.ask(tall)
    # Nobody's page moves who prefers that nothing does.
    calm = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    for page in (*players, stranger):
        page.take().send("Emulation.setEmulatedMedia", features=calm)
    moving = "document.getAnimations().filter(each => each.playState === 'running').length"
    while not one.ask("document.querySelector('#verdict') !== null"):
        for page, choice in zip(players, choices, strict=True):
            page.choose(choice)
        assert two.ask(moving) == 0
        time.sleep(0.05)
    proof = httpx.get(f"{one.programs.base_url}{ROOT}/tables/{made['id']}/proof").json()
    if game == "cards":
        assert " draws " not in stranger.ask("document.querySelector('.table-story').textContent.split('wins')[0]")
    for page in (*players, stranger):
        page.until("document.querySelector('.cover[data-kind=end]:not([hidden])') !== null")
        check_stage(page, proof)
        said = page.until("document.querySelector('#verdict.good, #verdict.bad')?.textContent")
        assert said.endswith(PLAYED_AGAIN), said
        page.ask("[...document.querySelectorAll('.cover button')].at(-1).click()")
        assert page.ask("document.querySelector('.cover').hidden")
        assert violations(page.take()) == []
    # Who opens it now sees the end at once.
    stranger.take().show(path, 360, "light")
    stranger.until("document.querySelector('.cover[data-kind=end]:not([hidden])') !== null")
    check_stage(stranger, proof)


def test_the_lobby_and_a_duel_of_titans_with_a_bot_that_the_page_plays_again(players: list[Page], live: LiveServer):
    """WebAssembly plays every event again."""
    one = players[0]
    one.take().show(f"{live.url}/tables", 360, "light")
    assert one.ask("document.documentElement.scrollWidth") <= 360
    assert violations(one.take()) == []
    asked = {"game": "titans", "scenario": "ada-and-bo", "bot": "random", "seconds": 600}
    made = one.programs.post(f"{ROOT}/tables", json=asked).json()
    one.take().show(f"{live.url}/d/{made['id']}", 1280, "dark")
    one.until("document.querySelectorAll('.table-choices button').length >= 3")
    assert "damage expected" in one.ask("document.querySelector('.table-choices').textContent")
    while not one.ask("document.querySelector('#verdict') !== null"):
        one.choose(0)
        time.sleep(0.05)
    said = one.until("document.querySelector('#verdict.good, #verdict.bad')?.textContent")
    assert "played again on this device" in said, said
    assert violations(one.take()) == []


def test_a_quick_match_says_that_it_is_rated_and_what_it_did(players: list[Page], live: LiveServer):
    one, two = players
    made = [each.programs.post(f"{ROOT}/tables/quick", json={"game": "roshambo"}).json() for each in players]
    assert made[0]["id"] == made[1]["id"]
    for page, scheme in zip(players, ("light", "dark"), strict=True):
        page.take().show(f"{live.url}/d/{made[0]['id']}", 360, scheme)
    for page in players:
        page.until("document.querySelectorAll('.table-choices button').length >= 3")
        assert "Rated." in page.ask("document.querySelector('#table').innerText")
        page.choose(0)
    for page in players:
        page.until("window.table.last === 1")
        page.settle()
    two.ask("window.table.say('resign', {})")
    for page, sign in ((one, "+"), (two, "−")):
        page.until("document.querySelector('#table').innerText.includes('Your rating: 1500 →')")
        assert f"({sign}" in page.ask("document.querySelector('#table').innerText")
    handle = one.programs.get(f"{ROOT}/account").json()["handle"]
    for path in ("/tables", "/ladders/roshambo", "/account"):
        for page, width in ((one, 360), (one, 1200)):
            page.take().show(f"{live.url}{path}", width, "light" if width == 360 else "dark")
            assert page.ask("document.documentElement.scrollWidth") <= width, path
            assert violations(page.take()) == [], path
            # This server has no leagues, and so no profiles.
            assert page.ask("document.querySelectorAll('a[href^=\"/p/\"]').length") == 0
    one.take().show(f"{live.url}/ladders/roshambo?around={handle}", 360, "light")
    assert handle in one.ask("document.querySelector('tr.mine').innerText")
