"""A server with leagues, matches, a hidden entry and a class, looked at without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.helpers.serving import Client, RunningServer
from tests.server.arena.test_routes import LEAGUE, OTHER, ROOT, TEAM, fought, submitted, tick
from tests.server.conftest import SETTINGS

from fracas.server.arena import bot_files
from fracas.server.clock import SECOND, SteppingClock
from fracas.server.database.engine import Database

HTML = {"Accept": "text/html"}


class Links(HTMLParser):
    """What a page links to, where its forms go, and whether it has scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[tuple[str, str]] = []
        self.ids: set[str] = set()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.add(tag)
        self.attributes |= found.keys()
        for name in ("href", "src"):
            if found.get(name) is not None:
                self.links.append(str(found[name]))
        if tag == "form":
            self.forms.append((str(found.get("method", "get")), str(found.get("action", ""))))
        if found.get("id") is not None:
            self.ids.add(str(found["id"]))


class Browser:
    """A browser without JavaScript: it keeps cookies, asks for HTML, follows redirects and sends forms."""

    def __init__(self, server: RunningServer) -> None:
        self.client: Client = server.client(**HTML)
        self.server = server

    def get(self, path: str) -> httpx.Response:
        return self.client.get(path, follow_redirects=True)

    def send(self, path: str, **fields: str) -> httpx.Response:
        # Browsers name the type of an empty form too.
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.client.request("POST", path, data=fields, headers=headers, follow_redirects=True)

    def registered(self, handle: str) -> Browser:
        answer = self.send("/register", handle=handle, password="correct horse battery")
        assert answer.status_code == 200, answer.text
        assert answer.url.path in ("/entries/new", "/account")
        return self


@dataclass
class Place:
    """The server, and what there is to see."""

    server: RunningServer
    open_match: dict[str, Any]
    hidden_match: dict[str, Any]
    ann: Client

    def browser(self) -> Browser:
        return Browser(self.server)


@pytest.fixture(scope="module")
def place(
    tmp_path_factory: pytest.TempPathFactory, open_new: Callable[[Path], Database], few_bots: Path
) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "leagues").mkdir()
    for name, reveal in (("open", "after_match"), ("hidden", "season_end")):
        text = LEAGUE.format(id=name, ruleset="squads", reveal=reveal)
        (folder / "leagues" / f"{name}.toml").write_text(text)
    settings = replace(SETTINGS, secret_file=str(folder / "fracas.secret"), leagues=str(folder / "leagues"))
    database = open_new(folder)
    with pytest.MonkeyPatch.context() as patched, RunningServer(settings, database, SteppingClock()) as server:
        patched.setattr(bot_files, "FOLDER", few_bots)
        ann, bob, match = fought(server)
        for client, document in ((ann, TEAM), (bob, OTHER)):
            client.post(f"{ROOT}/tickets", {"entry": submitted(client, "hidden", document)})
            server.clock.step(SECOND)
        assert tick(server) == 1
        hidden = ann.get(f"{ROOT}/matches", params={"league": "hidden"}).json()["items"][0]
        assert re.fullmatch(r"[0-9a-z]+", hidden["id"])
        yield Place(server, match, hidden, ann)
    database.close()
