"""A robot follows every link and finds nothing dead, as nobody and as somebody who has everything."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import urldefrag, urljoin

import pytest
from tests.helpers.serving import RunningServer
from tests.server.pages.conftest import Browser, Links, Place

from fracas.server.app import create_app
from fracas.server.http.middleware import PAGE_POLICY
from fracas.server.settings import Settings

PAIR = 'ruleset = "relics"\nleft = { items = ["horned_helm"] }\nright = {}'
# Nothing here is inline: the policy would refuse it.
FORBIDDEN_TAGS = {"script", "style", "iframe", "object", "embed"}


def walk(browser: Browser, first: str = "/") -> dict[str, Links | None]:
    """Every page and file that can be reached; None for what is no page."""
    waiting, seen = [first], dict[str, Links | None]()
    anchors: list[tuple[str, str, str]] = []
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        answer = browser.get(path)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        if not answer.headers["content-type"].startswith("text/html") or path.endswith("/player"):
            seen[path] = None
            continue
        found = seen[path] = Links(answer.text)
        # A page with an editor has its scripts, the rules and their workers, and the styles that its text needs.
        policy = answer.headers["content-security-policy"]
        edits = {"script"} if "wasm-unsafe-eval" in policy else set()
        # The page of a job that goes on is told how far it is.
        edits |= {"script"} if "/jobs.js" in found.links else set()
        assert re.sub(r" 'wasm-unsafe-eval'; worker-src blob:| 'nonce-\w+'", "", policy) == PAGE_POLICY
        assert found.tags & FORBIDDEN_TAGS == edits, path
        assert not any(re.findall(r"<script[^>]*>(.*?)</script>", answer.text, re.S)), path
        assert not {name for name in found.attributes if name == "style" or name.startswith("on")}, path
        for link in found.links:
            target, anchor = urldefrag(urljoin(path, link))
            assert target.startswith("/"), f"{path} links to {target}"
            if anchor:
                anchors.append((path, target, anchor))
            waiting.append(target)
    for path, target, anchor in anchors:
        page = seen[target]
        assert page is None or anchor in page.ids, f"{path} links to {target}#{anchor}"
    return seen


def test_no_link_is_dead_for_nobody(place: Place):
    seen = walk(place.browser())
    names = set(seen)
    for path in ("/", "/register", "/sign-in", "/recover", "/leagues/open", "/leagues/open/days", "/p/ann", "/classes"):
        assert path in names
    match = f"/m/{place.open_match['id']}"
    assert {match, f"{match}/legs/0", f"{match}/legs/0/player", f"{match}/legs/1"} <= names
    hidden = f"/m/{place.hidden_match['id']}"
    assert {hidden, f"{hidden}/legs/0"} <= names
    assert f"{hidden}/legs/0/player" not in names


def test_no_link_is_dead_for_somebody_with_everything(place: Place):
    browser = place.browser().registered("cara")
    browser.send("/classes", title="Year 9", league="open")
    browser.send("/entries/new", do="submit", league="open", title="Mine", document="units = ['scout']")
    asked = browser.send("/jobs/new", kind="simulate", n="10", scenario=PAIR)
    assert asked.url.path.startswith("/jobs/0"), asked.text
    seen = walk(browser)
    assert {
        "/account",
        "/jobs",
        "/jobs/new",
        asked.url.path,
        "/entries",
        "/entries/new",
        "/api/v1/account/export",
    } <= set(seen)
    assert any(path.startswith("/e/") and path.endswith("/versions") for path in seen)


def test_every_form_leads_to_a_route(place: Place):
    """Each form's action is a route of the table, by its method."""
    browser = place.browser().registered("dora")
    browser.send("/classes", title="Year 9", league="open")
    rows = place.server.app.state.access.rows
    forms = {form for found in walk(browser).values() if found is not None for form in found.forms}
    assert len(forms) > 10
    for method, action in forms:
        assert any(
            method.upper() == row and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), action.partition("?")[0])
            for row, path in rows
        ), (method, action)


@pytest.mark.parametrize("services", [("pages",), ("pages", "resolver")])
def test_pages_without_an_arena_have_no_dead_links(place: Place, services, sqlite, clock):
    with RunningServer(replace(place.server.settings, services=services), sqlite, clock) as server:
        seen = walk(Browser(server))
        assert {"/", "/register", "/sign-in"} <= set(seen)
        assert "/matches" not in seen
        walk(Browser(server).registered("ann"))


def test_an_arena_without_pages_has_no_page():
    rows = create_app(Settings(services=("arena", "resolver"))).state.access.rows
    assert ("GET", "/") not in rows
