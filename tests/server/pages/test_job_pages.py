"""Pages of jobs, without scripts: ask for a study by a document or from a battle, follow it, read it, cancel it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.server.pages.conftest import Place
from tests.server.pages.test_robot import PAIR

from fracas.server.jobs import service, worker


def work(place: Place) -> None:
    """Work on a job as its process does, in this one."""
    server = place.server
    runner, now = server.context.parts["jobs"], server.clock.now_ms()
    leased = server.write(lambda c: service.take(c, now, runner.node, runner.machine))
    assert leased is not None
    progress, told = worker.Progress(lambda line: None, lambda: None), runner._told(leased)
    answer = worker.answered(told, Path(told["folder"]), progress) | progress.figures()
    progress.end()
    assert server.write(lambda c: service.finish(c, leased, json.loads(json.dumps(answer)), now))


def test_a_study_from_the_form_to_its_result(place: Place):
    browser = place.browser().registered("eve")
    form = browser.get("/jobs/new")
    assert "standard-5v5" in form.text or "ruleset" in form.text
    asked = browser.send("/jobs/new", kind="simulate", n="20", scenario=PAIR, options="contributions = 0")
    assert "Look again" in asked.text
    assert '<progress max="1" value="0.0">' in asked.text
    assert '<script type="module" src="/jobs.js"></script>' in asked.text
    work(place)
    done = browser.get(asked.url.path)
    assert "What it found" in done.text
    assert "<script" not in done.text
    assert "Look again" not in done.text
    assert "20 battles" in done.text
    assert "<th scope=" in done.text
    report = browser.get(f"{asked.url.path}/report")
    assert report.status_code == 200
    assert "frame-ancestors" in report.headers["content-security-policy"]
    listed = browser.get("/jobs").text
    assert asked.url.path in listed
    # The same again is there at once.
    assert (
        browser.send("/jobs/new", kind="simulate", n="20", scenario=PAIR, options="contributions = 0").url == asked.url
    )
    cancelled = browser.send("/jobs/new", kind="why", n="40", scenario=PAIR)
    assert "It was cancelled" in browser.send(f"{cancelled.url.path}/cancel").text


def test_what_is_wrong_or_too_much_stands_on_the_form(place: Place):
    browser = place.browser()
    wrong = browser.send("/jobs/new", kind="simulate", n="0", scenario='ruleset = "relics"\nrite = "<b>"')
    assert (wrong.status_code, "scenario: rite" in wrong.text) == (422, True)
    assert "<b>" not in wrong.text
    assert browser.send("/jobs/new", kind="simulate", n="x", scenario=PAIR).status_code == 422
    assert browser.send("/jobs/new", kind="simulate", n="9", scenario=PAIR, options="nothing = 1").status_code == 422
    dear = browser.send("/jobs/new", kind="compare", n="100,000", scenario=PAIR, options='b_set = ["left.items=[]"]')
    assert dear.status_code == 422
    assert "It costs 200,000 battles" in dear.text
    assert "the budget is 50,000 battles" in dear.text


def test_a_study_of_a_battle_and_of_an_entry(place: Place):
    browser = place.browser()
    leg = browser.get(f"/m/{place.open_match['id']}/legs/0").text
    address = f"/jobs/new?match={place.open_match['id']}&amp;leg=0&amp;kind=why"
    assert address in leg
    form = browser.get(address.replace("&amp;", "&"))
    code = place.open_match["sides"][0]["code"]
    assert (form.status_code, code in form.text) == (200, True)
    assert '<option value="why" selected>' in form.text
    assert browser.get(f"/jobs/new?match={place.hidden_match['id']}").status_code == 404
    entry = place.open_match["sides"][0]["entry"]
    assert f"/jobs/new?entry={entry}" in browser.get(f"/e/{entry}").text
    filled = browser.get(f"/jobs/new?entry={entry}")
    assert (filled.status_code, code in filled.text) == (200, True)
    hidden = place.hidden_match["sides"][0]["entry"]
    assert browser.get(f"/jobs/new?entry={hidden}").status_code == 404


def test_what_the_forms_offer_can_be_asked(place: Place):
    """The scenarios that the form begins with are documents that jobs take."""
    from html import unescape

    browser = place.browser().registered("fay")
    entry = place.open_match["sides"][0]["entry"]
    for query in ("", f"?match={place.open_match['id']}&leg=1", f"?entry={entry}"):
        text = browser.get(f"/jobs/new{query}").text
        scenario = unescape(text.partition("required>")[2].partition("</textarea>")[0])
        asked = browser.send("/jobs/new", kind="simulate", n="10", scenario=scenario, options="contributions = 0")
        assert asked.url.path.startswith("/jobs/0"), asked.text
        browser.send(f"{asked.url.path}/cancel")
