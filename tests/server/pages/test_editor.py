"""What the editor of entries asks: the league's own check, choices, completion, and battles with rivals."""

from __future__ import annotations

import base64
import re
import zlib
from html import unescape
from typing import Any

import pytest
from tests.server.pages.conftest import Browser, Place

from fracas.portable import artefacts
from fracas.rulesets import registry
from fracas.server.http.middleware import PAGE_POLICY

TEAM = 'units = ["scout", "bronze_knight"]\n'


def ask(browser: Browser, question: str, **body: Any) -> dict[str, Any]:
    answer = browser.client.request("POST", f"/leagues/open/editor/{question}", json={"text": TEAM, **body})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture(scope="module")
def browser(place: Place) -> Browser:
    return place.browser().registered("wanda")


def test_it_answers_problems_costs_and_the_form(browser: Browser):
    found = ask(browser, "check")
    assert found["problems"] == []
    assert (found["cost"], found["points"]) == (found["cost"], 100)
    paths = [".".join(each["path"]) for each in found["sides"][0]["choices"]]
    assert {"units.0", "units.2", "strategy.formation"} <= set(paths)
    wrong = ask(browser, "check", text=TEAM.replace("scout", "scot"))
    assert wrong["key"] is None
    assert wrong["problems"][0]["fixes"][0]["label"] == "scout"
    # What does not parse has no form.
    assert "sides" not in ask(browser, "check", text="units = [")
    choice = next(each for each in found["sides"][0]["choices"] if each["path"] == ["units", "0"])
    changed = ask(browser, "choice", path=["units", "0"], number=0)["text"]
    assert choice["labels"][0] == "–"
    assert changed == 'units = ["bronze_knight"]\n'
    assert "scout" in {each["label"] for each in ask(browser, "complete", offset=11)["options"]}


def test_the_battles_of_the_odds_are_compiled_for_the_device_or_played_here(place: Place, browser: Browser):
    made = browser.send("/entries/new", do="submit", league="open", title="Mine", document=TEAM)
    entry = made.url.path.removeprefix("/e/")
    found = ask(browser, "odds", entry=entry)["rivals"]
    assert (found[0]["name"], found[0]["strength"]) == ("Your version 1", None)
    strengths = [each["strength"] for each in found[1:]]
    assert strengths == sorted(strengths)
    size = artefacts.layout(registry.get("squads").identity)["record"]["size"]
    for each in found:
        assert [len(zlib.decompress(base64.b64decode(packed))) for packed in each["records"]] == [size] * 2
    played = ask(browser, "odds", entry=entry, played=True)
    assert played["battles"] >= 4
    assert all(0 <= each["points"] <= played["battles"] for each in played["rivals"])
    assert sum(each["points"] for each in played["rivals"]) > 0
    stranger = place.browser().registered("xaver")
    body = {"text": TEAM, "entry": entry}
    assert stranger.client.request("POST", "/leagues/open/editor/odds", json=body).status_code == 404
    assert browser.client.request("POST", "/leagues/hidden/editor/odds", json=body).status_code == 404
    assert browser.client.request("POST", "/leagues/open/editor/odds", json={"text": "units = ["}).status_code == 422
    assert browser.client.request("POST", "/leagues/open/editor/nothing", json={"text": ""}).status_code == 404
    assert place.browser().client.request("POST", "/leagues/open/editor/check", json=body).status_code == 401


def test_from_a_leagues_page_an_entry_is_submitted_in_three_steps(browser: Browser):
    # The link, the title, the button; what there is to begin with is legal.
    link = re.search(r'class="button" href="(/entries/new[^"]+)"', browser.get("/leagues/open").text)
    assert link is not None
    found = browser.get(link[1])
    text = re.search(r"<textarea[^>]*>(.*?)</textarea>", found.text, re.S)
    assert text is not None
    made = browser.send("/entries/new", do="submit", league="open", title="Mine", document=unescape(text[1]))
    assert made.url.path.startswith("/e/")


def test_only_pages_with_an_editor_compile_rules(browser: Browser):
    found = browser.get("/entries/new?league=open")
    policy, nonce = found.headers["content-security-policy"], re.search(r'nonce="(\w+)"', found.text)
    assert nonce is not None
    assert "script-src 'self' 'wasm-unsafe-eval'; worker-src blob:;" in policy
    assert f"style-src 'self' 'nonce-{nonce[1]}';" in policy
    assert browser.get("/entries/new?league=open").headers["content-security-policy"] != policy
    assert browser.get("/entries/new").headers["content-security-policy"] == PAGE_POLICY
    module = re.search(r'data-module="([^"]+)"', found.text)
    assert module is not None
    for address in ("/assets/studio/main.js", "/assets/web/fracas.js", module[1], module[1].replace(".wasm", ".json")):
        assert browser.get(address).status_code == 200
    for address in ("/assets/studio/../access.py", "/assets/studio/studio.html", "/assets/"):
        assert browser.get(address).status_code == 404
