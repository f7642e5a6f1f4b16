"""Legs of older rules over HTTP and on pages: shown by the archive, refused in a sentence, hidden where they were."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import pytest
from sqlalchemy import delete, select
from tests.helpers.serving import Client, RunningServer
from tests.server.arena.test_archive import age
from tests.server.arena.test_routes import ROOT, TEAM, fought, settings, submitted, tick  # noqa: F401
from tests.server.arena.test_secrecy import answers_to

from fracas.server.arena.archive import modules
from fracas.server.arena.proofs.day_file import LeagueDayFile
from fracas.server.arena.proofs.league_day import verify_document
from fracas.server.arena.running import RunningArena
from fracas.server.arena.seasons.season import migrate_season
from fracas.server.clock import DAY
from fracas.server.database.tables import archived_pair, entry_version, season_program
from fracas.server.database.tables import leg as stored_leg

UNWATCHABLE = "but not watch them: the player knows only the installed rules"


def legs_of(client: Client, match: str) -> list[tuple[Any, Any]]:
    """Both legs of a match with their events."""
    paths = [f"{ROOT}/matches/{match}/legs/{number}" for number in (0, 1)]
    return [(client.get(path).json(), client.get(f"{path}/events").json()) for path in paths]


def test_a_leg_of_older_rules_is_played_by_its_module(server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    ann, _, found = fought(server)
    nobody, match = server.client(), found["id"]
    before = legs_of(nobody, match)
    assert "/legs/0/player" in nobody.get(f"/m/{match}").text
    assert UNWATCHABLE not in nobody.get(f"/m/{match}").text
    age(monkeypatch)
    for (leg, events), (old, old_events) in zip(legs_of(nobody, match), before, strict=True):
        for key in ("leg", "seed", "places", "hidden_sides", "winner", "reason", "rounds", "digest", "rules_version"):
            assert leg[key] == old[key], key
        assert events["items"] == old_events["items"]
        assert leg["archive"]["tool"] == modules.TOOL
        assert sorted(leg["figures"]) == ["blocks_drawn", "hp_left", "units_left"]
        assert leg["story"].count("\n") > 5
        assert "replay" not in leg["links"]
        assert nobody.get(leg["links"]["events"]).status_code == 200
    of_match = nobody.get(f"/m/{match}").text
    assert "/legs/0/player" not in of_match
    assert UNWATCHABLE in of_match
    (season,) = nobody.get(f"{ROOT}/leagues/open/seasons").json()["items"]
    assert season["tool"] == modules.TOOL
    page = nobody.get(f"/m/{match}/legs/0")
    assert page.status_code == 200
    assert "the module that was kept of them played it again" in page.text
    assert "You cannot watch this battle, because the player knows only the installed rules" in page.text
    assert f'<a href="{ROOT}/matches/{match}/legs/0/events">' in page.text
    assert before[0][0]["reason"].replace("_", " ") in page.text
    # The player's address, which somebody may have kept, says where to read the battle.
    for path, said in (
        (f"{ROOT}/matches/{match}/legs/0/replay", "rules that this server no longer has"),
        (f"/m/{match}/legs/0/player", f"Read it at /m/{match}/legs/0."),
    ):
        answer = nobody.get(path)
        assert (answer.status_code, modules.TOOL in answer.text, said in answer.text) == (410, True, True), path
    # An account that is deleted takes nothing of it along.
    assert ann.delete(f"{ROOT}/account", {"password": "correct horse battery"}).status_code == 204
    assert legs_of(nobody, match)[1] == (leg, events)


def test_what_the_archive_lacks_is_refused_in_a_sentence(sqlite_server: RunningServer, monkeypatch):
    _, _, found = fought(sqlite_server)
    path, nobody = f"{ROOT}/matches/{found['id']}/legs/0", sqlite_server.client()
    age(monkeypatch)
    with sqlite_server.database.writing.begin() as connection:
        connection.execute(stored_leg.update().where(stored_leg.c.no == 1).values(digest=bytes(32)))
    answer = nobody.get(f"{ROOT}/matches/{found['id']}/legs/1")
    assert (answer.status_code, "another battle than the stored one" in answer.json()["detail"]) == (410, True)
    with sqlite_server.database.writing.begin() as connection:
        row = connection.execute(select(archived_pair)).one()
        connection.execute(archived_pair.update().values(content=bytes(row.content)[:-1] + b"?"))
    answer = nobody.get(path)
    assert (answer.status_code, "another digest" in answer.json()["detail"]) == (410, True)
    with sqlite_server.database.writing.begin() as connection:
        connection.execute(delete(archived_pair))
    for part in (path, f"{path}/events", f"{path}/replay"):
        answer = nobody.get(part)
        assert answer.status_code == 410
        assert f"{modules.TOOL} verifies the file of its day" in answer.json()["detail"]
    with sqlite_server.database.writing.begin() as connection:
        connection.execute(delete(season_program))
    assert "verifies" not in nobody.get(path).json()["detail"]
    assert nobody.get(f"{ROOT}/matches/{found['id']}").status_code == 200


def forms(data: bytes) -> list[str]:
    """Bytes as an answer could spell them."""
    return [data.hex(), base64.b64encode(data).decode()]


def archived_bytes(server: RunningServer) -> list[str]:
    """Everything of the archive that belongs to a pair."""
    with server.database.reading.connect() as connection:
        rows = connection.execute(select(archived_pair)).all()
    return [text for row in rows for part in (row.key, row.digest, row.content) for text in forms(bytes(part))]


def test_what_is_hidden_stays_hidden_under_other_rules(sqlite_server: RunningServer, monkeypatch):
    """Neither the compiled battles nor what they tell of a strategy: only what the match itself tells."""
    ann, bob, found = fought(sqlite_server, "hidden")
    stored = ann.get(f"{ROOT}/matches/{found['id']}").json()["legs"]
    leg = f"{ROOT}/matches/{found['id']}/legs/0"
    before = ann.get(leg).json()
    sqlite_server.clock.step(DAY)
    tick(sqlite_server)
    day = f"{ROOT}/leagues/hidden/days/{found['day']}"
    held = archived_bytes(sqlite_server)
    assert len(held) == 6
    age(monkeypatch)
    paths = sqlite_server.app.openapi()["paths"]
    known = {"league": ["hidden"], "match": [found["id"]], "leg": ["0", "1"], "day": [found["day"]], "handle": ["ann"]}
    known["entry"] = [side["entry"] for side in found["sides"]]
    for client in (ann, bob, sqlite_server.client()):
        body = client.get(leg).json()
        assert (body["winner"], body["reason"], body["rounds"]) == (
            before["winner"],
            stored[0]["reason"],
            before["rounds"],
        )
        assert body["story"] == ""
        assert not {"digest", "figures"} & body.keys()
        assert body["links"].keys() == {"self"}
        assert client.get(f"{leg}/events").status_code == 410
        assert client.get(f"/m/{found['id']}/legs/0").status_code == 200
        document = msgspec.json.decode(client.get(day).content, type=LeagueDayFile)
        assert document.documents == {}
        for path, text in answers_to(client, paths, known):
            assert not [each for each in held if each in text], path
    # The season ends: everything that fought is revealed, and so is what proves it.
    running: RunningArena = sqlite_server.context.parts["arena"]
    arena = sqlite_server.wait(running.ready())
    sqlite_server.write(lambda c: migrate_season(c, arena, arena.leagues["hidden"], sqlite_server.clock.now_ms()))
    with sqlite_server.database.reading.connect() as connection:
        assert not connection.execute(select(entry_version).where(entry_version.c.revealed_at.is_(None))).all()
    body = sqlite_server.client().get(leg).json()
    assert body["story"]
    assert body["figures"]
    document = msgspec.json.decode(sqlite_server.client().get(day).content, type=LeagueDayFile)
    document.seasons["1"].tool = "fracas==0.0.9"
    verified = verify_document(document, "day")
    assert (verified.difference, verified.of_other_rules) == ("", 1)


def test_practice_is_kept_too(sqlite_server: RunningServer, monkeypatch):
    from tests.server.arena.test_routes import signed_up

    ann = signed_up(sqlite_server, "ann")
    bots = ann.get(f"{ROOT}/leagues/open/bots").json()["items"]
    found = ann.post(f"{ROOT}/practice", {"entry": submitted(ann, document=TEAM), "bot": bots[0]["handle"]}).json()
    before = legs_of(ann, found["id"])
    age(monkeypatch)
    after = legs_of(ann, found["id"])
    assert [events["items"] for _, events in after] == [events["items"] for _, events in before]
    assert sqlite_server.client().get(f"{ROOT}/matches/{found['id']}/legs/0").status_code == 404
