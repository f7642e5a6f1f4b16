"""Tables that are over go after a time; no backup, export or own data holds what a table that is played must hide."""

from __future__ import annotations

import base64
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from tests.helpers.duels import NONCES, Duels
from tests.helpers.serving import RunningServer
from tests.server.tables.conftest import ROOT, Table

from fracas.replay.table_file import table_salt_seal
from fracas.server.admin import transfer
from fracas.server.admin.backup import back_up, restore
from fracas.server.clock import DAY, HOUR, SteppingClock
from fracas.server.database.engine import Database
from fracas.server.database.tables import document, game_choice, game_seat, game_table, table_result
from fracas.server.housekeeping import forget_old
from fracas.server.settings import Settings
from fracas.server.tables import leftovers, store
from fracas.server.tables.store import NewTable


@pytest.fixture
def duels(database: Database, clock) -> Duels:
    return Duels(database, clock)


def test_old_tables_go_and_results_stay(duels: Duels):
    ann, bob = duels.account("ann"), duels.account("bob")
    played = duels.rated(ann, bob, 1)
    duels.write(lambda c: store.keep_proof(c, played, {"proof": "of it"}))
    unplayed = duels.write(lambda c: store.open_table(c, NewTable(duels.game, "first", 60), ann, "test", duels.now))
    duels.write(lambda c: store.leave(c, unplayed, 0, duels.now))
    waits = duels.write(lambda c: store.open_table(c, NewTable(duels.game, "twins", 60), ann, "test", duels.now))
    ended = duels.now

    def forgotten(at: int) -> set[str]:
        duels.write(lambda c: forget_old(c, at))
        return {played, unplayed, waits} - {row.id for row in duels.rows(game_table)}

    assert forgotten(ended + DAY) == set()
    assert forgotten(ended + leftovers.UNPLAYED_KEPT) == {unplayed}
    assert duels.rows(game_choice)
    assert forgotten(ended + leftovers.KEPT) == {unplayed, played}
    assert duels.rows(game_choice) == []
    assert {row.table for row in duels.rows(game_seat)} == {waits}
    # The scenario of the table that waits stays.
    assert len(duels.rows(document)) == 1
    assert len(duels.rows(table_result)) == 2
    assert duels.report().faults == []


def running(duels: Duels) -> str:
    """A rated table after a step, with a choice that the other side must not know."""
    ann, bob = duels.account("ann"), duels.account("bob")
    table = duels.quick(ann)
    duels.quick(bob)
    duels.step(duels.begin(table))
    duels.choose(table, {1: 1})
    return table


def test_no_backup_holds_the_seed_of_a_table_that_is_played(sqlite: Database, clock, tmp_path: Path):
    duels = Duels(sqlite, clock)
    over = duels.rated(duels.account("cat"), duels.account("dan"), 1)
    table = running(duels)
    seeds = {each: bytes.fromhex(duels.load(each).server_seed) for each in (over, table)}
    copy, archive = tmp_path / "copy.db", tmp_path / "export.zip"
    back_up(sqlite, copy)
    assert seeds[table] not in copy.read_bytes()
    assert seeds[over] in copy.read_bytes()
    with sqlite.snapshot() as connection:
        transfer.export(connection, archive)
    with zipfile.ZipFile(archive) as found:
        lines = found.read("game_table.jsonl").decode()
    assert base64.b64encode(seeds[table]).decode() not in lines
    assert base64.b64encode(seeds[over]).decode() in lines


@pytest.mark.parametrize("kind", ["backup", "export", "copy"])
def test_a_restored_server_closes_what_was_played(
    kind: str, sqlite: Database, settings: Settings, tmp_path: Path, postgresql
):
    """Nobody plays on with dice that may have rolled since then: the table is over, unrated, and has no proof."""
    clock = SteppingClock()
    duels = Duels(sqlite, clock)
    over, table = duels.rated(duels.account("cat"), duels.account("dan"), 1), running(duels)
    results = duels.rows(table_result)
    file = tmp_path / "backup"
    if kind == "export":
        with sqlite.snapshot() as connection:
            transfer.export(connection, file)
    elif kind == "backup":
        back_up(sqlite, file)
    else:
        # Somebody stopped the server and copied its file.
        sqlite.close()
        file.write_bytes((tmp_path / "fracas.db").read_bytes())
    clock.step(HOUR)
    restored = restore(postgresql.empty_schema() if kind == "export" else str(tmp_path / "new.db"), file, clock)
    with RunningServer(replace(settings, games=()), restored, clock) as server:
        found = server.client().get(f"{ROOT}/tables/{table}").json()
        assert (found["state"], found["unrated"], found["ending"]["reason"]) == ("over", "not_played", "closed")
        assert (found.get("commitment"), found["step"]) == (None, 1)
        assert server.client().get(f"{ROOT}/tables/{table}/proof").status_code == 404
        for _ in range(3):
            server.wait(server.context.parts["tables"].beat())
        again = Duels(restored, clock)
        assert again.table(over).state == store.OVER
        assert {row.table for row in again.rows(game_choice)} == {over}
        assert again.rows(table_result) == results
        assert again.report().faults == []
    restored.close()


def test_own_data_of_who_plays_holds_nothing_hidden(sqlite_server: RunningServer):
    """Not the seed of the table, no salt, and not what the other has chosen."""
    table = Table(sqlite_server, "roshambo", quick=True)
    table.sit()
    table.sockets = [table.connect(0), table.connect(1)]
    table.seal(0)
    table.seal(1)
    table.open(1)
    seed = sqlite_server.read(lambda c: store.load(c, table.id, sqlite_server.clock.now_ms())).server_seed

    def told() -> str:
        return json.dumps(table.clients[0].get(f"{ROOT}/account/export").json())

    for hidden in (seed, "salt 1", *NONCES):
        assert hidden not in told()
    assert table_salt_seal(1, "salt 0", NONCES[0]) in told()
    table.open(0)
    for socket in table.sockets:
        socket.settle()
    before = told()
    table.choose(1, 1, "rock")
    table.sockets[1].settle()
    own = json.loads(told())
    assert {**own, "tokens": [], "events": []} == {**json.loads(before), "tokens": [], "events": []}
    assert [seat["table"] for seat in own["seats"]] == [table.id]
    assert seed not in told()
    table.sockets[1].say("resign")
    table.sockets[0].settle()
    assert own["rated_tables"] == []
