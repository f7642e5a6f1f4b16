"""Two people with two phones play a duel on the server of one laptop; one is cut off for two rounds."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.live_server import LiveServer
from tests.helpers import soak
from tests.helpers.browser import LAN
from tests.helpers.commands import DONE, call
from tests.helpers.phones import WIDTH, Phone, phones

ROOT = "/api/v1"
# How long a decision may take: two that are missed, and time to come back before the third.
SECONDS = 15
CUT_OFF = 2


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server on all addresses of this machine, over plain http."""
    with socket.socket() as free:
        free.bind(("0.0.0.0", 0))
        port = free.getsockname()[1]
    options = ["--services", "tables,pages", "--sign-up", "open", "--host", "0.0.0.0"]
    options += ["--public-url", f"http://{LAN}:{port}"]
    server = LiveServer(tmp_path_factory.mktemp("laptop"), options)
    server.port = port
    with server:
        yield server
    assert server.faults() == []


def signed_in(phone: Phone, live: LiveServer, handle: str) -> httpx.Client:
    """Give a phone an account; returns a program of the same person."""
    base = f"http://127.0.0.1:{live.port}"
    body = {"handle": handle, "password": "correct horse battery"}
    token = httpx.post(f"{base}{ROOT}/accounts", json=body).json()["token"]
    phone.browser.send("Network.setCookie", name="fracas", value=token, url=live.url)
    return httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"}, timeout=60)


def choose(phone: Phone) -> None:
    """Touch the first choice, unless one is made or it is over."""
    if not phone.ask("document.querySelector('[data-choice][aria-pressed=true]') !== null"):
        phone.tap("[data-choice]:not(:disabled)")


def is_over(phone: Phone) -> bool:
    return bool(phone.ask("document.querySelector('#verdict') !== null"))


@soak.only
def test_two_phones_play_a_duel_and_the_loser_checks_it(live: LiveServer, tmp_path: Path, capsys):
    with phones(tmp_path) as (ann, ben), signed_in(ann, live, "ann") as program, signed_in(ben, live, "ben"):
        asked = {"game": "titans", "scenario": "standard", "seconds": SECONDS}
        identifier = program.post(f"{ROOT}/tables", json=asked).raise_for_status().json()["id"]
        for phone in (ann, ben):
            phone.browser.visit(f"{live.url}/d/{identifier}")
            phone.until("document.readyState === 'complete' && location.pathname.startsWith('/d/')")
            assert phone.ask("isSecureContext") is False
            assert phone.ask("'ontouchstart' in window && innerWidth") == WIDTH
        assert ben.tap("form[action$=seat] button")

        def table() -> Any:
            return program.get(f"{ROOT}/tables/{identifier}").json()

        def play_until(step: int, players: tuple[Phone, ...]) -> None:
            while (found := table())["step"] < step and found["state"] != "over":
                for phone in players:
                    choose(phone)
                time.sleep(0.1)

        for phone in (ann, ben):
            phone.until("document.querySelector('[data-choice]') !== null")
            assert phone.ask("document.documentElement.scrollWidth") <= WIDTH
        play_until(3, (ann, ben))
        gone_at = table()["step"]
        ben.vanish()
        play_until(gone_at + CUT_OFF, (ann,))
        ben.come_back()
        back = time.monotonic()
        play_until(gone_at + CUT_OFF + 2, (ann, ben))
        took = time.monotonic() - back
        while not (is_over(ann) and is_over(ben)):
            for phone in (ann, ben):
                choose(phone)
            time.sleep(0.1)

        ending = table()["ending"]
        assert ending["decided"], ending
        loser = ann if ending["winner"] == 2 else ben
        said = loser.until("document.querySelector('#verdict.good, #verdict.bad')?.textContent")
        assert "were kept" in said, said
        assert "played again on this device" in said, said
        text = loser.ask(f"fetch('{ROOT}/tables/{identifier}/proof').then((answer) => answer.text())", waits=True)
        proof = json.loads(text)
        assert proof["missed"] == [[gone_at + number, 2] for number in range(CUT_OFF)]
        file = tmp_path / "proof.json"
        file.write_text(text, encoding="utf-8")
        result = call(capsys, "verify", file)
        assert result.status == DONE, result
        print(f"two steps within {took:.0f} s of coming back; the loser's page: {said}\n{result.out}")
