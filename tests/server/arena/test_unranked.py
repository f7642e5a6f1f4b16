"""Practice and challenges are played while no transaction is open."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, func, select, update
from tests.helpers import soak
from tests.helpers.arena import Playground
from tests.helpers.serving import RunningServer
from tests.server.arena.test_routes import ROOT, TEAM, settings, signed_up, submitted  # noqa: F401

from fracas.server.arena.match_player import MatchPlayer
from fracas.server.arena.matches import unranked
from fracas.server.arena.refusals import Conflict, Missing
from fracas.server.arena.seasons.season import end_season
from fracas.server.arena.service import withdraw_entry
from fracas.server.clock import DAY
from fracas.server.database.tables import entry_version, match

# What these do with SQL is done on both databases by others.
DATABASES = soak.some(("sqlite", "postgresql"), 1)


def test_practice_is_not_played_by_the_writer(server: RunningServer, monkeypatch: pytest.MonkeyPatch):
    threads: list[str] = []
    play = MatchPlayer.play

    def watched(self: MatchPlayer, *arguments: object) -> object:
        threads.append(threading.current_thread().name)
        return play(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(MatchPlayer, "play", watched)
    ann = signed_up(server, "ann")
    entry = submitted(ann)
    bots = ann.get(f"{ROOT}/leagues/open/bots").json()["items"]
    body, key = {"entry": entry, "bot": bots[0]["handle"]}, {"Idempotency-Key": "one"}
    answer = ann.post(f"{ROOT}/practice", body, headers=key)
    assert (answer.status_code, len(threads)) == (201, 1), answer.text
    assert "writer" not in threads[0]
    # A repeated request gets its first answer, though the entry has gone since.
    assert ann.delete(f"{ROOT}/entries/{entry}").status_code == 204
    again = ann.post(f"{ROOT}/practice", body, headers=key)
    assert (again.status_code, again.json()) == (201, answer.json())
    assert ann.post(f"{ROOT}/practice", body).status_code == 404


def planned(playground: Playground) -> unranked.Unranked:
    (ann, entry), _ = playground.players(2)
    with playground.read() as connection:
        return unranked.plan_challenge(connection, playground.arena, ann, entry, "player-1", playground.now)


def test_what_has_changed_since_the_plan_is_not_stored(playground: Playground):
    plan = planned(playground)
    played = unranked.play(playground.arena, plan, playground.now)
    league = playground.arena.leagues["squads"]

    def season_ends(connection: Connection) -> None:
        end_season(connection, playground.arena, league, playground.now + DAY)

    def rival_withdraws(connection: Connection) -> None:
        withdraw_entry(connection, plan.other.account, plan.other.entry)

    def store_after(change: Callable[[Connection], None]) -> None:
        with playground.write() as connection:
            change(connection)
            unranked.store(connection, playground.arena, played, playground.now)

    with pytest.raises(Conflict, match="season"):
        store_after(season_ends)
    with pytest.raises(Missing):
        store_after(rival_withdraws)
    with playground.write() as connection:
        assert connection.execute(select(func.count()).select_from(match)).scalar_one() == 0
        assert unranked.store(connection, playground.arena, played, playground.now)


def test_a_hidden_entry_can_be_challenged_only_while_it_is_open(server: RunningServer):
    ann, bob = signed_up(server, "ann"), signed_up(server, "bob")
    mine, theirs = submitted(ann, "hidden"), submitted(bob, "hidden")
    body = {"entry": mine, "rival": "bob"}
    refused = ann.post(f"{ROOT}/challenges", body)
    assert refused.status_code == 409
    assert "opened no entry" in refused.json()["detail"]
    assert ann.patch(f"{ROOT}/entries/{theirs}", {"open_to_challenges": True}).status_code == 404
    opened = bob.patch(f"{ROOT}/entries/{theirs}", {"open_to_challenges": True}).json()
    assert (opened["open_to_challenges"], opened["title"]) == (True, "A team")
    assert ann.post(f"{ROOT}/challenges", body).status_code == 201
    # Who challenges need not be open.
    assert bob.post(f"{ROOT}/challenges", {"entry": theirs, "rival": "ann"}).status_code == 409
    bob.patch(f"{ROOT}/entries/{theirs}", {"open_to_challenges": False})
    assert ann.post(f"{ROOT}/challenges", body).status_code == 409


def test_a_revealed_entry_of_a_hiding_league_can_be_challenged(server: RunningServer):
    ann, bob = signed_up(server, "ann"), signed_up(server, "bob")
    mine, theirs = submitted(ann, "hidden"), submitted(bob, "hidden")
    body = {"entry": mine, "rival": "bob"}
    server.write(lambda connection: connection.execute(update(entry_version).values(revealed_at=1)))
    assert ann.post(f"{ROOT}/challenges", body).status_code == 201
    assert bob.post(f"{ROOT}/entries/{theirs}/versions", {"document": {"units": ["scout"]}}).status_code == 201
    assert ann.post(f"{ROOT}/challenges", body).status_code == 409
