"""Pages do what they promise: forms with problems beside them, sealed entries, names as text, no foreign writes."""

from __future__ import annotations

import re
from html import unescape

import pytest
from tests.helpers.arena import league
from tests.server.arena.test_routes import OTHER
from tests.server.pages.conftest import HTML, Browser, Place

from fracas.server.arena.seasons.days import note_head
from fracas.server.http.middleware import PAGE_POLICY
from fracas.server.pages.rendering import day_in_words, local_path
from fracas.server.pages.routes import revealed

EVIL = "<b>&\"'x"


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def test_a_newcomer_registers_submits_queues_and_reads_the_problems(place: Place):
    browser = place.browser().registered("edda")
    bad = browser.send("/entries/new", do="submit", league="open", title="", document="units = ['scot']")
    assert bad.status_code == 422
    told = text_of(bad.text)
    assert "units.0" in told
    assert "scout" in told
    assert "units = ['scot']" in unescape(bad.text), "what was written stays in the form"
    not_toml = browser.send("/entries/new", do="check", league="open", document="units = [")
    assert not_toml.status_code == 422
    checked = browser.send("/entries/new", do="check", league="open", document='{"units": ["scout"]}')
    assert "of 100 points" in text_of(checked.text)
    made = browser.send(
        "/entries/new", do="submit", league="open", title=EVIL, ranked="yes", document="units = ['scout']"
    )
    assert made.status_code == 200
    assert made.url.path.startswith("/e/")
    assert EVIL not in made.text
    assert EVIL in unescape(made.text)
    queued = browser.send(f"{made.url.path}/queue", kind="standing", salt="mine")
    assert "Leave the queue" in queued.text
    again = browser.send(f"{made.url.path}/queue", kind="once")
    assert again.status_code == 409
    ticket = re.search(r"/tickets/\w+/leave", queued.text)
    assert ticket is not None
    assert browser.send(ticket[0]).url.path == "/entries"
    changed = browser.send(f"{made.url.path}/versions", do="submit", document="units = ['bronze_knight']")
    assert "Version 2" in changed.text
    assert EVIL in unescape(browser.send(f"{made.url.path}/title", title=EVIL + "2").text)
    withdrawn = browser.send(f"{made.url.path}/withdraw")
    assert withdrawn.url.path == "/entries"


def test_a_sealed_entry_shows_its_seal_and_no_document(place: Place):
    side = place.hidden_match["sides"][0]
    found = place.browser().get(f"/e/{side['entry']}")
    assert found.status_code == 200
    assert side["sealed_digest"] in found.text
    assert "Sealed" in found.text
    assert "novice_cleric" not in found.text
    match = place.browser().get(f"/m/{place.hidden_match['id']}")
    assert "/player" not in match.text
    assert "Not yet verifiable" in match.text
    leg = f"/m/{place.hidden_match['id']}/legs/0"
    story = place.browser().get(leg)
    assert "Not yet verifiable" in story.text
    assert "Replay file" not in story.text
    player = place.browser().get(f"{leg}/player")
    assert player.status_code == 404
    assert "novice_cleric" not in player.text


def test_the_player_has_a_policy_of_its_own_and_the_page_of_a_match_unfurls(place: Place):
    browser = place.browser()
    path = f"/m/{place.open_match['id']}"
    found = browser.get(path)
    assert re.search(r'property="og:title" content="ann [\d½]+ : [\d½]+ bob"', found.text)
    assert 'property="og:description"' in found.text
    assert place.open_match["chain"] in found.text
    player = browser.get(f"{path}/legs/0/player")
    policy = player.headers["content-security-policy"]
    assert policy != PAGE_POLICY
    assert "unsafe-inline" not in policy
    assert re.search(r"script-src 'sha256-[\w+/=]+' 'wasm-unsafe-eval'", policy)
    assert "frame-ancestors 'none'" in policy
    # One page may be framed by others: no links, no cookies, nothing that writes.
    frame = browser.get(f"/embed{path}?leg=0")
    assert frame.status_code == 200
    assert frame.headers["content-security-policy"].endswith("frame-ancestors *")
    assert "set-cookie" not in frame.headers
    assert "<nav" not in frame.text
    assert "<form" not in frame.text
    assert browser.get(f"/embed/m/{place.hidden_match['id']}").status_code == 404


def test_the_pages_of_matches_and_entries_show_what_binds_a_match(place: Place):
    """Whoever reads them may note the day, its commitment, and the head that the match fell under."""
    found, now = place.open_match, place.server.clock.now_ms()
    place.server.write(lambda connection: note_head(connection, "open", now))
    head = place.server.client().get("/api/v1/leagues/open/head").json()
    assert head["published"][-1]["head"] == head["head"]
    browser = place.browser()
    for path in (f"/m/{found['id']}", *(f"/e/{side['entry']}" for side in found["sides"])):
        told = text_of(browser.get(path).text)
        assert f"commitment {head['commitment']}" in told
        assert f"Head of the chain after it {found['chain']}" in told
        assert f"Head published over it {head['head']} after match {head['number']}" in told
        assert found["day"] in told
    assert "Proofs of its matches" not in browser.registered("gil").get(f"/e/{fresh(browser)}").text


def fresh(browser: Browser) -> str:
    """An entry that never fought."""
    made = browser.send("/entries/new", do="submit", league="open", title="x", document="units = ['scout']")
    return made.url.path.removeprefix("/e/")


def test_the_player_calls_the_sides_by_the_names_of_the_players(place: Place):
    path = f"/m/{place.open_match['id']}"
    first, second = place.open_match["sides"]
    player = place.browser().get(f"{path}/legs/0/player").text
    heading = re.search(r"<h1>(.*?)</h1>", player)
    assert heading is not None
    sides = {f"{side['account']['name']} ({side['code']})" for side in (first, second)}
    assert set(text_of(heading[1]).split(" against ")) == sides
    assert f"<title>{text_of(heading[1])}: " in unescape(player)
    note = re.search(r'<p class="note">(.*?)</p>', player)
    assert note is not None
    assert text_of(note[1]).startswith("This server says: battle 1 of ")


def test_a_match_that_can_be_watched_has_a_button_for_it(place: Place):
    path = f"/m/{place.open_match['id']}"
    found = place.browser().get(path).text
    assert f'<a class="button" href="{path}/legs/0/player">Watch it</a>' in found
    assert "Still hidden" not in found
    points = re.findall(r"(Won|Lost|Drawn), ([\d½]+) of (\d+) points", text_of(found))
    assert len(points) == 2


def test_a_hidden_entry_is_hidden_until_its_league_says(place: Place):
    match = place.hidden_match
    rule = place.ann.get(f"/api/v1/leagues/{match['league']}").json()["reveal"]
    assert rule == "season_end"
    told = text_of(place.browser().get(f"/m/{match['id']}").text)
    season = place.ann.get(f"/api/v1/leagues/{match['league']}").json()["season"]
    until = f"revealed on {day_in_words(season['ends_at'])}, when the season ends"
    assert f"Not yet verifiable: {until}" in told
    leg = place.browser().get(f"/m/{match['id']}/legs/0")
    assert f"Not yet verifiable: {until}" in text_of(leg.text)
    assert f"/api/v1/matches/{match['id']}/legs/0/events" in leg.text
    assert revealed(league(), 0, is_public=True) == "after its first public match"
    assert "no longer on this server" in revealed(None, 0, is_public=True)


def test_stories_call_sides_by_their_people(place: Place):
    match = place.open_match
    browser = place.browser()
    story = browser.get(f"/m/{match['id']}/legs/1").text.partition('<pre class="story"')[2]
    for side in match["sides"]:
        assert f"{side['account']['name']} ({side['code']})" in story
    # What programs read is as it was.
    told = place.ann.get(f"/api/v1/matches/{match['id']}/legs/1").json()
    assert "(" + match["sides"][0]["code"] not in told["story"]
    assert told["digest"] in browser.get(f"/m/{match['id']}/legs/1/player").text


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_a_foreign_page_cannot_send_a_form(place: Place, origin):
    browser = place.browser()
    answer = browser.client.request("POST", "/register", data={"handle": "gina"}, headers={"Origin": origin})
    assert answer.status_code == 403
    answer = browser.client.request("POST", "/register", json={"handle": "gina"})
    assert answer.status_code == 415


def test_signing_in_goes_back_to_where_one_was_and_never_elsewhere(place: Place):
    place.browser().registered("hugo")
    browser = place.browser()
    asked = browser.get("/entries/new?league=open")
    assert asked.status_code == 401
    came_from = re.search(r'name="came_from" value="([^"]*)"', asked.text)
    assert came_from is not None
    wrong = browser.send("/sign-in", handle="hugo", password="wrong", came_from=came_from[1])
    assert wrong.status_code == 401
    assert "The name or the password is wrong." in wrong.text
    there = browser.send("/sign-in", handle="hugo", password="correct horse battery", came_from=came_from[1])
    assert there.url.path == "/entries/new"
    for bad in ("//evil.example", "https://evil.example", "/\\evil.example", "/a\nb", "x"):
        assert local_path(bad) == "/"


def test_the_account_page_makes_keys_ends_sessions_and_deletes(place: Place):
    browser = place.browser().registered("inga")
    assert browser.send("/account/name", display_name=EVIL).status_code == 200
    shown = browser.get("/p/inga").text
    assert EVIL not in shown
    assert EVIL in unescape(shown)
    made = browser.send("/account/keys", name="bot", days="30", play="yes")
    token = re.search(r"frc_\w+", made.text)
    assert token is not None
    assert token[0] not in browser.get("/account").text
    assert place.server.client(token[0]).get("/api/v1/account").json()["handle"] == "inga"
    assert browser.send("/account/keys", name="bot", days="many").status_code == 422
    key = re.search(r"/account/keys/\w+/delete", made.text)
    assert key is not None
    assert "Delete" in browser.send(key[0]).text
    browser.send("/account/keys", name="second", days="30")
    changed = browser.send(
        "/account/password", current_password="correct horse battery", new_password="four other words"
    )
    assert changed.status_code == 200
    assert "Your password is changed. All other sessions have ended." in changed.text
    assert "Your 1 API key still works" in changed.text
    changed = browser.send(
        "/account/password",
        current_password="four other words",
        new_password="correct horse battery",
        delete_keys="yes",
    )
    assert "API key still" not in changed.text
    browser.send("/account/password", current_password="correct horse battery", new_password="four other words")
    assert browser.send("/account/delete", password="no").status_code == 403
    deleted = browser.send("/account/delete", password="four other words")
    assert "Your account is deleted" in deleted.text
    assert "Sign in" in deleted.text
    assert browser.get("/account").status_code == 401
    assert place.browser().get("/p/inga").status_code == 404


def test_a_class_from_its_code_to_its_table(place: Place):
    teacher = place.browser().registered("jonas")
    made = teacher.send("/classes", title="Year 9", league="open")
    code = re.search(r'<p class="code">(\w+)</p>', made.text)
    assert code is not None
    pupils = []
    team = "units = ['scout', 'bronze_knight', 'novice_cleric']"
    assert place.browser().send("/classes/join", code=code[1], name="\u0430dmin").status_code == 422
    for number, document in enumerate((team, str(OTHER).replace("'", '"'), team)):
        pupil = place.browser()
        joined = pupil.send("/classes/join", code=code[1], name=f"Pupil {number}")
        assert joined.status_code == 201
        assert f"Your name here is <strong>Pupil {number}</strong>" in joined.text
        box = re.search(r"<textarea[^>]*>(.*?)</textarea>", pupil.get(made.url.path).text, re.S)
        assert box is not None
        assert "units" in box[1]
        token = re.search(r"frc_\w+", joined.text)
        assert token is not None
        assert pupil.send(f"{made.url.path}/entries", title="Mine", document=document).status_code == 200
        pupils.append((pupil, token[0]))
    assert place.browser().send("/classes/join", code="nonsense").status_code == 404
    asked = teacher.send(f"{made.url.path}/tables", battles="20")
    assert "waiting" in asked.text
    assert place.server.wait(place.server.context.parts["jobs"].work_once())
    shown = pupils[0][0].get(made.url.path)
    assert "All against all" in shown.text
    assert "20 battles for each pair" in shown.text
    assert len(re.findall(r'<th scope="row">', shown.text)) == 3
    assert all(f"Pupil {number}" in shown.text for number in range(3))
    cells = re.findall(rf"{made.url.path}/battles/\w+/\w+", shown.text)
    assert len(set(cells)) == 6
    battle = pupils[1][0].get(cells[0])
    assert battle.status_code == 200
    assert "the first battle that the table of the class counted" in battle.text
    assert "wasm-unsafe-eval" in battle.headers["content-security-policy"]
    assert place.browser().registered("kim").get(cells[0]).status_code == 404
    assert pupils[1][0].get(f"{made.url.path}/battles/nobody/nothing").status_code == 404
    elsewhere = place.browser()
    assert elsewhere.send("/sign-in/token", token="frc_" + "x" * 43).status_code == 401
    elsewhere.send("/sign-in/token", token=pupils[1][1])
    assert elsewhere.get(made.url.path).status_code == 200
    assert pupils[0][0].send(f"{made.url.path}/delete").status_code == 404
    assert teacher.send(f"{made.url.path}/delete").url.path == "/classes"


def test_an_error_is_a_page_for_people_and_a_problem_for_programs(place: Place):
    page = place.browser().get("/m/nothing")
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    program = place.server.client().get("/m/nothing")
    assert program.headers["content-type"] == "application/problem+json"
    missing = place.server.client(**HTML).get("/api/v1/matches/nothing")
    assert missing.headers["content-type"] == "application/problem+json"


def test_practice_and_challenges_show_only_to_their_players(place: Place):
    browser = place.browser().registered("karl")
    made = browser.send(
        "/entries/new", do="submit", league="open", title="Mine", ranked="yes", document="units = ['scout']"
    )
    bot = re.search(r'<option value="([\w-]+)">', made.text)
    assert bot is not None
    practised = browser.send(f"{made.url.path}/practice", bot=bot[1])
    assert practised.url.path.startswith("/m/")
    assert place.browser().get(practised.url.path).status_code == 404
    challenged = browser.send(f"{made.url.path}/challenge", rival="ann")
    assert challenged.url.path.startswith("/m/")
    assert browser.send(f"{made.url.path}/challenge", rival="nobody-here").status_code == 404


def test_a_hidden_entry_is_opened_to_challenges_on_its_page(place: Place):
    browser = place.browser().registered("fay")
    made = browser.send("/entries/new", do="submit", league="hidden", title="Mine", document="units = ['scout']")
    assert "This entry is closed" in made.text
    opened = browser.send(f"{made.url.path}/opening", open="yes")
    assert "This entry is open" in opened.text
    assert "This entry is closed" in browser.send(f"{made.url.path}/opening", open="no").text
    other = browser.send("/entries/new", do="submit", league="open", title="Mine", document="units = ['scout']")
    assert "Challenges of others" not in other.text
