"""The pages of tables as they are served: what they bring of the stage, the proof's own page, and the start page."""

from __future__ import annotations

import json
import re

from tests.helpers.serving import RunningServer

SETUP = re.compile(r'<script type="application/json" id="setup">(.*?)</script>', re.DOTALL)


def text_of(server: RunningServer, path: str) -> str:
    answer = server.client().get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_page_brings_the_cast_and_nothing_that_the_dice_decide(new_table, sqlite_server: RunningServer):
    """Two tables of one scenario with other hands bring the same bytes, to everybody, before the dice and after."""
    found = set()
    for _ in range(2):
        table = new_table("cards")
        found |= set(SETUP.findall(text_of(sqlite_server, f"/d/{table.id}")))
        table.begin()
        for client in (*table.clients, sqlite_server.client()):
            found |= set(SETUP.findall(client.get(f"/d/{table.id}").text))
    assert len(found) == 1
    setup = json.loads(found.pop())
    assert [each["name"] for each in setup["cast"]["units"]] == ["Cook", "Baker"]
    assert set(setup["books"]) == {"side", "reason"}


def test_what_came_before_the_first_decision_is_told_as_far_as_one_may_see_it(new_table):
    table = new_table("cards").begin()
    watcher = table.watch()
    seen = [socket.heard[-1]["payload"]["opening"] for socket in table.sockets] + [watcher.hear("welcome")["opening"]]
    drawn = [[each["actor"] for each in opening if each["kind"] == "draws"] for opening in seen]
    assert set(drawn[0]) == {"1"}
    assert set(drawn[1]) == {"2"}
    assert drawn[2] == []
    rest = [[each for each in opening if each["kind"] != "draws"] for opening in seen]
    assert rest[0] == rest[1] == rest[2]


def test_the_page_of_a_proof_says_what_is_promised_and_after_the_end_anybody_checks_it(
    new_table, sqlite_server: RunningServer
):
    table = new_table()
    path = f"/d/{table.id}/proof"
    assert "no proof before the end" in text_of(sqlite_server, path)
    table.begin()
    before = text_of(sqlite_server, path)
    found = table.stored()
    assert "no proof before the end" in before
    assert found["commitment"] in before
    assert found["handshake"] in before
    table.sockets[0].say("resign")
    table.sockets[0].hear("over")
    for client in (*table.clients, sqlite_server.client()):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "wasm-unsafe-eval" in answer.headers["content-security-policy"]
        assert f"fracas verify table-{table.id}.json --game roshambo.py" in answer.text
        assert "/assets/web/table-proof-page.js" in answer.text
    assert sqlite_server.client().get(f"/d/{'0' * 26}/proof").status_code == 404


def test_the_start_page_shows_what_happens_now(new_table, sqlite_server: RunningServer):
    waiting, playing = new_table(seconds=90), new_table("cards").begin()
    hidden, over = new_table(listed=False), new_table().begin()
    over.sockets[0].say("resign")
    over.sockets[0].hear("over")
    rows = re.findall(r'<li><a href="([^"]+)"><span class="tag( live)?">([^<]+)', text_of(sqlite_server, "/"))
    assert (f"/d/{playing.id}", " live", "live") in rows
    assert (f"/d/{waiting.id}", "", "open") in rows
    assert not any(row[0].endswith((hidden.id, over.id)) for row in rows)
    assert [bool(row[1]) for row in rows] == sorted((bool(row[1]) for row in rows), reverse=True)
